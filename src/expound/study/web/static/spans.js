// Marking words: choose a label, then mark words by dragging, by tapping the first and the last one, or by keys.
"use strict";

(() => {
  const fields = [...document.querySelectorAll("[data-spans]")];
  const texts = [...document.querySelectorAll("[data-text]")];
  if (!fields.length || !texts.length) return;
  const form = fields[0].closest("form");
  const says = fields[0].parentElement.querySelector("[data-says]");
  let active = null; // the button of the label that is being marked with
  let first = null; // the word from which a mark goes, once one was tapped
  let isDragged = false;

  texts.forEach(cutIntoWords);
  fields.forEach((field) => { field.hidden = true; });
  form.addEventListener("filled", show);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-label]");
    if (button) choose(button);
    const remove = event.target.closest("button[data-remove]");
    if (remove) takeAway(remove);
    const word = event.target.closest(".word");
    // The click that ends a drag comes before or after its mark is made.
    if (word && !isDragged && window.getSelection().isCollapsed) tap(word);
  });
  document.addEventListener("pointerdown", () => { isDragged = false; });
  document.addEventListener("pointerup", () => setTimeout(markSelection, 0));
  show();

  // -- words: offsets are counted in characters as the server counts them, not in halves of them

  function cutIntoWords(text) {
    const content = text.textContent;
    const length = (part) => [...part].length;
    text.textContent = "";
    for (const part of content.split(/(\s+)/)) {
      if (!part) continue;
      if (/^\s/.test(part)) { text.append(part); continue; }
      const word = document.createElement("span");
      word.className = "word";
      word.textContent = part;
      word.dataset.place = text.dataset.text;
      text.append(word);
    }
    let at = 0;
    for (const node of text.childNodes) {
      if (node.dataset) { node.dataset.start = at; node.dataset.end = at + length(node.textContent); }
      at += length(node.textContent);
    }
    const start = text.querySelector(".word");
    if (start) start.tabIndex = 0;
    text.addEventListener("keydown", move);
    text.addEventListener("pointerdown", letSelect);
  }

  // Chromium begins no selection at the edge of something that can have the focus: while the mouse is down, no word can.
  function letSelect(event) {
    const stop = event.currentTarget.querySelector(".word[tabindex]");
    if (!stop || event.pointerType !== "mouse") return;
    stop.removeAttribute("tabindex");
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { stop.tabIndex = 0; }, { once: true });
  }

  function wordsOf(place) {
    return [...document.querySelectorAll(`.word[data-place="${place}"]`)];
  }

  // -- keys: arrows go from word to word, with Shift they take words along, Enter marks

  function move(event) {
    const word = event.target.closest(".word");
    if (!word) return;
    const words = wordsOf(word.dataset.place);
    const step = { ArrowRight: 1, ArrowDown: 10, ArrowLeft: -1, ArrowUp: -10 }[event.key];
    if (step) {
      event.preventDefault();
      if (event.shiftKey && !first) first = word;
      if (!event.shiftKey) first = null;
      const next = words[Math.min(Math.max(words.indexOf(word) + step, 0), words.length - 1)];
      next.tabIndex = 0;
      next.focus();
      words.forEach((one) => { if (one !== next) one.removeAttribute("tabindex"); });
      colour();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      mark(first || word, word);
    } else if (event.key === "Escape") {
      first = null;
      colour();
    }
  }

  // -- taps and drags

  function tap(word) {
    if (!active) { say("Choose a label first."); return; }
    if (first && first.dataset.place === word.dataset.place) mark(first, word);
    else { first = word; colour(); say("Now the last word. The same word again marks it alone."); }
  }

  function markSelection() {
    const selection = window.getSelection();
    if (!active || !selection || selection.isCollapsed) return;
    const words = texts.flatMap((text) => wordsOf(text.dataset.text)).filter((word) => selection.containsNode(word, true));
    const place = words[0]?.dataset.place;
    const inside = words.filter((word) => word.dataset.place === place);
    selection.removeAllRanges();
    if (!inside.length) return;
    isDragged = true;
    mark(inside[0], inside[inside.length - 1]);
  }

  function choose(button) {
    active = active === button ? null : button;
    form.querySelectorAll("button[data-label]").forEach((one) => one.setAttribute("aria-pressed", String(one === active)));
    say(active ? `Marking: ${button.dataset.label}. Select words, or tap the first and the last one.` : "");
    if (active) markSelection();
  }

  function mark(one, other) {
    if (!active) { say("Choose a label first."); return; }
    const [start, end] = Number(one.dataset.start) <= Number(other.dataset.start) ? [one, other] : [other, one];
    const words = wordsOf(start.dataset.place);
    const text = [...start.closest("[data-text]").textContent];
    const field = active.closest("fieldset").querySelector("[data-spans]");
    const span = { label: active.dataset.value, place: Number(start.dataset.place), start: Number(start.dataset.start), end: Number(end.dataset.end) };
    span.quote = text.slice(span.start, span.end).join("");
    first = null;
    const isThere = read(field).some((other) => Object.keys(span).every((name) => other[name] === span[name]));
    if (!isThere) write(field, [...read(field), span]);
    else colour();
    const count = words.indexOf(end) - words.indexOf(start) + 1;
    say(`Marked as ${active.dataset.label}: ${count} word${count === 1 ? "" : "s"}.`);
  }

  function takeAway(button) {
    const field = button.closest("fieldset").querySelector("[data-spans]");
    write(field, read(field).filter((_, number) => number !== Number(button.dataset.remove)));
    say("Removed.");
  }

  // -- the field holds a line of JSON for each mark

  function read(field) {
    return field.value.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  }

  function write(field, spans) {
    field.value = spans.map((span) => JSON.stringify(span)).join("\n");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    show();
  }

  function show() {
    for (const field of fields) {
      const list = field.closest("fieldset").querySelector("[data-marks]");
      list.replaceChildren(...read(field).map(entry(field)));
    }
    colour();
  }

  function entry(field) {
    return (span, number) => {
      const line = document.createElement("li");
      const button = document.createElement("button");
      const label = labelOf(field, span.label);
      button.type = "button";
      button.className = "quiet small";
      button.dataset.remove = number;
      button.textContent = "Remove";
      button.setAttribute("aria-label", `Remove the mark ${label?.dataset.label ?? span.label} on ${span.quote.slice(0, 40)}`);
      line.append(`${label?.dataset.label ?? span.label}: “${span.quote}” `, button);
      return line;
    };
  }

  function labelOf(field, value) {
    return [...field.closest("fieldset").querySelectorAll("button[data-label]")].find((one) => one.dataset.value === value);
  }

  // Overlapping marks lie below one another: a stripe for each.
  function colour() {
    const marks = fields.flatMap((field) => read(field).map((span) => ({ ...span, hue: labelOf(field, span.label)?.dataset.hue ?? 0 })));
    for (const word of document.querySelectorAll(".word")) {
      const on = marks.filter((span) => String(span.place) === word.dataset.place && span.start < Number(word.dataset.end) && span.end > Number(word.dataset.start));
      word.style.boxShadow = on.map((span, depth) => `inset 0 -${3 * (depth + 1)}px var(--hue-${span.hue})`).join(", ");
      word.classList.toggle("marked", on.length > 0);
      word.classList.toggle("begun", isBegun(word));
    }
  }

  function isBegun(word) {
    if (!first || first.dataset.place !== word.dataset.place) return false;
    const here = document.activeElement?.closest?.(".word") || first;
    const [low, high] = [Number(first.dataset.start), Number(here.dataset.start)].sort((a, b) => a - b);
    return Number(word.dataset.start) >= low && Number(word.dataset.start) <= high;
  }

  function say(text) {
    if (says) says.textContent = text;
  }
})();
