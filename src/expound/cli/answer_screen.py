"""A prediction as a page of text: readings, paragraph, sources, and how it was made."""

from __future__ import annotations

from expound.cli import screen
from expound.text.plain import plain
from expound.types import Evidence, Prediction

NOTHING = "No answer: nothing in this corpus supports one."


def print_answer(prediction: Prediction) -> None:
    """The answer for a reader at a terminal."""
    from rich.padding import Padding
    from rich.text import Text

    console = screen.out()
    console.print()
    if prediction.abstained:
        console.print(Text(NOTHING))
    if prediction.interpretations:
        console.print(Text("The question has several readings", style="bold"))
        for reading in prediction.interpretations:
            line = Text("  • ").append(plain(reading.question)).append("  ")
            line.append(plain(reading.answers[0]), style="bold green")
            console.print(line.append(f" {_marks(reading.citations)}", style="cyan"))
        console.print()
    if prediction.answer.text:
        console.print(Padding(_paragraph(prediction), (0, 0, 1, 0)))
        console.print(Text("Sources", style="bold"))
    for item in cited(prediction):
        console.print(Text(f"  [{item.number}] ", style="cyan").append(plain(_place(item)), style="bold"))
        for sentence in _quotes(prediction, item.number):
            console.print(Padding(Text(f"“{plain(sentence)}”", style="dim"), (0, 0, 0, 6)))
    console.print()
    console.print(Text(plain(footer(prediction)), style="dim"))


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
        print(f"{item.number}. {_escaped(_place(item))}{': ' if quotes else ''}{quotes}")
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
    return f"corpus {corpora} · {prediction.system} · searched by {search} · {prediction.seconds:.2f} s"


def _paragraph(prediction: Prediction):  # type: ignore[no-untyped-def]  # rich is imported late
    from rich.text import Text

    paragraph = Text()
    for sentence in prediction.answer.sentences:
        paragraph.append(plain(sentence.text) + " ").append(_marks(sentence.citations), style="cyan").append(" ")
    return paragraph


def _marks(citations: tuple[int, ...]) -> str:
    return "".join(f"[{number}]" for number in citations)


def _place(item: Evidence) -> str:
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
