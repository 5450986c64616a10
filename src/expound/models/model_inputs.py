"""What the papers' models are given to read, as texts for any text model.

The figures of ASQA name the parts of its inputs and what separates them; the colon behind a tag is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from expound.errors import BadInput, UserError
from expound.types import Evidence, Question

_BETWEEN = " | "


def asqa_open_book(question: str, evidence: Sequence[Evidence], *, k: int = 5) -> str:
    """Figure 4 of Stelmakh et al. 2022: the question, then `k` passages with their titles.

    >>> from expound.types import Passage
    >>> asqa_open_book("Who ruled?", [Evidence(Passage("1", "Charles X did.", "Charles X"), 1, 1.0)])
    'Who ruled? context: info: Charles X did. wikipage: Charles X'
    """
    return f"{question} context: {_passages((item.passage.text, item.passage.title) for item in evidence[:k])}"


def asqa_oracle(question: Question) -> str:
    """Figure 5 of Stelmakh et al. 2022: all that the annotator with the longest answer knew.

    Needs what ASQA's file has: in `meta["contexts"]` a text for every reading, empty where there is none, in
    `meta["context_wikipages"]` the titles of their pages, and in `meta["knowledge"]` for every reference what its
    annotator noted, as `{"content", "wikipage"}`.
    """
    meta = question.meta
    if "knowledge" not in meta:
        raise BadInput(
            f"question {question.id} has no knowledge of annotators: ASQA's ORACLE needs an ASQA file with it"
        )
    contexts = meta.get("contexts", [])
    titles = meta.get("context_wikipages", [""] * len(contexts))
    # The annotator whose reference is longest: the paper scores ORACLE against the other one's.
    known = meta["knowledge"][longest(question.references)] if question.references else []
    parts = {
        "answers": _BETWEEN.join(reading.answers[0] for reading in question.interpretations if reading.answers),
        "disambiguations": _BETWEEN.join(reading.question for reading in question.interpretations),
        "context1": _passages((text, title) for text, title in zip(contexts, titles, strict=True) if text),
        "context2": _passages((row["content"], row["wikipage"]) for row in known),
    }
    return " ".join([question.text, *(f"{tag}: {content}".rstrip() for tag, content in parts.items())])


def longest(texts: Sequence[str]) -> int:
    """The place of the text with the most words, the first of equals."""
    return max(range(len(texts)), key=lambda place: len(texts[place].split()))


def hurdles_generator(question: str, evidence: Sequence[Evidence], *, k: int = 7) -> str:
    """Krishna et al. 2021: `k` passages, the best one last, so that it stands nearest to question and answer."""
    return "\n".join([*(item.passage.text for item in reversed(evidence[:k])), question])


def eli5_reader(question: str, evidence: Sequence[Evidence], *, k: int = 1) -> str:
    """Fan et al. 2019: the question, then its support document; their marks between the two are not in the paper."""
    return "\n".join([question, *(item.passage.text for item in evidence[:k])])


INPUTS: Mapping[str, Callable[..., str]] = {
    "asqa": asqa_open_book,
    "eli5": eli5_reader,
    "hurdles": hurdles_generator,
}


def open_book_input(name: str, question: str, evidence: Sequence[Evidence], *, k: int) -> str:
    """The input of that name."""
    check_input(name)
    return INPUTS[name](question, evidence, k=k)


def check_input(name: str) -> None:
    """Refuse an input that there is none of."""
    if name not in INPUTS:
        raise UserError(f"no model input named {name!r}; there are: {', '.join(INPUTS)}")


def _passages(passages: Iterable[tuple[str, str | None]]) -> str:
    return _BETWEEN.join(f"info: {text} wikipage: {title or ''}".rstrip() for text, title in passages)
