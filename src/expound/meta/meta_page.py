"""A meta-evaluation as a page to read: the table, the picture, and the worst disagreements with their texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from expound.agreement.forest import forest
from expound.files import write_whole
from expound.meta.believed import absent_from, fact_of, source_table, unordered_of
from expound.meta.evaluation import HUMAN, RANDOM, Judged, Meta
from expound.meta.judged import JudgedAnswer, JudgedPair, People
from expound.meta.meta_rows import ACCURACY, P_VALUE, MetaRow
from expound.pages.grid import grid
from expound.pages.html import Html, escape, page, tag
from expound.pages.parts import fold, heading, paragraph, put_label, table
from expound.stats.p_values import shown_p
from expound.stats.proportions import Figure

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

# More than anybody reads of a source. Round figures: the JSON has every row.
_MOST_SHOWN = 10
_RULES = {
    "half": "a metric that gives both answers one number gets half a point",
    "wrong": "a metric that gives both answers one number is wrong",
    "out": "pairs to whose answers a metric gives one number are left out of its accuracy",
}


def write_page(found: Meta, path: Path) -> None:
    """The page in one file; nothing is half written."""
    with write_whole(path) as file:
        file.write(meta_page(found))


def meta_page(found: Meta) -> str:
    """The whole page."""
    title = "Metrics and people"
    body = [
        heading(1, title),
        paragraph(
            "Accuracy: the share of pairs in which a metric prefers the answer that most raters prefer; "
            f"{_RULES[found.ties]}. Pairs on which raters are split or see no difference are left out. Brackets hold "
            "intervals of 95 %, in which a question with several pairs counts as one; "
            "p is of the exact sign test over questions against Length, after Holm's correction.",
            faint=True,
        ),
        *(part for source in found.sources for part in _section(found, source)),
        *(paragraph(fact) for fact in unordered_of(found)),
        heading(2, "Metric against metric"),
        _picture(found),
        heading(2, "Cuts"),
        *_cuts(found),
        heading(2, "Worst disagreements"),
        *(part for source in found.sources for part in _worst(source)),
    ]
    return page(title, body)


def _section(found: Meta, source: Judged) -> Iterator[Html]:
    """A source: what can be said of it, its numbers, and how sure they are."""
    # First what all the numbers come to: most readers of a table look for it.
    yield heading(2, source.people.source)
    yield paragraph(fact_of(found, source))
    columns, rows = source_table(found, source)
    yield table(columns, [[_hold(cell) for cell in row] for row in rows])
    yield from (paragraph(told, faint=True) for told in absent_from(source))
    yield _accuracies(found, source.people.source)


def _accuracies(found: Meta, source: str) -> Html:
    """The accuracies as a picture; a coin's has no interval, and is the line that others should lie beyond."""
    rows = [row for row in found.of(source, ACCURACY) if row.metric != RANDOM]
    known = {row.metric: Figure(row.value, row.low, row.high, row.n) for row in rows}
    return forest(f"Accuracy on {source} (0.5 is chance)", known)


def _picture(found: Meta) -> Html:
    """How often any two metrics rank alike; those without a number would only be empty rows of it."""
    alike = found.alike
    known = [place for place in range(len(alike.names)) if alike.counts[place, place]]
    shares = [[float(alike.shares[one, other]) for other in known] for one in known]
    names = [alike.names[place] for place in known]
    note = "Where one of the two has no preference, a pair counts half."
    return grid("Pairs ranked alike, in percent", names, shares, note=note)


def _hold(cell: object) -> object:
    """A cell as the page shows it: an interval stays on one line, and a count is read by its commas."""
    if isinstance(cell, int):
        return f"{cell:,}"
    # The brackets tell an interval from words.
    return cell.replace(" ", "\u00a0") if isinstance(cell, str) and cell.endswith("]") else cell


def _cuts(found: Meta) -> Iterator[Html]:
    """Every accuracy and correlation below the whole source, to open."""
    for source in found.sources:
        name = source.people.source
        rows = [
            [row.setting, row.metric, row.measure, _value(row), _interval(row.low, row.high), row.n, row.ties]
            for row in found.rows
            # Small cuts often have no number at all, and a column of dashes hides those that have one.
            if row.source == name and row.setting != "all" and math.isfinite(row.value)
        ]
        if rows:
            yield fold(name, [table(["cut", "metric", "measure", "value", "interval", "n", "ties"], rows)])


def _value(row: MetaRow) -> str:
    # A p-value is never 0.
    return shown_p(row.value) if row.measure == P_VALUE else f"{row.value:.3f}"


def _interval(low: float, high: float) -> str:
    return "–" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def _worst(source: Judged) -> Iterator[Html]:
    """The pairs that most metrics get wrong, where people are surest; of each question the worst."""
    # "Always human" reads no answer: that it is wrong says nothing of these two.
    leans = {name: lean for name, lean in source.leans.items() if name != HUMAN and name not in source.unscored}
    worst: dict[str, tuple[JudgedPair, list[str]]] = {}
    for pair, wrong in _rank_wrong(source.people, leans):
        # Two pairs of one question mostly share an answer: ten questions tell more than ten pairs.
        worst.setdefault(pair.a.question.id, (pair, wrong))
    if worst:
        yield heading(3, source.people.source, f"worst {source.people.source}")
        for pair, wrong in list(worst.values())[:_MOST_SHOWN]:
            yield _disagreement(pair, wrong, of=len(leans))


def _rank_wrong(people: People, leans: Mapping[str, Numbers]) -> Iterator[tuple[JudgedPair, list[str]]]:
    """Pairs with the metrics that are against people, most of them first."""
    ranked = []
    for place, pair in enumerate(people.pairs):
        if pair.choice and pair.criterion == people.criteria[0]:
            wanted = 1 if pair.choice == "a" else -1
            wrong = [name for name, lean in leans.items() if lean[place] == -wanted]
            # By place in the end, so that two runs show the same ones.
            ranked.append((-len(wrong), -pair.votes[pair.choice], place, wrong))
    yield from ((people.pairs[place], wrong) for _, _, place, wrong in sorted(ranked) if wrong)


def _disagreement(pair: JudgedPair, wrong: list[str], *, of: int) -> Html:
    said = ", ".join(f"{count} for {choice}" for choice, count in sorted(pair.votes.items()))
    sides = tag("div", *(_side(pair, side) for side in ("a", "b")), class_="sides")
    told = paragraph(f"People: {said}. Against them: {', '.join(wrong)}.", faint=True)
    asked = pair.a.question.text or pair.a.question.id
    return fold(f"{asked} – {len(wrong)} of {of} against people", [told, sides])


def _side(pair: JudgedPair, side: str) -> Html:
    answer: JudgedAnswer = pair.a if side == "a" else pair.b
    preferred = " – preferred by people" if pair.choice == side else ""
    return put_label(f"{side}: {answer.system or 'unnamed'}{preferred}", escape(answer.text))
