// The page where one asks: sends the question, shows its place in the queue, and sentences as they come.
"use strict";

const desk = document.getElementById("desk");
const form = document.getElementById("ask");
const state = document.getElementById("state");
const heard = document.getElementById("heard");
const answers = document.getElementById("answers");
const beside = document.getElementById("beside");

function send(path, values) {
  const headers = { "Content-Type": "application/json", [desk.dataset.header]: desk.dataset.token };
  return fetch(desk.dataset.base + path, { method: "POST", headers, body: JSON.stringify(values) });
}

// The events of a stream, each as its name and its values.
async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(part);
      yield [name, JSON.parse(data)];
    }
  }
}

function chosenCorpora() {
  return [...form.querySelectorAll(".option:not([hidden]) input:checked")].map((one) => one.value);
}

function waitingWords(ahead) {
  return ahead === 1 ? "One question is before yours …" : `${ahead} questions are before yours …`;
}

// The place of an answer that is on its way: the question, what is being done for it, and sentences as they come.
function makeWaiting(place, question) {
  const card = document.createElement("div");
  card.className = "card waiting";
  if (question) card.append(Object.assign(document.createElement("h2"), { textContent: question }));
  const stage = Object.assign(document.createElement("p"), { className: "help" });
  // Of its own: two questions of one visitor wait side by side. Each change is read aloud.
  stage.setAttribute("role", "status");
  const text = Object.assign(document.createElement("div"), { className: "prose" });
  card.append(stage, text);
  place.replaceChildren(card);
  return { stage, text };
}

// An entry with its citations, as text: the whole answer, with its links, takes its place.
function entryOf({ text, citations, kind }) {
  const numbers = citations.map((number) => `[${number}]`).join("");
  const [element, className] = kind === "sentence" ? ["span", "entry"] : ["pre", "entry block"];
  return Object.assign(document.createElement(element), { className, textContent: `${text} ${numbers} ` });
}

// What the server has drawn is escaped there; htmx makes its links open beside the answer.
async function show(id, place) {
  const shown = await fetch(`${desk.dataset.base}/answers/${id}`, { headers: { "HX-Request": "true" } });
  place.innerHTML = await shown.text();
  htmx.process(place);
}

async function ask(question, corpora, after, place, heading) {
  const { stage, text } = makeWaiting(place, heading);
  stage.textContent = "Asking …";
  const response = await send("/ask", { question, corpora, after, stream: true });
  if (!response.ok) throw new Error((await response.json()).error);
  for await (const [name, value] of eventsOf(response)) {
    if (name === "waiting") stage.textContent = waitingWords(value.ahead);
    if (name === "begun") stage.textContent = "Looking for an answer …";
    if (name === "stage") stage.textContent = `${value.text[0].toUpperCase()}${value.text.slice(1)} …`;
    if (name === "remark") stage.textContent = value.text;
    if (name === "sentence") text.append(entryOf(value));
    if (name === "failed") throw new Error(value.error);
    if (name === "answer") {
      await show(value.answer_id, place);
      return value;
    }
  }
  throw new Error("The server has ended the connection. Ask again.");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const box = form.elements.question;
  const question = box.value;
  const corpora = chosenCorpora();
  if (!question.trim()) return;
  if (!corpora.length) {
    state.textContent = "Choose at least one corpus.";
    return;
  }
  const place = document.createElement("div");
  const after = answers.querySelector("[data-id]")?.dataset.id || "";
  answers.prepend(place);
  state.textContent = heard.textContent = "";
  // Free for the next question at once; and whoever presses Enter twice asks once.
  box.value = "";
  try {
    const answer = await ask(question, corpora, after, place, question);
    const address = `${desk.dataset.base}/answers/${answer.answer_id}`;
    history.replaceState(null, "", address);
    document.title = `${answer.question} · expound`;
    addToHistory(address, answer.question);
    // Whoever asks on types on; only a keyboard on the screen would stand before the answer.
    if (matchMedia("(pointer: coarse)").matches) place.querySelector("article").focus({ preventScroll: true });
    heard.textContent = "Answered.";
  } catch (error) {
    place.remove();
    // What was typed is not lost, unless something else was typed since.
    box.value ||= question;
    state.textContent = error.message;
  }
});

function addToHistory(address, question) {
  const before = document.getElementById("before");
  const item = document.createElement("li");
  item.append(Object.assign(document.createElement("a"), { href: address, textContent: question }));
  const list = before.querySelector("ul");
  [...list.children].find((one) => one.textContent.trim() === question)?.remove();
  list.prepend(item);
  before.hidden = false;
}

form.elements.question.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey || !event.shiftKey)) {
    event.preventDefault();
    form.requestSubmit();
  }
});

// A reading opens its own answer, the first time that it is opened.
answers.addEventListener("toggle", async (event) => {
  const card = event.target;
  if (!card.matches?.(".reading") || !card.open || card.dataset.asked) return;
  card.dataset.asked = "yes";
  const inner = card.querySelector(".inner");
  try {
    await ask(card.dataset.question, chosenCorpora(), "", inner, "");
  } catch (error) {
    delete card.dataset.asked;
    inner.textContent = error.message;
  }
}, true);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-close]");
  if (button?.dataset.copy) await copy(button);
  if (button && "close" in button.dataset) {
    event.preventDefault();
    closeBeside();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && desk.classList.contains("open")) closeBeside();
});

let opener = null;

function closeBeside() {
  beside.replaceChildren();
  desk.classList.remove("open");
  opener?.classList.remove("chosen");
  opener?.focus();
}

async function copy(button) {
  const text = await (await fetch(button.dataset.copy)).text();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyOldWay(text);
  }
  state.textContent = "Copied.";
  // Where one looks: the line above may be out of sight.
  const words = button.textContent;
  button.textContent = "Copied";
  button.addEventListener("blur", () => { button.textContent = words; }, { once: true });
}

// Without HTTPS, browsers keep the clipboard from pages of other machines.
function copyOldWay(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target !== beside || !event.detail.elt.matches("a")) return;
  opener?.classList.remove("chosen");
  if (!beside.contains(event.detail.elt)) opener = event.detail.elt;
  opener?.classList.add("chosen");
});

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== beside) return;
  desk.classList.add("open");
  beside.focus({ preventScroll: true });
  (beside.querySelector("mark") || beside).scrollIntoView({ block: "nearest" });
  // On a phone the passage covers what is below: the sentence stays in sight above it.
  opener?.scrollIntoView({ block: "nearest" });
});

for (const kind of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(kind, (event) => {
    let text = "The server cannot be reached. Is it still running?";
    try { text = JSON.parse(event.detail.xhr.responseText).error; } catch { /* it said nothing */ }
    state.textContent = text;
  });
}
