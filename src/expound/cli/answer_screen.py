"""A prediction as a page of text: readings, paragraph, sources, and how it was made."""

from __future__ import annotations

import textwrap

from expound.cli import screen
from expound.text.plain import plain
from expound.types import Evidence, Prediction

NOTHING = "No answer: nothing in this corpus supports one."
_WIDEST = 100


def print_answer(prediction: Prediction) -> None:
    """The answer for a reader at a terminal."""
    if prediction.abstained:
        show(NOTHING)
    if len(prediction.interpretations) > 1:
        show("The question has several readings", style="bold")
        for reading in prediction.interpretations:
            marks = _marks(reading.citations)
            show(
                f"{reading.question}  {reading.answers[0]} {marks}", first="  • ", rest="    ", bold=reading.answers[0]
            )
        show("")
    if prediction.answer.text:
        show(" ".join(f"{sentence.text} {_marks(sentence.citations)}" for sentence in prediction.answer.sentences))
        show("\nSources", style="bold")
    for item in cited(prediction):
        show(f"[{item.number}] {place_of(item)}", first="  ", rest="      ")
        for sentence in _quotes(prediction, item.number):
            show(f"“{sentence}”", first="      ", rest="      ", style="dim")
    show("\n" + footer(prediction), style="dim")


def show(text: str, *, first: str = "", rest: str = "", style: str = "", bold: str = "") -> None:
    """Text folded to the width of the screen, with a hanging indent and coloured citations."""
    from rich.text import Text

    console = screen.out()
    width = min(console.width, _WIDEST)
    for paragraph in plain(text).split("\n"):
        folded = textwrap.fill(paragraph, width, initial_indent=first, subsequent_indent=rest) if paragraph else ""
        shown = Text(folded, style=style)
        shown.highlight_regex(r"\[\d+\]", "cyan")
        if bold:
            shown.highlight_words([plain(bold)], "bold green")
        console.print(shown, soft_wrap=True)


def print_markdown(prediction: Prediction) -> None:
    """The answer to paste into a document."""
    if prediction.abstained:
        print(NOTHING)
    for reading in prediction.interpretations:
        print(f"- {_escaped(reading.question)} **{_escaped(reading.answers[0])}** {_marks(reading.citations)}")
    if prediction.interpretations:
        print()
    if prediction.answer.text:
        print(" ".join(f"{_escaped(s.text)} {_marks(s.citations)}" for s in prediction.answer.sentences) + "\n")
    for item in cited(prediction):
        quotes = " ".join(f"“{_escaped(sentence)}”" for sentence in _quotes(prediction, item.number))
        print(f"{item.number}. {_escaped(place_of(item))}{': ' if quotes else ''}{quotes}")
    print(f"\n*{_escaped(footer(prediction))}*")


def cited(prediction: Prediction) -> list[Evidence]:
    """The evidence that the answer or a reading cites, in order of number."""
    numbers = {number for sentence in prediction.answer.sentences for number in sentence.citations}
    numbers |= {number for reading in prediction.interpretations for number in reading.citations}
    return [item for item in prediction.evidence if item.number in numbers]


def footer(prediction: Prediction) -> str:
    """Which corpus and which answerer, and how long it took."""
    search = "words and meaning" if prediction.meta.get("embedder") else "words only"
    corpora = ", ".join(prediction.meta.get("corpora", ()))
    system = " with ".join(filter(None, (prediction.system, prediction.meta.get("model"))))
    return f"corpus {corpora} · {system} · searched by {search} · {prediction.seconds:.2f} s"


def _marks(citations: tuple[int, ...]) -> str:
    return "".join(f"[{number}]" for number in citations)


def place_of(item: Evidence) -> str:
    """Title, file or address, and the page or heading of a passage."""
    source = item.passage.source
    spot = f", page {source.page}" if source.page else f", “{source.heading}”" if source.heading else ""
    where = source.url or source.file
    return (
        f"{item.passage.title or item.passage.id} ({where}{spot})" if where else item.passage.title or item.passage.id
    )


def _quotes(prediction: Prediction, number: int) -> list[str]:
    return [sentence.source_text for sentence in prediction.answer.sentences if number in sentence.citations]


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|" else char for char in plain(text))
