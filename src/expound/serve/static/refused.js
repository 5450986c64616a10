// What the server refused: its reason is shown where the answer would have been.
"use strict";

function tellRefusal(event) {
  const target = event.detail.target || event.detail.elt;
  let text = "The server cannot be reached.";
  try { text = JSON.parse(event.detail.xhr.responseText).error; } catch { /* no answer of ours */ }
  target.textContent = text;
}

document.body.addEventListener("htmx:responseError", tellRefusal);
document.body.addEventListener("htmx:sendError", tellRefusal);
