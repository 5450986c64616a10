"""What an answer is shown with, on a screen or in Markdown: its paragraphs, its sources, how it was made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from expound.answer.copied import COPIED
from expound.text.genre import RECORDS
from expound.text.plain import plain_line
from expound.types import Evidence, Passage, Prediction, Sentence

NOTHING = "No answer: nothing in {} supports one."
NEAREST = "Nearest passages, which may not answer it:"
_NEAREST_SHOWN = 3  # enough to see what the corpus is about, and still one screen


def paragraphs(sentences: Sequence[Sentence], text: str, shown: Callable[[str], str] = str) -> list[str]:
    """Sentences as the paragraphs of the answer's text; citations are said once where several in a row are the same."""
    found: list[str] = []
    for place, sentence in enumerate(sentences):
        before = sentences[place - 1] if place else None
        after = sentences[place + 1] if place + 1 < len(sentences) else None
        # Behind the last of a run: a number after every sentence of one source makes a text hard to read.
        said = "" if after and after.citations == sentence.citations else f" {marks(sentence.citations)}"
        if before and f"{before.text} {sentence.text}" in text:
            found[-1] += f" {shown(sentence.text)}{said}"
        else:
            found.append(f"{shown(sentence.text)}{said}")
    return found


def explanation(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """The kind of question, and how the answer or the abstention came about, as names with values."""
    yield "kind of question", prediction.question_kind or "not told apart by this answerer"
    yield "passages found", str(len(prediction.evidence))
    notes = {**prediction.answer.notes, **prediction.meta.get("explain", {})}
    yield from ((plain_line(str(name)), plain_line(str(note))) for name, note in notes.items())


def list_cited(prediction: Prediction) -> list[Evidence]:
    """The evidence that the answer or a reading cites, in order of number."""
    numbers = {number for sentence in prediction.answer.sentences for number in sentence.citations}
    numbers |= {number for reading in prediction.interpretations for number in reading.citations}
    numbers |= set(prediction.answer.direct.citations if prediction.answer.direct else ())
    return [item for item in prediction.evidence if item.number in numbers]


def nearest(prediction: Prediction) -> Sequence[Evidence]:
    """What comes nearest to a question that has no answer; the first of the evidence where that is not told."""
    return (prediction.nearest or prediction.evidence)[:_NEAREST_SHOWN]


def say_nothing(prediction: Prediction) -> str:
    """That there is no answer, in a line."""
    corpora = prediction.meta.get("corpora", ())
    return NOTHING.format("this corpus" if len(corpora) < 2 else "these corpora")


def footer(prediction: Prediction) -> str:
    """Which corpus and which answerer, and how long it took."""
    corpora, seconds = say_searched(prediction.meta.get("corpora", ())), f"{prediction.seconds:.2f} s"
    return f"{corpora} · {_tell_maker(prediction)} · {_way(prediction)} · {seconds}"


def _tell_maker(prediction: Prediction) -> str:
    """The answerer with its text model; of a text that the model did not write, why it is the sources' own."""
    why = prediction.answer.notes.get(COPIED)
    if why and prediction.answer.text:
        return f"sentences of the sources, {why}"
    return " with ".join(filter(None, (prediction.system, prediction.meta.get("model"))))


def say_searched(corpora: Sequence[str]) -> str:
    """The names of the corpora, behind the word for them."""
    return f"{'corpora' if len(corpora) > 1 else 'corpus'} {', '.join(corpora)}"


def search_way(*, has_embedder: bool) -> str:
    """How passages were found."""
    return f"searched by {'words and meaning' if has_embedder else 'words only'}"


def _way(prediction: Prediction) -> str:
    return search_way(has_embedder=bool(prediction.meta.get("embedder")))


def marks(citations: tuple[int, ...]) -> str:
    """Citations as they stand behind a sentence."""
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


def quotes(prediction: Prediction, number: int) -> list[str]:
    """The sentences that the answer took from a source; code, steps and rows stand in it as they are."""
    entries = (entry for entry in prediction.answer.sentences if number in entry.citations)
    return [entry.source_text for entry in entries if entry.kind == "sentence"]
