"""A part of your own: an answerer that quotes the first sentence of each of the best passages.

.venv/bin/python examples/own_answerer.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from expound import open_system
from expound.text import split_sentences
from expound.types import Answer, Evidence, Interpretation, Sentence


@dataclass(frozen=True)
class FirstSentences:
    """The opening sentence of the first `count` passages."""

    count: int = 3

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        openings = [(split_sentences(item.passage.text)[0], item.number) for item in evidence[: self.count]]
        sentences = tuple(Sentence(text, text, (number,)) for text, number in openings)
        return Answer(" ".join(sentence.text for sentence in sentences), sentences)


def main() -> None:
    system = replace(open_system(["sampler"]), answerer=FirstSentences(count=2))
    prediction = system.ask("How do jellyfish function without brains?")
    print(prediction.system)
    print(prediction.answer.text)


if __name__ == "__main__":
    main()
