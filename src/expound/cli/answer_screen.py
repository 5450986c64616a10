"""A prediction as a page of text: the answer, its readings and sources, what is nearest if there is no answer."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from expound.answer.copied import COPIED
from expound.cli import screen
from expound.cli.passage_screen import (
    WIDEST,
    Line,
    cells_of,
    code_lines,
    first_lines,
    first_words,
    print_lines,
    row_lines,
    screen_width,
    step_lines,
)
from expound.cli.question_options import Sources
from expound.text.genre import RECORDS
from expound.text.plain import plain, plain_line
from expound.types import Evidence, Passage, Prediction, Sentence

NOTHING = "No answer: nothing in {} supports one."
NEAREST = "Nearest passages, which may not answer it:"
_NEAREST_SHOWN = 3
_NEAREST_LINES = 2
_BESIDE_NUMBER = " " * 6


def print_answer(prediction: Prediction, *, sources: Sources = Sources.short, explain: bool = False) -> None:
    """The answer for a reader at a terminal."""
    if direct := prediction.answer.direct:
        show(f"{direct.text} {_marks(direct.citations)}", style="bold")
        show("")
    _print_readings(prediction)
    _print_entries(prediction.answer.sentences, prediction.answer.text)
    if prediction.abstained:
        _print_nothing(prediction)
    elif sources is not Sources.none:
        _print_sources(prediction, with_quotes=sources is Sources.full)
    if explain:
        _print_explanation(prediction)
    show("\n" + footer(prediction), style="dim")


def show(text: str, *, first: str = "", rest: str = "", style: str = "", bold: str = "") -> None:
    """Text folded to the width of the screen, with a hanging indent and coloured citations."""
    from rich.text import Text

    for paragraph in plain(text).split("\n"):
        folded = (
            textwrap.fill(paragraph, screen_width(), initial_indent=first, subsequent_indent=rest) if paragraph else ""
        )
        shown = Text(folded, style=style)
        shown.highlight_regex(r"\[\d+\]", "cyan")
        if bold:
            shown.highlight_words([plain(bold)], "bold green")
        screen.out().print(shown, soft_wrap=True)


def _print_readings(prediction: Prediction) -> None:
    if len(prediction.interpretations) < 2:
        return
    show("The question has several readings", style="bold")
    for reading in prediction.interpretations:
        answer = reading.answers[0]
        show(f"{reading.question}  {answer} {_marks(reading.citations)}", first="  • ", rest="    ", bold=answer)
    show("")


def _print_entries(entries: Sequence[Sentence], text: str) -> None:
    """Sentences as paragraphs; steps, code and rows on lines of their own, set apart."""
    is_first = True
    before: Sentence | None = None
    for is_prose, group in groupby(entries, key=lambda entry: entry.kind == "sentence"):
        for block in [list(group)] if is_prose else ([entry] for entry in group):
            if not is_first:
                show("")
            if is_prose:
                show("\n\n".join(paragraphs(block, text)))
            else:
                _print_block(block[0], before)
            is_first, before = False, block[-1]


def paragraphs(sentences: Sequence[Sentence], text: str, shown: Callable[[str], str] = str) -> list[str]:
    """Sentences as the paragraphs of the answer's text; citations are said once where several in a row are the same."""
    found: list[str] = []
    for place, sentence in enumerate(sentences):
        before = sentences[place - 1] if place else None
        after = sentences[place + 1] if place + 1 < len(sentences) else None
        marks = "" if after and after.citations == sentence.citations else f" {_marks(sentence.citations)}"
        if before and f"{before.text} {sentence.text}" in text:
            found[-1] += f" {shown(sentence.text)}{marks}"
        else:
            found.append(f"{shown(sentence.text)}{marks}")
    return found


def _print_block(entry: Sentence, before: Sentence | None) -> None:
    """Steps end with their citations; code can be copied, so its citations stand below it, unless just said."""
    if entry.kind == "steps":
        lines = step_lines(f"{entry.text} {_marks(entry.citations)}", screen_width())
        return print_lines(lines)
    rows = entry.kind == "rows"
    print_lines(row_lines(entry.text, screen_width()) if rows else code_lines(entry.text))
    if before is None or before.citations != entry.citations:
        show(_marks(entry.citations), first="  " if rows else "    ")
    return None


def _print_nothing(prediction: Prediction) -> None:
    """That there is no answer, and what comes nearest: a passage that may help all the same."""
    show(nothing(prediction))
    found = nearest(prediction)
    if found:
        show(f"\n{NEAREST}", style="bold")
    for item in found:
        print_place(item)
        lines = first_lines(item.passage, screen_width() - len(_BESIDE_NUMBER), _NEAREST_LINES)
        print_lines(lines, indent=_BESIDE_NUMBER, style="dim")


def _print_sources(prediction: Prediction, *, with_quotes: bool) -> None:
    """Where each cited passage stands and how it begins; or what is quoted from it."""
    if not (items := cited(prediction)):
        return
    show("\nSources", style="bold")
    for item in items:
        print_place(item)
        quotes = _quotes(prediction, item.number) if with_quotes else []
        for quote in quotes:
            show(f"“{quote}”", first=_BESIDE_NUMBER, rest=_BESIDE_NUMBER, style="dim")
        if not quotes:
            words = first_words(item.passage, screen_width() - len(_BESIDE_NUMBER))
            print_lines([Line(words, "dim")], indent=_BESIDE_NUMBER)


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


def explanation(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """The kind of question, and how the answer or the abstention came about, as names with values."""
    yield "kind of question", prediction.question_kind or "not told apart by this answerer"
    yield "passages found", str(len(prediction.evidence))
    notes = {**prediction.answer.notes, **prediction.meta.get("explain", {})}
    yield from ((plain_line(str(name)), plain_line(str(note))) for name, note in notes.items())


def print_markdown(prediction: Prediction, *, sources: Sources = Sources.short, explain: bool = False) -> None:
    """The answer to paste into a document."""
    if direct := prediction.answer.direct:
        print(f"**{_escaped(direct.text)}** {_marks(direct.citations)}\n")
    for reading in prediction.interpretations:
        print(f"- {_escaped(reading.question)} **{_escaped(reading.answers[0])}** {_marks(reading.citations)}")
    if prediction.interpretations:
        print()
    for block in _markdown_blocks(prediction.answer.sentences, prediction.answer.text):
        print(f"{block}\n")
    if prediction.abstained:
        _print_markdown_nearest(prediction)
    elif sources is not Sources.none:
        _print_markdown_sources(prediction, with_quotes=sources is Sources.full)
    if explain:
        print("\n" + "\n".join(f"- {_escaped(name)}: {_escaped(value)}" for name, value in explanation(prediction)))
    print(f"\n*{_escaped(footer(prediction))}*")


def _markdown_blocks(entries: Sequence[Sentence], text: str) -> Iterator[str]:
    before: Sentence | None = None
    for is_prose, group in groupby(entries, key=lambda entry: entry.kind == "sentence"):
        block = list(group)
        if is_prose:
            yield "\n\n".join(paragraphs(block, text, _escaped))
        else:
            yield from map(_markdown_block, block, [before, *block])
        before = block[-1]


def _markdown_block(entry: Sentence, before: Sentence | None) -> str:
    """A fenced block, a table or a list; its citations, unless they were just said."""
    from expound.text.tables import as_markdown

    marks = "" if before and before.citations == entry.citations else _marks(entry.citations)
    if entry.kind == "code":
        # A fence is longer than any run of backticks in what it fences.
        longest = max((len(run) for run in re.findall("`+", entry.text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}\n{plain(entry.text)}\n{fence}\n\n{marks}".rstrip("\n")
    if entry.kind == "rows":
        header, *rows = (
            [_escaped(cell).replace("\\|", "|") for cell in cells_of(line)] for line in entry.text.split("\n")
        )
        return f"{as_markdown(header, rows)}\n{marks}".rstrip("\n")
    return "\n".join(_escaped(line) for line in entry.text.split("\n")) + f" {_marks(entry.citations)}"


def _print_markdown_sources(prediction: Prediction, *, with_quotes: bool) -> None:
    # Without a line between them, the steps of an answer and its sources would be one list.
    print("**Sources**\n")
    for item in cited(prediction):
        quotes = [f"“{_escaped(plain_line(quote))}”" for quote in _quotes(prediction, item.number)]
        words = " ".join(quotes if with_quotes else ()) or _escaped(first_words(item.passage, WIDEST))
        print(f"{item.number}. {_escaped(place_of(item))}: {words}")


def _print_markdown_nearest(prediction: Prediction) -> None:
    print(nothing(prediction))
    found = nearest(prediction)
    if found:
        print(f"\n{NEAREST}\n")
    for item in found:
        print(f"{item.number}. {_escaped(place_of(item))}: {_escaped(first_words(item.passage, 2 * WIDEST))}")


def cited(prediction: Prediction) -> list[Evidence]:
    """The evidence that the answer or a reading cites, in order of number."""
    numbers = {number for sentence in prediction.answer.sentences for number in sentence.citations}
    numbers |= {number for reading in prediction.interpretations for number in reading.citations}
    numbers |= set(prediction.answer.direct.citations if prediction.answer.direct else ())
    return [item for item in prediction.evidence if item.number in numbers]


def nearest(prediction: Prediction) -> Sequence[Evidence]:
    """What comes nearest to a question that has no answer; the first of the evidence where that is not told."""
    return (prediction.nearest or prediction.evidence)[:_NEAREST_SHOWN]


def nothing(prediction: Prediction) -> str:
    """That there is no answer, in a line."""
    corpora = prediction.meta.get("corpora", ())
    return NOTHING.format("this corpus" if len(corpora) < 2 else "these corpora")


def footer(prediction: Prediction) -> str:
    """Which corpus and which answerer, and how long it took."""
    corpora, seconds = searched(prediction.meta.get("corpora", ())), f"{prediction.seconds:.2f} s"
    return f"{corpora} · {_made_by(prediction)} · {_way(prediction)} · {seconds}"


def _made_by(prediction: Prediction) -> str:
    """The answerer with its text model; of a text that the model did not write, why it is the sources' own."""
    why = prediction.answer.notes.get(COPIED)
    if why and prediction.answer.text:
        return f"sentences of the sources, {why}"
    return " with ".join(filter(None, (prediction.system, prediction.meta.get("model"))))


def searched(corpora: Sequence[str]) -> str:
    """The names of the corpora, behind the word for them."""
    return f"{'corpora' if len(corpora) > 1 else 'corpus'} {', '.join(corpora)}"


def search_way(*, has_embedder: bool) -> str:
    """How passages were found."""
    return f"searched by {'words and meaning' if has_embedder else 'words only'}"


def _way(prediction: Prediction) -> str:
    return search_way(has_embedder=bool(prediction.meta.get("embedder")))


def _marks(citations: tuple[int, ...]) -> str:
    return "".join(f"[{number}]" for number in citations)


def place_of(item: Evidence) -> str:
    """Title, file or address, page and headings of a passage."""
    return place_of_passage(item.passage)


def place_of_passage(passage: Passage) -> str:
    """The same of a passage that was not retrieved."""
    source = passage.source
    page, heading = f"page {source.page}" if source.page else "", f"“{source.heading}”" if source.heading else ""
    # A page that was saved is the user's file; of a file of records, the address says more.
    file = source.url or source.file if RECORDS.search(source.file) else source.file or source.url
    where = ", ".join(filter(None, (file, page, heading)))
    name = passage.title or passage.id
    return f"{name} ({where})" if where else name


def _quotes(prediction: Prediction, number: int) -> list[str]:
    """The sentences that the answer took from a source; code, steps and rows stand in it as they are."""
    entries = (entry for entry in prediction.answer.sentences if number in entry.citations)
    return [entry.source_text for entry in entries if entry.kind == "sentence"]


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|" else char for char in plain(text))
