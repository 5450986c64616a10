"""The tasks of a writer: which of question, documents and answer it reads, and which it writes (Fan et al. 2019).

A task is written as what is read, a hyphen, and what is written: `qd-a` goes from question and documents to the answer,
and `-qda` models all three as a language. `mask` hides words and wants them back, in order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from expound.errors import UserError, nearest

CLOSED, OPEN = "q-a", "qd-a"
TASKS = (OPEN, CLOSED, "-qda", "mask", "q-d", "d-q", "d-a", "a-q", "a-d", "qa-d", "da-q")
"""All of the multi-task model; the paper's appendix with its list is not published with the text that we have."""
MASK = "<mask>"
_HIDDEN = 0.15  # share of words, as of tokens in the paper


@dataclass(frozen=True)
class WriterParts:
    """A row as texts: its question, its documents as far as they are read, and its answer."""

    question: str
    documents: str
    answer: str

    def join(self, letters: str) -> str:
        """The parts of these letters, in the order of the letters, a line each."""
        texts = {"q": self.question, "d": self.documents, "a": self.answer}
        return "\n".join(text for text in (texts[letter] for letter in letters) if text)


def check_tasks(tasks: Sequence[str], *, k: int) -> None:
    """Refuse a task that there is none of, and one that needs documents where none are read."""
    for task in tasks:
        if task not in TASKS:
            raise UserError(f"no task {task!r}; {nearest(task, TASKS)}")
        # `-qda` does without: it is a language, and goes on with the two parts that are left.
        if "d" in task.replace("-qda", "") and not k:
            raise UserError(f"the task {task} needs documents: say how many of a row's are read with --k")


def usual_task(row_k: int) -> str:
    """What a writer does that learns one thing only."""
    return OPEN if row_k else CLOSED


def marker_of(task: str, tasks: Sequence[str]) -> str:
    """What stands before all that is read for a task; a writer of one task needs none."""
    return f"<{task}> " if len(tasks) > 1 else ""


def pose(task: str, parts: WriterParts, rng: random.Random) -> tuple[str, str]:
    """What is read and what is to be written for a task other than the usual ones."""
    if task == "mask":
        return hide_words(parts.join("qda"), rng)
    read, _, written = task.partition("-")
    return parts.join(read), parts.join(written)


def hide_words(text: str, rng: random.Random) -> tuple[str, str]:
    """A text with 15 % of its words hidden, and the hidden words in order.

    >>> hide_words("one two three four five six", random.Random(1))
    ('one two three four <mask> six', 'five')
    """
    words = text.split()
    # At least one: of a short question nothing would be asked otherwise.
    count = max(1, round(len(words) * _HIDDEN))
    hidden = sorted(rng.sample(range(len(words)), count))
    shown = [MASK if place in hidden else word for place, word in enumerate(words)]
    return " ".join(shown), " ".join(words[place] for place in hidden)
