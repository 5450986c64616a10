"""`build contexts`: ambiguous questions with a context passage for each reading, from the pages annotators viewed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from expound.build.building import Report
from expound.build.contexts import NONE, ContextRules, ViewedPages, viewed_titles, with_contexts
from expound.corpus.library import open_corpora
from expound.datasets.spec import open_dataset
from expound.errors import BuildBusy, UserError
from expound.files import check_folder, hold_lock
from expound.records import question_record, write_records
from expound.types import Passage, Question

FILE = "contexts.jsonl"
# A reading alone is no ambiguity; ASQA has only questions with several.
_LEAST_READINGS = 2
_TELL_EVERY = 10_000  # passages: a few times a second


@dataclass(frozen=True)
class ContextRequest:
    """The questions, the corpora that hold the pages, and the rules."""

    dataset: str
    corpus: Sequence[str] = ()
    rules: ContextRules = field(default_factory=ContextRules)


def build_contexts(request: ContextRequest, out: Path, *, report: Report | None = None) -> dict[str, int]:
    """Write `contexts.jsonl` (layout `qa`) and count what was found; the corpus is read once, as a stream."""
    check_folder(out)
    questions = list(open_dataset(request.dataset))
    # Before anything is made: what is refused leaves no folder behind.
    viewed = read_viewed(questions, _passages(request.corpus, report))
    with hold_lock(out / ".lock", busy=BuildBusy(f"another process is building {out}; wait until it ends")):
        counts: Counter[str] = Counter()
        records = _records(questions, viewed, request.rules, counts)
        write_records(out / FILE, records, spec={"dataset": request.dataset, "rules": repr(request.rules)})
    return dict(counts)


def read_viewed(questions: Sequence[Question], passages: Iterator[Passage]) -> ViewedPages:
    """The paragraphs of every page that was viewed for one of the questions."""
    titles = frozenset(chain.from_iterable(map(viewed_titles, questions)))
    if not titles:
        raise UserError(
            "no question says which pages its annotators viewed: ASQA's file has them (`wikipages`), "
            "and of AmbigNQ the full version (`viewed_doc_titles`)"
        )
    viewed = ViewedPages(titles)
    viewed.read(passages)
    return viewed


def _records(
    questions: Sequence[Question], viewed: ViewedPages, rules: ContextRules, counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    for question in questions:
        if len(question.interpretations) < _LEAST_READINGS:
            counts["questions of one reading, left out"] += 1
            continue
        paragraphs = viewed.of(question)
        contexts = [viewed.context(reading, paragraphs, rules) for reading in question.interpretations]
        found = sum(context is not NONE for context in contexts)
        counts.update(
            {
                "questions": 1,
                "questions whose pages the corpus lacks": int(not paragraphs),
                "readings": len(contexts),
                "readings with a context": found,
            }
        )
        yield question_record(replace(question, **with_contexts(question, contexts)))


def _passages(specs: Sequence[str], report: Report | None) -> Iterator[Passage]:
    for corpus in open_corpora(specs):
        total = corpus.store.count()
        for done, (_, passage) in enumerate(corpus.store.iter_passages()):
            if report and done % _TELL_EVERY == 0:
                report("reading pages", done, total)
            yield passage
        corpus.close()
