// What a page does by itself: keys for every choice, active time, lines that can be added.
"use strict";

const form = document.getElementById("answers");
const IDLE_SECONDS = 60;

function isWriting(element) {
  return element.matches("textarea, select, input:not([type=radio]):not([type=checkbox])");
}

document.addEventListener("keydown", (event) => {
  if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  if (!singleKeys.areOn() || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
  const choice = nextChoice([...document.querySelectorAll(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`)]);
  if (!choice) return;
  event.preventDefault();
  if (!choice.dataset.label) choice.focus();
  choice.click();
});

// One key means one side in every comparison of a page: it goes to the one in hand, then to the next that is open.
function nextChoice(choices) {
  const isOpen = (choice) => !choice.closest("fieldset")?.querySelector("input:checked:not([value=''])");
  const isInHand = (choice) => choice.closest("fieldset")?.contains(document.activeElement);
  return choices.find((one) => isInHand(one) && isOpen(one)) || choices.find(isOpen) || choices.find(isInHand) || choices[0];
}

if (form) countActiveTime(form);

function countActiveTime(form) {
  let seconds = Number(form.dataset.seconds) || 0;
  let lastSign = Date.now();
  for (const kind of ["pointermove", "keydown", "scroll", "touchstart"]) {
    document.addEventListener(kind, () => { lastSign = Date.now(); }, { passive: true });
  }
  setInterval(() => {
    if (document.hidden || Date.now() - lastSign > IDLE_SECONDS * 1000) return;
    seconds += 1;
    form.elements.seconds.value = String(seconds);
  }, 1000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if ("addRow" in button.dataset) addRow(button.parentElement.querySelector("[data-rows]"));
});

function addRow(rows) {
  const row = rows.lastElementChild.cloneNode(true);
  row.querySelectorAll("textarea").forEach((area) => { area.value = ""; });
  row.setAttribute("aria-label", `Line ${rows.children.length + 1}`);
  rows.append(row);
  row.querySelector("textarea").focus();
}
