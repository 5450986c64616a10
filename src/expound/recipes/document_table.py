"""Answers about documents as a recipe: every figure with its interval, for all questions, by kind and by group."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expound.datasets.predictions import PREDICTIONS
from expound.recipes.document_answers import OURS, SYSTEMS, Asked, Outcome, Outcomes, Trial, outcomes_of
from expound.recipes.findings import Finding, Row, Values
from expound.recipes.printing import Sheet, cell_of
from expound.recipes.shape import Ingredients, Measurement, Recipe
from expound.records import prediction_record, write_records
from expound.stats.proportions import Figure, pooled_figure, ratio

ALL = "all"
_SEED = 15  # that of the tables in recipes/README.md, which can be had again

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
class JudgedAnswers:
    """Every question with its answers, and what each system's are worth."""

    asked: Sequence[Asked]
    outcomes: Outcomes


@dataclass(frozen=True)
class QuestionGroup:
    """A system on some of the questions: all of them, those of a kind, or those of a group."""

    system: str
    by: str
    group: str
    places: tuple[int, ...]


def document_recipe(name: str, title: str, ask: Callable[[Ingredients], Sequence[Asked]]) -> Recipe[JudgedAnswers]:
    """A recipe that asks questions of documents and sets our answers beside the first passages."""

    def prepare(given: Ingredients) -> JudgedAnswers:
        asked = ask(given)
        return JudgedAnswers(asked, outcomes_of(asked))

    return Recipe(
        name=name,
        title=title,
        prepare=prepare,
        more_rows=rows_of,
        run_row=run_group,
        tables=tables_of,
        record=lambda findings: list(map(_record, findings)),
        searches=True,
        keep=keep_answers,
    )


def rows_of(data: JudgedAnswers) -> list[Row]:
    """All systems on all questions, on every kind of question and on every group."""
    trials = [item.trial for item in data.asked]
    return [
        Row(system, how=QuestionGroup(system, by, group, places))
        for by, group, places in _groups(trials)
        for system in SYSTEMS
    ]


def _groups(trials: Sequence[Trial]) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    yield ALL, ALL, tuple(range(len(trials)))
    for by in ("kind", "group"):
        names = [trial.kind if by == "kind" else trial.group for trial in trials]
        if by == "group" and len(set(names)) < 2:  # the same row as that of all
            continue
        for name in sorted(set(names)):
            yield by, name, tuple(place for place, own in enumerate(names) if own == name)


def run_group(data: JudgedAnswers, row: Row) -> Values:
    """Shares in percent, words a given answer, the most words, and how many direct answers."""
    part: QuestionGroup = row.how
    outcomes = [data.outcomes[part.system][place] for place in part.places]
    return {
        "n": len(outcomes),
        **{name: _figure(outcomes, count, 100) for name, count in _PERCENT.items()},
        **{name: _figure(outcomes, count, 1) for name, count in _WORDS.items()},
        "most words": max((one.words for one in outcomes), default=0),
        "directs": sum(one.direct is not None for one in outcomes),
    }


def _figure(outcomes: Sequence[Outcome], count: Count, scale: int) -> Figure:
    import numpy as np

    # As sums over counts: a bootstrap draws questions, and of each draw only those that count are divided by.
    pairs = [(scale * value * counts, counts) for value, counts in map(count, outcomes)]
    figure = pooled_figure(np.asarray(pairs, dtype=np.float64).reshape(-1, 2), ratio, seed=_SEED)
    return Figure(figure.value, figure.low, figure.high, sum(counts for _, counts in pairs))


# -- what is printed and kept


def tables_of(findings: Sequence[Finding]) -> list[Sheet]:
    """Two tables: the systems on all questions, and the answer by kind and group beside the baselines' good ones."""
    overall = [finding for finding in findings if finding.row.how.by == ALL]
    # A column of which no question counts, such as refusals where all can be answered, is left out.
    names = [name for name in (*_PERCENT, *_WORDS) if any(_figure_of(finding, name).n for finding in overall)]
    good = {_key(finding): _figure_of(finding, "good") for finding in findings}
    ours = [finding for finding in findings if finding.row.name == OURS and finding.row.how.by != ALL]
    others, headings = SYSTEMS[1:], ["n", *names, "most words"]
    by_group: list[list[object]] = [
        [f"{by}: {group}", *_cells(finding, names), *(_plain(good[by, group, name]) for name in others)]
        for finding in ours
        for by, group, _ in [_key(finding)]
    ]
    return [
        (["system", *headings], [[finding.row.name, *_cells(finding, names)] for finding in overall]),
        (["questions", *headings, *(f"good, {name}" for name in others)], by_group),
    ]


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.row.how.by, finding.row.how.group, finding.row.name


def _figure_of(finding: Finding, name: str) -> Figure:
    figure = finding.values[name]
    assert isinstance(figure, Figure)
    return figure


def _cells(finding: Finding, names: Sequence[str]) -> list[object]:
    return [finding.values["n"], *(_cell(finding, name) for name in names), finding.values["most words"]]


def _cell(finding: Finding, name: str) -> str:
    """A figure with its interval; of direct answers also how many there are."""
    figure = _figure_of(finding, name)
    of = f" of {finding.values['directs']}" if name == "direct right" else ""
    return f"{cell_of(figure)}{of}" if figure.n else ""


def _plain(figure: Figure) -> str:
    return f"{figure.value:.1f}" if figure.n else ""


def _record(finding: Finding) -> dict[str, Any]:
    """A row for programs; a figure of no question is left out."""
    part, values = finding.row.how, finding.values
    return {
        "system": part.system,
        "by": part.by,
        "group": part.group,
        "n": values["n"],
        "figures": {name: values[name] for name in (*_PERCENT, *_WORDS) if _figure_of(finding, name).n},
        "most_words": values["most words"],
        "directs": values["directs"],
    }


def keep_answers(data: JudgedAnswers, done: Measurement, out: Path) -> None:
    """The answers, with what was found to be damaged in them."""
    predictions = (prediction_record(item.prediction) for item in data.asked)
    write_records(out / PREDICTIONS, predictions, spec={"recipe": done.title})
    judgments = (asdict(one) | {"id": item.trial.id} for item, one in zip(data.asked, data.outcomes[OURS], strict=True))
    (out / "judgments.jsonl").write_text("".join(json.dumps(line) + "\n" for line in judgments), encoding="utf-8")
