// The page where one asks: sends the question, shows its place in the queue, and sentences as they come.
"use strict";

const desk = document.querySelector(".desk");
const form = document.getElementById("ask");
const state = document.getElementById("state");
const answers = document.getElementById("answers");

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

async function ask(question, corpora, place) {
  const response = await send("/ask", { question, corpora, stream: true });
  if (!response.ok) throw new Error((await response.json()).error);
  const text = document.createElement("p");
  text.className = "prose";
  place.replaceChildren(text);
  for await (const [name, value] of eventsOf(response)) {
    if (name === "waiting") state.textContent = `${value.ahead} before yours: waiting …`;
    if (name === "begun") state.textContent = "Looking for an answer …";
    if (name === "remark") state.textContent = value.text;
    if (name === "sentence") text.append(`${value.text} `);
    if (name === "failed") throw new Error(value.error);
    if (name === "answer") {
      const shown = await fetch(`${desk.dataset.base}/answers/${value.answer_id}/shown`);
      place.innerHTML = await shown.text();
      state.textContent = "";
    }
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const corpora = [...form.querySelectorAll("input[name=corpora]:checked")].map((one) => one.value);
  const place = document.createElement("div");
  answers.prepend(place);
  try {
    await ask(form.elements.question.value, corpora, place);
  } catch (error) {
    place.remove();
    state.textContent = error.message;
  }
});
