"""A judge as a page to read: its numbers, its audit, and the pairs on which it should not be believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from expound.files import write_whole
from expound.judge.court import JudgeReport
from expound.judge.judge_screen import audit_table, rows_table
from expound.judge.rulings import Ruling
from expound.pages.html import Html, escape, page, tag
from expound.pages.parts import fold, heading, paragraph, put_label, say_count, table

# More than anybody reads of a kind. A round figure: the files beside the judgments have all of them.
_MOST_SHOWN = 10


def write_judge_page(found: JudgeReport, path: Path) -> None:
    """The page in one file; nothing is half written."""
    with write_whole(path) as file:
        file.write(judge_page(found))


def judge_page(found: JudgeReport) -> str:
    """The whole page."""
    title = f"{found.judge!r} by {found.model}"
    body = [
        heading(1, title),
        paragraph(f"The judge {found.verdict}."),
        paragraph(
            "Points of a: 1 where its answer is preferred, 1/2 for a tie. A choice that changes with the order of the "
            "answers is a flip, and a tie. Brackets hold intervals of 95 %.",
            faint=True,
        ),
        table(*rows_table(found)),
        heading(2, "The audit"),
        paragraph(
            "A check fails or passes when its whole interval lies on one side of the bound; six pairs are the fewest.",
            faint=True,
        ),
        table(*audit_table(found)),
        *(part for name, chosen in _kinds(found.decisions).items() for part in _section(name, chosen)),
    ]
    return page(title, body)


def _kinds(decisions: Sequence[Ruling]) -> Mapping[str, list[Ruling]]:
    """What deserves a look, by kind."""
    belongs: Mapping[str, Callable[[Ruling], bool]] = {
        # A pair may stand under several headings: each of them is a reason of its own to look.
        "Against people": _is_against_people,
        "Flips": lambda one: one.is_flip,
        "Not to be read": lambda one: bool(one.unread),
    }
    # An answer that is rated alone has no other side to be preferred, and no order to flip with.
    pairs = [one for one in decisions if len(one.item.sides) > 1]
    return {name: [one for one in pairs if test(one)] for name, test in belongs.items()}


def _is_against_people(one: Ruling) -> bool:
    preferred = one.item.preferred(one.criterion)
    return preferred is not None and one.value in ("a", "b") and one.value != preferred


def _section(name: str, chosen: Sequence[Ruling]) -> Iterator[Html]:
    if chosen:
        yield heading(2, f"{name}: {say_count(len(chosen), 'pair')}")
        yield from map(_pair, chosen[:_MOST_SHOWN])


def _pair(one: Ruling) -> Html:
    replies = "; ".join(f"{heard.trial.shown}: {' / '.join(heard.replies)}" for heard in one.heard)
    sides = tag("div", *(_side(one, place) for place in range(len(one.item.sides))), class_="sides")
    return fold(one.item.question.text, [paragraph(f"By {one.criterion}. Replies, {replies}", faint=True), sides])


def _side(one: Ruling, place: int) -> Html:
    side, letter = one.item.sides[place], "ab"[place]
    said = [
        *(["preferred by the judge"] if one.value == letter else []),
        *(["preferred by people"] if one.item.preferred(one.criterion) == letter else []),
    ]
    return put_label(" – ".join([f"{letter}: {side.system}", *said]), escape(side.text))
