"""Put the passages of documents in the order in which they are worth quoting."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from expound.answer.kinds import asked_term
from expound.text.change_logs import asks_for_changes, asks_for_licence, is_change_log, is_licence
from expound.text.titled import titled_passage
from expound.text.words import content_stems
from expound.types import Evidence, Passage

COVERAGE = 0.3
"""What saying all of the question's telling words is worth beside a cosine (recipes/LOG.md, "Extracts")."""

RELEVANCE = 0.05
"""What a logit of the ranker that has read a passage with the question is worth (recipes/LOG.md, "Read together")."""

DEFINITION = 0.1
"""What saying "A ply is …" is worth to who asks what a ply is; 0.1 to 0.3 change no figure (recipes/LOG.md)."""

ASIDE = 0.2
"""How far a passage of a change log stands behind the same words in a manual: "How do I report a bug?" finds a page of
mended bugs, which is long and near to every question. As much as a third of the chance to be quoted. The licence that
many manuals end with is like it: "How to apply these terms" is near to whoever asks which file to change."""


def order_sentences(question: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence, best first, each with its new score: nearness in meaning, and the question's words that it says.

    A retriever's order serves prose that says a thing in many ways. Manuals call a thing by one name: whoever asks for
    it by that name wants the passage that has it.
    """
    shares, term = coverages(question, evidence), asked_term(question)
    is_aside = _aside(question)
    # What nobody has read may be as far off as the farthest that somebody has.
    unread = min((item.relevance for item in evidence if item.relevance is not None), default=0.0)
    scored = [
        replace(
            item,
            score=item.score
            + RELEVANCE * (unread if item.relevance is None else item.relevance)
            + COVERAGE * share
            + DEFINITION * defines(term, item.passage)
            - ASIDE * is_aside(item.passage),
        )
        for item, share in zip(evidence, shares, strict=True)
    ]
    # Ties keep the retriever's order.
    return sorted(scored, key=lambda item: (-item.score, item.number))


def _aside(question: str) -> Callable[[Passage], bool]:
    """Tells whether a passage is beside the manual, for a question that does not ask for such a place."""
    changes, licence = asks_for_changes(question), asks_for_licence(question)

    def is_aside(passage: Passage) -> bool:
        file, heading = passage.source.file, passage.source.heading
        is_log = not changes and is_change_log(file, heading, passage.title)
        return is_log or (not licence and is_licence(file, heading))

    return is_aside


def defines(term: str, passage: Passage) -> bool:
    """Whether a passage says what something is: "A ply is …", or the term with its meaning.

    >>> defines("ply", Passage("1", "Think ahead. A ply is one move.")), defines("ply", Passage("1", "Play 2-ply."))
    (True, False)
    """
    words = [re.escape(word) for word in re.findall(r"[\w+#.-]+", term)]
    if not words:
        return False
    named = r"\W+".join(words) + "(?:e?s)?"
    is_said = re.search(rf"(?:^|[.!?:\n]\W*|\b(?:an?|the) ){named}\W{{1,3}}(?:is|are|means?)\b", passage.text, re.I)
    return is_said is not None or any(
        re.match(rf"\W*{named}\W*\n", passage.text[part.start : part.end], re.I)
        for part in passage.parts
        if part.kind == "definition"
    )


def coverages(question: str, evidence: Sequence[Evidence]) -> list[float]:
    """The share of the question's content words in each passage and its headings; a rare word counts for more."""
    said = [set(content_stems(titled_passage(item.passage))) for item in evidence]
    found_in = Counter(stem for stems in said for stem in stems)
    # Rare among these passages, not in the corpus: all of them were found by the question's frequent words.
    weights = {stem: math.log(1 + len(said) / (1 + found_in[stem])) for stem in content_stems(question)}
    total = sum(weights.values())
    if not total:
        return [0.0] * len(said)
    return [sum(weight for stem, weight in weights.items() if stem in stems) / total for stems in said]
