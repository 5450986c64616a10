"""Context passages for the readings of ambiguous questions (Stelmakh et al. 2022, appendix A).

Among the paragraphs of the pages that annotators viewed, those that hold the reading's answer; of these the one that is
nearest to the *disambiguated* question by TF-IDF, if it is near enough, else none.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from expound.datasets.fields import WRONG, fields, text
from expound.errors import UserError
from expound.retrieve.neighbours import Frequencies
from expound.text.normal import contains_answer
from expound.types import Interpretation, Passage, Question

NONE = Passage("", "")
"""In place of a context where there is none."""


@dataclass(frozen=True)
class ContextRules:
    """From which cosine on a paragraph is a context.

    The paper chose its threshold by eye and does not print it. At a tenth, more than nine in ten of the official
    contexts would have been given ("Contexts" in recipes/LOG.md).
    """

    threshold: float = 0.1

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise UserError(f"a threshold of {self.threshold:g} is no cosine; give one from 0 to 1")


@dataclass
class ViewedPages:
    """The paragraphs of pages that somebody viewed, by title, and the frequencies of their words."""

    wanted: frozenset[str]
    frequencies: Frequencies = field(default_factory=Frequencies)
    paragraphs: defaultdict[str, list[Passage]] = field(default_factory=lambda: defaultdict(list))

    def read(self, passages: Iterable[Passage]) -> None:
        """Keep what is of these pages; all the rest of the corpus passes by."""
        for passage in passages:
            title = plain_title(passage.title)
            if title in self.wanted:
                self.paragraphs[title].append(passage)
                self.frequencies.add(passage.text)

    def of(self, question: Question) -> list[Passage]:
        """The paragraphs of the pages that were viewed for a question."""
        return [passage for title in viewed_titles(question) for passage in self.paragraphs.get(title, ())]

    def context(self, reading: Interpretation, paragraphs: Sequence[Passage], rules: ContextRules) -> Passage:
        """The context of a reading, or `NONE`."""
        answers = [answer for answer in reading.answers if answer.strip()]
        holding = [passage for passage in paragraphs if contains_answer(passage.text, answers)]
        scored = [(self.frequencies.cosine(reading.question, passage.text), passage) for passage in holding]
        # The first of equals: corpora keep their order.
        similarity, best = max(scored, key=lambda pair: pair[0], default=(-1.0, NONE))
        return best if similarity >= rules.threshold else NONE


def viewed_titles(question: Question) -> list[str]:
    """The pages that annotators viewed: ASQA's `wikipages`, or `viewed_doc_titles` of AmbigNQ's full version."""
    try:
        pages = [text(fields(page)["title"]) for page in question.meta.get("wikipages", ())]
        viewed = [text(title) for title in question.meta.get("viewed_doc_titles", ())]
    except WRONG as error:
        raise UserError(f"question {question.id}: its viewed pages are not a list of titles ({error})") from error
    return list(dict.fromkeys(map(plain_title, [*pages, *viewed])))


def plain_title(title: str) -> str:
    """A title as it is compared: addresses write spaces as underscores, and first letters in either case.

    >>> plain_title("History_of iPhone")
    'history of iphone'
    """
    return " ".join(unicodedata.normalize("NFC", title).replace("_", " ").casefold().split())


def with_contexts(question: Question, contexts: Sequence[Passage]) -> Mapping[str, Any]:
    """What is known of a question with its contexts, by the names that ASQA's own have; evidence has each once."""
    return {
        "meta": {
            **question.meta,
            "contexts": [passage.text for passage in contexts],
            "context_wikipages": [passage.title for passage in contexts],
        },
        "evidence": tuple({passage.id: passage for passage in contexts if passage is not NONE}.values()),
    }
