"""The page of a report in Chromium: seconds of a processor to make it, to open it, to search, to filter and to sort.

    .venv/bin/python benchmarks/report_page.py [--questions 20000]
    .venv/bin/python benchmarks/report_page.py --asqa asqa_dev.json.gz --outputs outputs.jsonl.gz

With `--outputs`, real answers (`id`, `system`, `output` a line) to ASQA's questions; without, made ones. Seconds are
those of a processor in the page's main thread; `clock` is how long opening takes. Fails when what is done after the
first search takes a tenth of a second, or opening the real ones takes two.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from expound.report import ReportRequest, report, write_report

PASSAGES = 5
MOST_AFTERWARDS = 0.1  # seconds: what one types or chooses answers at once
MOST_OPENING = 2.0
WAIT_MILLISECONDS = 600_000


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--questions", type=int, default=20_000)
    arguments.add_argument("--asqa", type=Path)
    arguments.add_argument("--outputs", type=Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        is_real = given.outputs is not None
        request = real(folder, given.asqa, given.outputs) if is_real else made(folder, given.questions)
        before = time.process_time()
        page = write_report(report(request), folder / "report.html")
        print(f"made in {time.process_time() - before:.0f} CPU-s, {page.stat().st_size / 1e6:.1f} MB")
        measured = measure(page, "simon" if is_real else "word12")
    for what, seconds in measured.items():
        print(f"{what}: {seconds:.2f} s")
    slow = [what for what in ("next search", "order", "filter", "next question") if measured[what] >= MOST_AFTERWARDS]
    if slow or (is_real and measured["clock"] >= MOST_OPENING):
        sys.exit(f"too slow: {', '.join(slow) or 'opening'}")


def measure(page_file: Path, word: str) -> dict[str, float]:
    """Seconds of the page's main thread for each thing that one does; `clock` is the wall time until it can be read."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(WAIT_MILLISECONDS)
        metrics = page.context.new_cdp_session(page)
        metrics.send("Performance.enable")

        def timed(what: str, act: Callable[[], Any]) -> None:
            before = _busy(metrics)
            act()
            measured[what] = _busy(metrics) - before

        started = time.perf_counter()
        page.goto(page_file.as_uri())
        page.locator("body[data-drawn]").wait_for()
        # From the first moment on: the page has a process of its own.
        measured = {"open": _busy(metrics), "clock": time.perf_counter() - started}
        page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
        timed("first search", lambda: _search(page, word, 1))
        timed("next search", lambda: _search(page, f"{word} wh", 2))
        _search(page, "", 3)
        timed("order", lambda: _choose(page, "Order", "long"))
        timed("filter", lambda: _choose(page, "Show", "unsupported"))
        _choose(page, "Show", "all")
        timed("next question", lambda: _step(page))
        browser.close()
    return measured


def _busy(metrics: Any) -> float:
    found = {one["name"]: one["value"] for one in metrics.send("Performance.getMetrics")["metrics"]}
    return float(found["ThreadTime"])


def _search(page: Any, words: str, count: int) -> None:
    page.locator("#search").fill(words)
    page.locator(f"body[data-updated='{count}']").wait_for()


def _choose(page: Any, label: str, value: str) -> None:
    page.get_by_label(label).select_option(value)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def _step(page: Any) -> None:
    before = page.evaluate("document.body.dataset.drawn")
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("(before) => document.body.dataset.drawn !== before", arg=before)


def made(folder: Path, count: int) -> ReportRequest:
    """Two systems, answers of a hundred words and five passages of as many."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(5000)]
    texts = [" ".join(draw.choices(words, k=100)).capitalize() + "." for _ in range(2000)]
    questions = folder / "questions.jsonl"
    with questions.open("w", encoding="utf-8") as file:
        for number in range(count):
            answers = [[draw.choice(words)], [draw.choice(words)]]
            readings = [{"question": f"What is {number}?", "answers": answer} for answer in answers]
            row = {"id": f"q{number}", "question": f"Why is {number} so?", "references": [draw.choice(texts)]}
            file.write(json.dumps({**row, "interpretations": readings}) + "\n")
    files = [folder / f"{name}.jsonl" for name in ("one", "two")]
    for path in files:
        with path.open("w", encoding="utf-8") as file:
            for number in range(count):
                passages = [("", text) for text in draw.sample(texts, PASSAGES)]
                file.write(json.dumps(prediction(f"q{number}", draw.choice(texts), passages)) + "\n")
    return ReportRequest(sources=files, dataset=f"qa:{questions}", metrics=("StrEm()", "Length()"))


def real(folder: Path, asqa: Path, outputs: Path) -> ReportRequest:
    """A file a system, with the passages that the dataset has for a question."""
    passages = dict(knowledge(asqa))
    systems: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(outputs, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            systems[row["system"]].append(prediction(row["id"], row["output"], passages[row["id"]]))
    files = [folder / f"{name.replace('/', '-')}.jsonl" for name in systems]
    for path, rows in zip(files, systems.values(), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return ReportRequest(sources=files, dataset=f"asqa:{asqa}", allow_missing=True)


def knowledge(asqa: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Five passages for every question of the development set: its own, then those of the questions before it."""
    latest: list[tuple[str, str]] = []
    with gzip.open(asqa, "rt", encoding="utf-8") as file:
        for id, row in json.load(file)["dev"].items():
            found = [one for note in row["annotations"] for one in note["knowledge"] if one["content"]]
            latest = [*((one.get("wikipage") or "", one["content"]) for one in found), *latest][:PASSAGES]
            yield id, latest


def prediction(id: str, text: str, passages: list[tuple[str, str]]) -> dict[str, Any]:
    evidence = [
        {"number": place, "id": f"{id}-{place}", "title": title, "text": passage, "score": 1.0}
        for place, (title, passage) in enumerate(passages, start=1)
    ]
    return {"id": id, "question": "", "answer": {"text": text}, "evidence": evidence, "abstained": not text}


if __name__ == "__main__":
    main()
