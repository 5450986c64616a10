"""A prediction as a page of text: the answer, its readings and sources, what is nearest if there is no answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from expound.cli.passage_screen import (
    ScreenLine,
    code_lines,
    first_lines,
    print_lines,
    row_lines,
    screen_width,
    show,
    step_lines,
)
from expound.cli.question_options import ShownSources
from expound.shown.answer_pieces import (
    NEAREST,
    explanation,
    footer,
    list_cited,
    marks,
    nearest,
    paragraphs,
    place_of,
    quotes,
    say_nothing,
)
from expound.shown.passage_words import first_words
from expound.types import Evidence, Prediction, Sentence

_NEAREST_LINES = 2  # as much as tells whether to open the file
_BESIDE_NUMBER = " " * 6


def print_answer(prediction: Prediction, *, sources: ShownSources = ShownSources.short, explain: bool = False) -> None:
    """The answer for a reader at a terminal."""
    if direct := prediction.answer.direct:
        show(f"{direct.text} {marks(direct.citations)}", style="bold")
        show("")
    _print_readings(prediction)
    _print_entries(prediction.answer.sentences, prediction.answer.text)
    if prediction.abstained:
        _print_nothing(prediction)
    elif sources is not ShownSources.none:
        _print_sources(prediction, with_quotes=sources is ShownSources.full)
    if explain:
        _print_explanation(prediction)
    show("\n" + footer(prediction), style="dim")


def _print_readings(prediction: Prediction) -> None:
    # One reading is the question as it was asked, and says nothing that the answer does not.
    if len(prediction.interpretations) < 2:
        return
    show("The question has several readings", style="bold")
    for reading in prediction.interpretations:
        answer = reading.answers[0]
        show(f"{reading.question}  {answer} {marks(reading.citations)}", first="  • ", rest="    ", bold=answer)
    show("")


def _print_entries(entries: Sequence[Sentence], text: str) -> None:
    """Sentences as paragraphs; steps, code and rows on lines of their own, set apart."""
    is_first = True
    before: Sentence | None = None
    for is_prose, group in groupby(entries, key=lambda entry: entry.kind == "sentence"):
        # Sentences that follow one another are folded together; every block of code or steps stands alone.
        for block in [list(group)] if is_prose else ([entry] for entry in group):
            if not is_first:
                show("")
            if is_prose:
                show("\n\n".join(paragraphs(block, text)))
            else:
                _print_block(block[0], before)
            is_first, before = False, block[-1]


def _print_block(entry: Sentence, before: Sentence | None) -> None:
    """Steps end with their citations; code can be copied, so its citations stand below it, unless just said."""
    if entry.kind == "steps":
        lines = step_lines(f"{entry.text} {marks(entry.citations)}", screen_width())
        return print_lines(lines)
    rows = entry.kind == "rows"
    print_lines(row_lines(entry.text, screen_width()) if rows else code_lines(entry.text))
    # Below the code and not behind it: whoever copies it must not copy a citation.
    if before is None or before.citations != entry.citations:
        show(marks(entry.citations), first="  " if rows else "    ")
    return None


def _print_nothing(prediction: Prediction) -> None:
    """That there is no answer, and what comes nearest: a passage that may help all the same."""
    show(say_nothing(prediction))
    found = nearest(prediction)
    if found:
        show(f"\n{NEAREST}", style="bold")
    for item in found:
        print_place(item)
        lines = first_lines(item.passage, screen_width() - len(_BESIDE_NUMBER), _NEAREST_LINES)
        print_lines(lines, indent=_BESIDE_NUMBER, style="dim")


def _print_sources(prediction: Prediction, *, with_quotes: bool) -> None:
    """Where each cited passage stands and how it begins; or what is quoted from it."""
    if not (items := list_cited(prediction)):
        return
    show("\nSources", style="bold")
    for item in items:
        print_place(item)
        said = quotes(prediction, item.number) if with_quotes else []
        for quote in said:
            show(f"“{quote}”", first=_BESIDE_NUMBER, rest=_BESIDE_NUMBER, style="dim")
        if not said:
            words = first_words(item.passage, screen_width() - len(_BESIDE_NUMBER))
            print_lines([ScreenLine(words, "dim")], indent=_BESIDE_NUMBER)


def print_place(item: Evidence) -> None:
    """The number of a source and its place."""
    mark = f"[{item.number}]"
    show(f"{mark} {place_of(item)}", first="  ", rest="  " + " " * (len(mark) + 1))


def _print_explanation(prediction: Prediction) -> None:
    show("\nHow it was made", style="bold")
    rows = list(explanation(prediction))
    widest = max(len(name) for name, _ in rows)
    for name, value in rows:
        show(f"{name:<{widest}}  {value}", first="  ", rest=" " * (widest + 4))
