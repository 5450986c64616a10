"""A prediction as Markdown, to paste into a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from expound.cli.answer_pieces import (
    NEAREST,
    cited,
    explanation,
    footer,
    marks,
    nearest,
    nothing,
    paragraphs,
    place_of,
    quotes,
)
from expound.cli.passage_screen import WIDEST, cells_of, first_words
from expound.cli.question_options import ShownSources
from expound.text.plain import plain, plain_line
from expound.text.tables import as_markdown
from expound.types import Prediction, Sentence


def print_markdown(
    prediction: Prediction, *, sources: ShownSources = ShownSources.short, explain: bool = False
) -> None:
    """The answer to paste into a document."""
    if direct := prediction.answer.direct:
        print(f"**{_escaped(direct.text)}** {marks(direct.citations)}\n")
    for reading in prediction.interpretations:
        print(f"- {_escaped(reading.question)} **{_escaped(reading.answers[0])}** {marks(reading.citations)}")
    if prediction.interpretations:
        print()
    for block in _blocks(prediction.answer.sentences, prediction.answer.text):
        print(f"{block}\n")
    if prediction.abstained:
        _print_nearest(prediction)
    elif sources is not ShownSources.none:
        _print_sources(prediction, with_quotes=sources is ShownSources.full)
    if explain:
        print("\n" + "\n".join(f"- {_escaped(name)}: {_escaped(value)}" for name, value in explanation(prediction)))
    print(f"\n*{_escaped(footer(prediction))}*")


def _blocks(entries: Sequence[Sentence], text: str) -> Iterator[str]:
    before: Sentence | None = None
    for is_prose, group in groupby(entries, key=lambda entry: entry.kind == "sentence"):
        block = list(group)
        if is_prose:
            yield "\n\n".join(paragraphs(block, text, _escaped))
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
            [_escaped(cell).replace("\\|", "|") for cell in cells_of(line)] for line in entry.text.split("\n")
        )
        return f"{as_markdown(header, rows)}\n{cited_here}".rstrip("\n")
    return "\n".join(_escaped(line) for line in entry.text.split("\n")) + f" {marks(entry.citations)}"


def _print_sources(prediction: Prediction, *, with_quotes: bool) -> None:
    # Without a line between them, the steps of an answer and its sources would be one list.
    print("**Sources**\n")
    for item in cited(prediction):
        said = [f"“{_escaped(plain_line(quote))}”" for quote in quotes(prediction, item.number)]
        words = " ".join(said if with_quotes else ()) or _escaped(first_words(item.passage, WIDEST))
        print(f"{item.number}. {_escaped(place_of(item))}: {words}")


def _print_nearest(prediction: Prediction) -> None:
    print(nothing(prediction))
    found = nearest(prediction)
    if found:
        print(f"\n{NEAREST}\n")
    for item in found:
        print(f"{item.number}. {_escaped(place_of(item))}: {_escaped(first_words(item.passage, 2 * WIDEST))}")


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|" else char for char in plain(text))
