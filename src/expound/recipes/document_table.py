"""Outcomes as a table: every figure with its interval, for all questions, by kind and by group."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expound.recipes.document_answers import OURS, SYSTEMS, Asked, Case, Outcome, judged
from expound.records import prediction_record, write_records
from expound.runs.folder import PREDICTIONS
from expound.stats.proportions import Figure, pooled_figure, ratio
from expound.text.tables import as_markdown

_SEED = 15
ALL = "all"

# What is counted in a question, and whether the question counts at all.
Count = Callable[[Outcome], tuple[float, bool]]
_PERCENT: Mapping[str, Count] = {
    "good": lambda one: (one.is_good, one.is_answerable),
    "recall": lambda one: (one.recall, one.is_answerable),
    "silent": lambda one: (one.is_silent, one.is_answerable),
    "refused": lambda one: (one.is_silent, not one.is_answerable),
    "debris": lambda one: (bool(one.damages), not one.is_silent),
    "direct right": lambda one: (one.direct is True, one.direct is not None),
}
_WORDS: Mapping[str, Count] = {
    "words": lambda one: (one.words, not one.is_silent),
    "prose": lambda one: (one.prose_words, not one.is_silent),
}


@dataclass(frozen=True)
class Row:
    """A system on some of the questions: shares in percent, words a given answer, the most words, how many direct."""

    system: str
    by: str
    group: str
    n: int
    figures: Mapping[str, Figure]
    most_words: int
    directs: int


def rows_of(asked: Sequence[Asked]) -> list[Row]:
    """All systems on all questions, on every kind of question and on every group."""
    cases, outcomes = [item.case for item in asked], judged(asked)
    return [
        _row(system, by, group, [outcomes[system][place] for place in places])
        for by, group, places in _groups(cases)
        for system in SYSTEMS
    ]


def _groups(cases: Sequence[Case]) -> Iterator[tuple[str, str, list[int]]]:
    yield ALL, ALL, list(range(len(cases)))
    for by in ("kind", "group"):
        names = [case.kind if by == "kind" else case.group for case in cases]
        if by == "group" and len(set(names)) < 2:  # the same row as that of all
            continue
        for name in sorted(set(names)):
            yield by, name, [place for place, own in enumerate(names) if own == name]


def _row(system: str, by: str, group: str, outcomes: Sequence[Outcome]) -> Row:
    return Row(
        system=system,
        by=by,
        group=group,
        n=len(outcomes),
        figures={name: _figure(outcomes, count, 100) for name, count in _PERCENT.items()}
        | {name: _figure(outcomes, count, 1) for name, count in _WORDS.items()},
        most_words=max((one.words for one in outcomes), default=0),
        directs=sum(one.direct is not None for one in outcomes),
    )


def _figure(outcomes: Sequence[Outcome], count: Count, scale: int) -> Figure:
    import numpy as np

    pairs = [(scale * value * counts, counts) for value, counts in map(count, outcomes)]
    figure = pooled_figure(np.asarray(pairs, dtype=np.float64).reshape(-1, 2), ratio, seed=_SEED)
    return Figure(figure.value, figure.low, figure.high, sum(counts for _, counts in pairs))


# -- what is printed and kept


def keep(out: Path, title: str, asked: Sequence[Asked], rows: Sequence[Row]) -> None:
    """The answers with what was found to be damaged in them, and the table for people and for programs."""
    out.mkdir(parents=True, exist_ok=True)
    write_records(out / PREDICTIONS, (prediction_record(item.prediction) for item in asked), spec={"recipe": title})
    judgments = (asdict(one) | {"id": item.case.id} for item, one in zip(asked, judged(asked)[OURS], strict=True))
    (out / "judgments.jsonl").write_text("".join(json.dumps(line) + "\n" for line in judgments), encoding="utf-8")
    (out / "table.json").write_text(json.dumps(as_json(rows), indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(markdown(title, rows), encoding="utf-8")


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows for programs; a figure of no question has none."""
    return [
        asdict(row) | {"figures": {name: asdict(figure) for name, figure in row.figures.items() if figure.n}}
        for row in rows
    ]


def markdown(title: str, rows: Sequence[Row]) -> str:
    """Two tables: the systems on all questions, and the answer by kind and group beside the baselines' good ones."""
    overall = [row for row in rows if row.by == ALL]
    names = [name for name in (*_PERCENT, *_WORDS) if any(row.figures[name].n for row in overall)]
    systems = as_markdown(["system", "n", *names, "most words"], [_cells(row, row.system, names) for row in overall])
    return f"### {title}\n\n{systems}\n{_by_group(rows, names)}"


def _by_group(rows: Sequence[Row], names: Sequence[str]) -> str:
    others = SYSTEMS[1:]
    good = {(row.by, row.group, row.system): row.figures["good"] for row in rows}
    lines = [
        [*_cells(row, f"{row.by}: {row.group}", names), *(_plain(good[row.by, row.group, name]) for name in others)]
        for row in rows
        if row.system == OURS and row.by != ALL
    ]
    return as_markdown(["questions", "n", *names, "most words", *(f"good, {name}" for name in others)], lines)


def _cells(row: Row, label: str, names: Sequence[str]) -> list[object]:
    return [label, row.n, *(_shown(name, row) for name in names), row.most_words]


def _shown(name: str, row: Row) -> str:
    figure = row.figures[name]
    if not figure.n:
        return ""
    of = f" of {row.directs}" if name == "direct right" else ""
    return f"{figure.value:.1f} ({figure.low:.1f}–{figure.high:.1f}){of}"


def _plain(figure: Figure) -> str:
    return f"{figure.value:.1f}" if figure.n else ""
