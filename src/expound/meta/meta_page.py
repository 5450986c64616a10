"""A meta-evaluation as a page to read: the table, the picture, and the worst disagreements with their texts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from expound.files import write_whole
from expound.meta.believed import facts_of, summary_table
from expound.meta.evaluation import HUMAN, Judged, Meta
from expound.meta.judged import JudgedAnswer, JudgedPair
from expound.pages.grid import grid
from expound.pages.html import Html, escape, page, tag
from expound.pages.parts import fold, heading, paragraph, put_label, table

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
        _summary(found),
        *(paragraph(fact) for fact in facts_of(found)),
        heading(2, "Metric against metric"),
        _picture(found),
        heading(2, "Cuts"),
        *_cuts(found),
        heading(2, "Worst disagreements"),
        *(part for source in found.sources for part in _worst(source)),
    ]
    return page(title, body)


def _summary(found: Meta) -> Html:
    """The table; a number and its interval stay on one line, where a column also has words that may break."""
    columns, rows = summary_table(found)
    return table(columns, [[_hold(cell) for cell in row] for row in rows])


def _picture(found: Meta) -> Html:
    """How often any two metrics rank alike; those without a number would only be empty rows of it."""
    alike = found.alike
    known = [place for place in range(len(alike.names)) if alike.counts[place, place]]
    shares = [[float(alike.shares[one, other]) for other in known] for one in known]
    names = [alike.names[place] for place in known]
    note = "Where one of the two has no preference, a pair counts half."
    return grid("Pairs ranked alike, in percent", names, shares, note=note)


def _hold(cell: object) -> object:
    # The brackets tell an interval from words.
    return cell.replace(" ", "\u00a0") if isinstance(cell, str) and cell.endswith("]") else cell


def _cuts(found: Meta) -> Iterator[Html]:
    """Every accuracy and correlation below the whole source, to open."""
    for source in found.sources:
        name = source.people.source
        rows = [
            [row.setting, row.metric, row.measure, f"{row.value:.3f}", _interval(row.low, row.high), row.n, row.ties]
            for row in found.rows
            # Small cuts often have no number at all, and a column of dashes hides those that have one.
            if row.source == name and row.setting != "all" and math.isfinite(row.value)
        ]
        if rows:
            yield fold(name, [table(["cut", "metric", "measure", "value", "interval", "n", "ties"], rows)])


def _interval(low: float, high: float) -> str:
    return "–" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def _worst(source: Judged) -> Iterator[Html]:
    """The pairs that most metrics get wrong, where people are surest."""
    # "Always human" reads no answer: that it is wrong says nothing of these two.
    leans = {name: lean for name, lean in source.leans.items() if name != HUMAN and name not in source.unscored}
    ranked = []
    for place, pair in enumerate(source.people.pairs):
        if pair.choice and pair.criterion == source.people.criteria[0]:
            wanted = 1 if pair.choice == "a" else -1
            wrong = [name for name, lean in leans.items() if lean[place] == -wanted]
            # By place in the end, so that two runs show the same ones.
            ranked.append((-len(wrong), -pair.votes[pair.choice], place, wrong))
    shown = [entry for entry in sorted(ranked)[:_MOST_SHOWN] if entry[3]]
    if shown:
        yield heading(3, source.people.source)
        for _, _, place, wrong in shown:
            yield _disagreement(source.people.pairs[place], wrong)


def _disagreement(pair: JudgedPair, wrong: list[str]) -> Html:
    said = ", ".join(f"{count} for {choice}" for choice, count in sorted(pair.votes.items()))
    sides = tag("div", *(_side(pair, side) for side in ("a", "b")), class_="sides")
    told = paragraph(f"People: {said}. Against them: {', '.join(wrong)}.", faint=True)
    return fold(pair.a.question.text or pair.a.question.id, [told, sides])


def _side(pair: JudgedPair, side: str) -> Html:
    answer: JudgedAnswer = pair.a if side == "a" else pair.b
    preferred = " – preferred by people" if pair.choice == side else ""
    return put_label(f"{side}: {answer.system or 'unnamed'}{preferred}", escape(answer.text))
