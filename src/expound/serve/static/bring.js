// Documents dropped on the page, sent one by one with how much of each is there; and pages named by their address.
"use strict";

const drop = document.getElementById("drop");

function documents() {
  return document.getElementById("documents");
}

function sendFile(file) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `${desk.dataset.base}/documents/${encodeURIComponent(file.name)}`);
    request.setRequestHeader(desk.dataset.header, desk.dataset.token);
    request.upload.onprogress = (event) => {
      const share = event.lengthComputable ? ` ${Math.round((100 * event.loaded) / event.total)} %` : "";
      document.getElementById("sending").textContent = `Sending ${file.name}${share}`;
    };
    request.onload = () => (request.status < 300 ? resolve() : reject(new Error(reason(request))));
    request.onerror = () => reject(new Error(`${file.name} was not sent: the server cannot be reached.`));
    request.send(file);
  });
}

function reason(request) {
  try { return JSON.parse(request.responseText).error; } catch { return "The document is too large."; }
}

async function bringAll(files) {
  for (const file of files) {
    if (file.size > Number(drop.dataset.most)) {
      state.textContent = `${file.name} is larger than ${drop.dataset.most >> 20} MB.`;
      continue;
    }
    try {
      await sendFile(file);
    } catch (error) {
      state.textContent = error.message;
    }
  }
  await refresh();
}

async function refresh() {
  const shown = await fetch(`${desk.dataset.base}/documents`);
  documents().outerHTML = await shown.text();
  htmx.process(documents());
  settle();
}

// Once reading is over, the visitor's own documents can be asked.
function settle() {
  const own = document.getElementById("own");
  const hasSome = documents().querySelector(".files li") !== null && !("busy" in documents().dataset);
  if (hasSome && own.hidden) own.querySelector("input").checked = true;
  if (hasSome || !documents().querySelector(".files li")) own.hidden = !hasSome;
}

document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id === "documents" || event.detail.target?.id === "documents") settle();
});

// What was asked for is in the list now; the box is free for the next address.
document.body.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt.id === "by-address" && event.detail.successful) event.detail.elt.reset();
});

document.addEventListener("change", (event) => {
  if (event.target.id === "files") bringAll([...event.target.files]);
});

for (const kind of ["dragover", "drop", "dragleave"]) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
    if (kind === "drop") bringAll([...event.dataTransfer.files]);
  });
}
