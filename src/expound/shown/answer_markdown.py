"""A prediction as Markdown, to paste into a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

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
from expound.shown.passage_words import WIDEST, cells_of, first_words
from expound.text.plain import plain, plain_line
from expound.text.tables import as_markdown
from expound.types import Prediction, Sentence


def prediction_markdown(
    prediction: Prediction, *, sources: Literal["short", "full", "none"] = "short", explain: bool = False
) -> str:
    """The answer to paste into a document; with its sources by their first words, with what was quoted, or without."""
    return "\n".join(_lines(prediction, sources, explain))


def _lines(prediction: Prediction, sources: str, explain: bool) -> Iterator[str]:
    if direct := prediction.answer.direct:
        yield f"**{_escape(direct.text)}** {marks(direct.citations)}\n"
    for reading in prediction.interpretations:
        yield f"- {_escape(reading.question)} **{_escape(reading.answers[0])}** {marks(reading.citations)}"
    if prediction.interpretations:
        yield ""
    yield from (f"{block}\n" for block in _blocks(prediction.answer.sentences, prediction.answer.text))
    if prediction.abstained:
        yield from _nearest_lines(prediction)
    elif sources != "none":
        yield from _source_lines(prediction, with_quotes=sources == "full")
    if explain:
        yield "\n" + "\n".join(f"- {_escape(name)}: {_escape(value)}" for name, value in explanation(prediction))
    yield f"\n*{_escape(footer(prediction))}*"


def _blocks(entries: Sequence[Sentence], text: str) -> Iterator[str]:
    before: Sentence | None = None
    for is_prose, group in groupby(entries, key=lambda entry: entry.kind == "sentence"):
        block = list(group)
        if is_prose:
            yield "\n\n".join(paragraphs(block, text, _escape))
        else:
            yield from map(_block, block, [before, *block])
        before = block[-1]


def _block(entry: Sentence, before: Sentence | None) -> str:
    """A fenced block, a table or a list; its citations, unless they were just said."""
    cited_here = "" if before and before.citations == entry.citations else marks(entry.citations)
    if entry.kind == "code":
        # A fence is longer than any run of backticks in what it fences.
        longest = max((len(run) for run in re.findall("`+", entry.text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}\n{plain(entry.text)}\n{fence}\n\n{cited_here}".rstrip("\n")
    if entry.kind == "rows":
        header, *rows = (
            [_escape(cell).replace("\\|", "|") for cell in cells_of(line)] for line in entry.text.split("\n")
        )
        return f"{as_markdown(header, rows)}\n{cited_here}".rstrip("\n")
    return "\n".join(_escape(line) for line in entry.text.split("\n")) + f" {marks(entry.citations)}"


def _source_lines(prediction: Prediction, *, with_quotes: bool) -> Iterator[str]:
    # Without a line between them, the steps of an answer and its sources would be one list.
    yield "**Sources**\n"
    for item in list_cited(prediction):
        said = [f"“{_escape(plain_line(quote))}”" for quote in quotes(prediction, item.number)]
        words = " ".join(said if with_quotes else ()) or _escape(first_words(item.passage, WIDEST))
        yield f"{item.number}. {_escape(place_of(item))}: {words}"


def _nearest_lines(prediction: Prediction) -> Iterator[str]:
    yield say_nothing(prediction)
    found = nearest(prediction)
    if found:
        yield f"\n{NEAREST}\n"
    for item in found:
        yield f"{item.number}. {_escape(place_of(item))}: {_escape(first_words(item.passage, 2 * WIDEST))}"


def _escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    # Documents may hold Markdown of their own: pasted as it is, a heading of theirs would become one of the reader's.
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|" else char for char in plain(text))
