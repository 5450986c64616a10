// Keys without Ctrl or Alt, and the box that switches them off: who dictates, or slips, sets nothing off (WCAG 2.1.4).
"use strict";

const singleKeys = (() => {
  const KEPT = "expound-keys";
  const box = document.getElementById("keys");

  // A page from a disk or in a sandbox may have no memory: then the choice holds until the page is closed.
  function remember(act) {
    try { return act(localStorage); } catch { return null; }
  }

  if (box) {
    box.checked = remember((memory) => memory.getItem(KEPT)) !== "off";
    box.addEventListener("change", () => remember((memory) => memory.setItem(KEPT, box.checked ? "on" : "off")));
    box.parentElement.hidden = false; // without scripts there are no keys to switch off
  }
  return { areOn: () => !box || box.checked };
})();
