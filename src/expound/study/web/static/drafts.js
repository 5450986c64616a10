// Drafts: what is filled in is sent while one works, kept in the page until the server has it, and sent again.
"use strict";

(() => {
  const form = document.getElementById("answers");
  const state = document.getElementById("draft-state");
  const PAUSE = 1000, LONGEST_WAIT = 15000; // milliseconds: after the last key, and between two tries
  const OF_THE_PAGE = ["token", "submission", "version", "seconds"];
  const KEPT = form && `expound ${form.dataset.draft}`;
  let timer = 0, wait = PAUSE, change = 0, isAsking = false, isLeaving = false, isDirty = false;

  if (!form) return;
  takeUp();
  form.addEventListener("input", note);
  // Whoever is faster than the network has filled something in before this script came.
  if ([...form.elements].some((one) => one.checked !== one.defaultChecked || (one.type === "textarea" && one.value !== one.defaultValue))) note();
  form.addEventListener("submit", leave);
  window.addEventListener("online", () => { if (isDirty) send(); });
  window.addEventListener("pagehide", () => {
    if (isDirty && !isLeaving) navigator.sendBeacon(form.dataset.draft, new FormData(form));
  });
  // The browser's own copy of a page may be older than what is saved.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  function note() {
    change += 1;
    isDirty = true;
    keep();
    tell("Not saved yet");
    later(PAUSE);
  }

  function later(pause) {
    clearTimeout(timer);
    timer = setTimeout(send, pause);
  }

  async function send() {
    clearTimeout(timer);
    if (isLeaving) return;
    const sent = change;
    tell("Saving…");
    const status = await post();
    if (sent !== change || isLeaving) return; // a later change speaks for itself
    if (status === 200) { saved(); return; }
    tell(`Not saved: ${REASONS[status] || REASONS.other}`, true);
    if (WAYS_ON[status]) state.append(" ", wayOn(WAYS_ON[status]));
    if (!(status in FINAL)) { later(wait); wait = Math.min(wait * 2, LONGEST_WAIT); }
  }

  const KEEPS = "What you filled in is kept in this page";
  const FINAL = { 401: true, 403: true, 404: true, 409: true };
  const REASONS = {
    0: `the server does not answer. ${KEEPS} and sent again.`,
    401: `you are signed out. ${KEEPS}.`,
    403: `this page is out of date. ${KEEPS}.`,
    404: "this item is no longer yours.",
    409: "these answers were changed in another tab. Load this page again to see them.",
    429: `too much was sent. ${KEEPS} and sent again.`,
    other: `the server has a problem. ${KEEPS} and sent again.`,
  };

  // In the same tab, which has what was filled in; the page asks for the code by itself where that is missing.
  const WAYS_ON = { 401: "Enter your code", 403: "Load it again" };

  function wayOn(words) {
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = words;
    return link;
  }

  async function post() {
    try {
      return (await fetch(form.dataset.draft, { method: "POST", body: new FormData(form) })).status;
    } catch {
      return 0;
    }
  }

  function saved() {
    isDirty = false;
    wait = PAUSE;
    sessionStorage.removeItem(KEPT);
    tell("Draft saved");
  }

  function tell(text, isBad = false) {
    state.textContent = text;
    state.classList.toggle("problem", isBad);
  }

  // -- leaving: only while the server answers, so that no error page takes the place of what was filled in

  async function leave(event) {
    if (isLeaving) return;
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    keep();
    clearTimeout(timer);
    const canLeave = await isThere();
    isAsking = false;
    if (!canLeave) {
      tell(`Not saved: ${REASONS[0]}`, true);
      isDirty = true;
      later(wait);
      return;
    }
    isLeaving = true;
    form.requestSubmit(event.submitter);
    // Later than the submit itself: a disabled button would not be sent.
    setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }), 0);
  }

  async function isThere() {
    try {
      return (await fetch(form.dataset.health, { cache: "no-store" })).ok;
    } catch {
      return false;
    }
  }

  // -- what is kept belongs to one tab, ends with it, and is dropped as soon as the server has it

  function keep() {
    const filled = [...new FormData(form)].filter(([name]) => !OF_THE_PAGE.includes(name));
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ version: form.elements.version.value, filled }));
    } catch {
      // A browser that is full or keeps nothing: what is filled in is still in the page, and is sent as ever.
    }
  }

  function takeUp() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
    sessionStorage.removeItem(KEPT);
    if (!kept || kept.version !== form.elements.version.value || state.dataset.isAnswered) return;
    fillIn(kept.filled);
    note();
  }

  function fillIn(filled) {
    const values = {};
    for (const [name, value] of filled) (values[name] ||= []).push(value);
    for (const name of Object.keys(values)) addRows(name, values[name].length);
    const places = {};
    for (const element of form.elements) {
      if (!element.name || OF_THE_PAGE.includes(element.name) || element.type === "submit") continue;
      const given = values[element.name] || [];
      if (element.type === "radio" || element.type === "checkbox") element.checked = given.includes(element.value);
      else element.value = given[places[element.name] = (places[element.name] ?? -1) + 1] ?? "";
    }
    form.dispatchEvent(new CustomEvent("filled"));
  }

  function addRows(name, count) {
    const rows = form.querySelector(`[data-rows] [name="${CSS.escape(name)}"]`)?.closest("[data-rows]");
    const more = rows?.parentElement.querySelector("[data-add-row]");
    for (let missing = count - form.querySelectorAll(`[name="${CSS.escape(name)}"]`).length; more && missing > 0; missing -= 1) more.click();
  }
})();
