"""The leak guard: keep evaluation questions and their passages out of the training data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from expound.train.data.dataset_files import Factoid
from expound.train.data.label_texts import normalise

# ASQA dev annotators wrote or picked these passages: training on them would leak the test set.
ANNOTATOR_SOURCES = frozenset({"wikipedia_asqa_annotator_knowledge", "wikipedia_asqa_qa_pair_context"})
# CLAPNQ is an evaluation set, so its passages stay unseen as well.
EVALUATION_SOURCES = frozenset({"wikipedia_nq_clapnq"})
BLOCKED_SOURCES = ANNOTATOR_SOURCES | EVALUATION_SOURCES


class LeakGuard:
    """Remembers evaluation questions and recognises them whatever their case, punctuation or word order.

    A paraphrase passes: only the same words are recognised.
    """

    def __init__(self, questions: Iterable[str] = ()) -> None:
        self._keys: set[str] = set()
        for question in questions:
            self.add(question)

    def add(self, question: str) -> None:
        """Block a question from now on."""
        self._keys.update(self._forms(question))

    def blocks(self, question: str) -> bool:
        """Whether the question, or one with the same words, is blocked."""
        return not self._keys.isdisjoint(self._forms(question))

    @staticmethod
    def _forms(question: str) -> tuple[str, str]:
        key = normalise(question)
        # The same words in another order are the same question.
        return key, "bag " + " ".join(sorted(key.split()))


def drop_leaks(factoids: Iterable[Factoid], guard: LeakGuard) -> Iterator[Factoid]:
    """Yield the factoids the guard lets pass, each question once."""
    # A guard of its own: a question that two files have is trained on once.
    seen = LeakGuard()
    for factoid in factoids:
        if not guard.blocks(factoid.question) and not seen.blocks(factoid.question):
            seen.add(factoid.question)
            yield factoid
