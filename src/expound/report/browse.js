"use strict";
// Browses the answers of a report. Texts reach the page as text alone: nothing here makes HTML of a string.
(function () {
  const PREPARED = 2000; // questions: the texts of more are unpacked only for who wants to search
  const LISTED = 200; // more links than anybody scrolls through make every key slow
  const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
  const at = (id) => document.getElementById(id);
  const chunks = new Map();
  let index, shown = [], current = -1, haystacks = null, distributions = new Map();

  function make(name, attributes, ...content) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    for (const part of content) element.append(part instanceof Node ? part : clean(part));
    return element;
  }

  function clean(text) { return String(text).replace(UNSEEN, "\ufffd"); }

  async function unpack(text) {
    const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // A report has a hundred million letters of these: new browsers decode them at once, and a loop beats a callback.
  function bytesOf(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
    return bytes;
  }

  function chunk(name) {
    if (!chunks.has(name)) chunks.set(name, packed(name).then(unpack));
    return chunks.get(name);
  }

  function packed(name) {
    const here = at("data-" + name);
    return here ? Promise.resolve(here.textContent) : load(name);
  }

  // A report in a folder: each file hands its chunk to this function.
  const waiting = new Map();
  window.expoundChunk = (name, text) => waiting.get(name)(text);
  function load(name) {
    return new Promise((resolve, reject) => {
      waiting.set(name, resolve);
      const script = make("script", { src: name + ".js" });
      script.onerror = () => reject(new Error(name + ".js is not beside this page"));
      document.body.append(script);
    });
  }

  async function part(kind, size, place) {
    return (await chunk(kind + "-" + Math.floor(place / size)))[place % size];
  }

  // Everything that can be searched, lower-cased, a text a question; made at the first search.
  function searchable() {
    haystacks = haystacks || gatherTexts();
    return haystacks;
  }

  async function gatherTexts() {
    const count = Math.ceil(index.ids.length / index.answersInChunk);
    const parts = await Promise.all(Array.from({ length: count }, (_, n) => chunk("answers-" + n)));
    return parts.flat().map((row, place) => [
      index.ids[place], index.questions[place], ...row.references,
      ...row.answers.filter(Boolean).flatMap((answer) => answer.sentences.map((sentence) => sentence[0])),
    ].join("\n").toLowerCase());
  }

  const chosen = (id) => Number(at(id).value);
  const score = (system, place) => index.systems[system].scores[chosen("metric")][place];
  const orZero = (value) => value === null || value === undefined ? 0 : value;

  function sortKey(order, a, b) {
    const none = Infinity; // what cannot be compared comes last
    const keys = {
      lost: (n) => score(a, n) === null || score(b, n) === null ? none : score(a, n) - score(b, n),
      low: (n) => score(a, n) === null ? none : score(a, n),
      long: (n) => -orZero(index.systems[a].words[n]),
      unsupported: (n) => -orZero(index.unsupported[a][n]),
      votes: (n) => -index.votes[n],
      disagree: (n) => -index.choices[n].filter(([liked, other]) => orZero(score(liked, n)) < orZero(score(other, n))).length,
    };
    return keys[order];
  }

  function keeps(filter, a, b) {
    const has = (system, n) => index.systems[system].words[n] !== null;
    const tests = {
      both: (n) => has(a, n) && has(b, n),
      unsupported: (n) => orZero(index.unsupported[a][n]) > 0,
      checks: (n) => index.systems[a].checks[n] > 0,
      empty: (n) => !index.systems[a].words[n],
      votes: (n) => index.votes[n] > 0,
    };
    return tests[filter] || (() => true);
  }

  async function choose() {
    const a = chosen("first"), b = chosen("second");
    const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = words.length ? await searchable() : null;
    const domain = at("domain") ? at("domain").value : null;
    const fits = domain === null || !at("domain").selectedIndex ? () => true : (n) => index.domains[n] === domain;
    const kept = keeps(at("filter").value, a, b), key = sortKey(at("order").value, a, b);
    shown = index.ids.map((_, n) => n).filter((n) => kept(n) && fits(n) && words.every((word) => texts[n].includes(word)));
    if (key) {
      const keys = new Map(shown.map((n) => [n, key(n)]));
      shown.sort((one, other) => keys.get(one) - keys.get(other) || one - other);
    }
    document.body.dataset.shown = String(shown.length);
  }

  function drawList() {
    const place = Math.max(0, shown.indexOf(current));
    const start = Math.max(0, Math.min(place - LISTED / 2, shown.length - LISTED));
    const rows = shown.slice(start, start + LISTED).map((n) => {
      const link = make("a", { href: "#q=" + encodeURIComponent(index.ids[n]) }, index.questions[n]);
      if (n === current) link.setAttribute("aria-current", "true");
      const value = score(chosen("first"), n);
      if (value !== null) link.append(make("span", { class: "faint" }, value.toFixed(1)));
      return make("li", {}, link);
    });
    at("list").replaceChildren(...rows);
    const link = at("list").querySelector("[aria-current]");
    if (link) at("list").scrollTop = link.offsetTop - at("list").offsetTop - 60;
    // A question that does not fit would look like what was found.
    at("question").hidden = !shown.length;
    const where = shown.indexOf(current);
    at("place").textContent = shown.length ? (where < 0 ? "–" : where + 1) + " of " + shown.length : "no question fits";
  }

  // The share of the system's questions with a lower score, those with the same counted half.
  function placeOf(system, metric, value) {
    const key = system + " " + metric;
    if (!distributions.has(key)) {
      distributions.set(key, index.systems[system].scores[metric].filter((one) => one !== null).sort((x, y) => x - y));
    }
    const all = distributions.get(key);
    const below = all.filter((one) => one < value).length, same = all.filter((one) => one === value).length;
    return Math.round(100 * (below + same / 2) / all.length);
  }

  function scoreTable(system, n) {
    const rows = index.metrics.flatMap((name, metric) => {
      const value = index.systems[system].scores[metric][n];
      if (value === null) return [];
      const place = placeOf(system, metric, value);
      const meter = make("meter", { min: "0", max: "100", value: place, "aria-label": "place among all questions" });
      const said = make("td", {}, meter, " above " + place + " %");
      return [make("tr", {}, make("th", {}, name), make("td", { class: "number" }, value.toFixed(1)), said)];
    });
    return make("table", { class: "scores" }, make("tbody", {}, ...rows));
  }

  function readings(list, title) {
    if (!list.length) return [];
    const items = list.map(([question, answers]) => make("li", {}, question + " ", make("strong", {}, answers.join(" / "))));
    return [make("details", {}, make("summary", {}, title + ": " + list.length), make("ul", {}, ...items))];
  }

  function said(answer, system) {
    return answer.sentences.flatMap(([text, numbers, supported]) => {
      const sentence = make("span", {}, text);
      if (supported === false) {
        sentence.className = "unsupported";
        sentence.title = "no passage that it cites says this, by its words";
      }
      const cites = numbers.map((number) => {
        const button = make("button", { type: "button", class: "cite", "aria-label": "passage " + number }, "[" + number + "]");
        button.addEventListener("click", () => openPassage(system, number));
        return button;
      });
      return [sentence, ...cites, " "];
    });
  }

  function marked(text, spans) {
    const parts = [];
    let end = 0;
    for (const [start, stop] of spans || []) {
      if (start < end) continue;
      parts.push(text.slice(end, start), make("mark", {}, text.slice(start, stop)));
      end = stop;
    }
    return [...parts, text.slice(end)];
  }

  function passages(answer, kept, system) {
    return answer.evidence.map(([number, place]) => {
      const [title, text] = kept[place];
      const box = make("details", { id: "passage-" + system + "-" + number },
        make("summary", {}, "[" + number + "] " + title),
        make("div", { class: "text" }, ...marked(text, answer.marks[number])));
      return box;
    });
  }

  function openPassage(system, number) {
    const box = at("passage-" + system + "-" + number);
    if (!box) return;
    box.open = true;
    (box.querySelector("mark") || box).scrollIntoView({ block: "center" });
  }

  function answerBox(answer, kept, system, n) {
    const about = index.systems[system], title = make("h3", {}, about.letter + ": " + about.name);
    const words = make("p", { class: "faint" }, about.words[n] + " words"
      + (answer.seconds ? ", " + answer.seconds + " s" : "")
      + (index.unsupported[system][n] ? ", " + index.unsupported[system][n] + " unsupported" : ""));
    const text = answer.error ? [make("p", { class: "fail" }, "failed: " + answer.error)]
      : [make("p", { class: "said" }, ...(answer.sentences.length ? said(answer, system) : ["No answer."]))];
    const checks = answer.checks.length
      ? [make("ul", { class: "checks", "aria-label": "checks that this answer fails" }, ...answer.checks.map((one) => make("li", {}, one)))] : [];
    const direct = answer.direct ? [make("p", {}, make("strong", {}, answer.direct))] : [];
    return make("section", { class: "answer" }, title, words, ...direct, ...text, ...checks, scoreTable(system, n),
      ...readings(answer.readings, "Readings"), ...passages(answer, kept, system));
  }

  function vote([rater, criterion, a, b, choice, value, comment]) {
    const preferred = { a: a, b: b, tie: "neither" }[choice];
    const what = choice ? "prefers " + preferred + " (" + a + " / " + b + ")" : a + ": " + JSON.stringify(value);
    return make("li", {}, rater + ", " + criterion + ": " + what + (comment ? ". " + comment : ""));
  }

  async function draw(n) {
    current = n;
    const [row, kept] = await Promise.all([
      part("answers", index.answersInChunk, n), part("passages", index.passagesInChunk, n)]);
    if (current !== n) return; // another was asked for meanwhile
    const boxes = row.answers.map((answer, system) => answer && answerBox(answer, kept, system, n)).filter(Boolean);
    const references = row.references.map((text) => make("p", { class: "part text" }, text));
    const more = references.length
      ? [make("details", {}, make("summary", {}, "References: " + references.length), ...references)] : [];
    const votes = row.votes.length
      ? [make("details", { open: "" }, make("summary", {}, "People: " + row.votes.length), make("ul", {}, ...row.votes.map(vote)))] : [];
    at("question").replaceChildren(
      make("h3", {}, index.questions[n]),
      make("p", { class: "faint" }, make("a", { href: "#q=" + encodeURIComponent(index.ids[n]) }, index.ids[n])),
      ...readings(row.readings, "Readings in the dataset"), ...more, ...votes,
      make("div", { class: "answers" }, ...boxes));
    drawList();
    at("question").hidden = false; // asked for by its link, whether it fits or not
    document.body.dataset.drawn = index.ids[n];
  }

  function go(n) {
    const link = "#q=" + encodeURIComponent(index.ids[n]);
    if (location.hash === link) draw(n).catch(tell);
    else location.hash = link; // draws through the event, and makes Back work
  }

  function step(by) {
    const place = shown.indexOf(current) + by;
    if (place >= 0 && place < shown.length) go(shown[place]);
  }

  async function update() {
    await choose();
    if (shown.length && !shown.includes(current)) await draw(shown[0]);
    else drawList();
    document.body.dataset.updated = String(Number(document.body.dataset.updated || 0) + 1);
  }

  function linked() {
    const match = /^#q=(.*)$/.exec(location.hash);
    if (!match) return -1;
    try { return index.ids.indexOf(decodeURIComponent(match[1])); } catch { return -1; }
  }

  function typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target === at("search")) return at("search").blur();
    if (!singleKeys.areOn() || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
    const moves = { j: () => step(1), k: () => step(-1), "/": () => { event.preventDefault(); at("search").focus(); } };
    if (moves[event.key]) moves[event.key]();
  }

  async function begin() {
    index = await chunk("index");
    at("browser").hidden = false;
    at("unscripted").hidden = true;
    at("controls").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["filter", "domain", "order", "first", "second", "metric"].filter(at)) {
      at(id).addEventListener("change", async () => { await choose(); if (shown.length) go(shown[0]); else drawList(); });
    }
    at("search").addEventListener("focus", () => searchable().catch(tell));
    at("search").addEventListener("input", () => update().catch(tell));
    at("previous").addEventListener("click", () => step(-1));
    at("next").addEventListener("click", () => step(1));
    document.addEventListener("keydown", typed);
    window.addEventListener("hashchange", () => { const n = linked(); if (n >= 0) draw(n).catch(tell); });
    await choose();
    const n = linked();
    if (index.ids.length) await draw(n >= 0 ? n : shown[0]);
    if (n >= 0) at("browse").scrollIntoView();
    if (index.ids.length <= PREPARED && window.requestIdleCallback) window.requestIdleCallback(() => searchable().catch(tell));
  }

  function tell(error) {
    at("browser").before(make("p", { class: "fail", role: "alert" }, "The answers cannot be shown: " + error.message));
  }

  begin().catch(tell);
})();
