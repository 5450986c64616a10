"""Replies of judges, read strictly: what is not said in the words that were asked for is not said."""

from __future__ import annotations

import re

from expound.judge.judge_shape import FIRST, SECOND, TIE, Said

# Whole replies: a reply that argues first could be read either way.
_CHOSEN = re.compile(r"(?:answer )?([12])\.?", re.IGNORECASE)
_TIE = re.compile(r"tie\.?", re.IGNORECASE)
# A model that goes on with the layout may say its last words once more.
_BETTER = re.compile(r"(?:better answer: ?)?answer ?([12])(?: is better)?\.?", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+(?: ?, ?\d+)*\.?")
_NONE = re.compile(r"none\.?", re.IGNORECASE)
_SIDES = {"1": FIRST, "2": SECOND}


def read_choice(reply: str) -> Said:
    """`1`, `2` or `tie`, and nothing else.

    >>> read_choice(" 2."), read_choice("Answer 1 is longer, so 1")
    ('second', None)
    """
    said = reply.strip()
    if _TIE.fullmatch(said):
        return TIE
    found = _CHOSEN.fullmatch(said)
    return _SIDES[found[1]] if found else None


def read_better(reply: str) -> Said:
    """`ANSWER1 is better.` in the first line: a model that continues a layout goes on with the next question.

    >>> read_better("ANSWER2 is better.\\n\\nQUESTION: Why"), read_better("Both are good.")
    ('second', None)
    """
    found = _BETTER.fullmatch(reply.strip().partition("\n")[0].strip())
    return _SIDES[found[1]] if found else None


def read_ticks(reply: str, count: int) -> Said:
    """Numbers from 1 to `count` with commas between them, or `none`.

    >>> read_ticks("1, 3", 3), read_ticks("none", 2), read_ticks("1, 4", 3)
    ((True, False, True), (False, False), None)
    """
    said = reply.strip()
    if _NONE.fullmatch(said):
        return (False,) * count
    if not _NUMBERS.fullmatch(said):
        return None
    ticked = {int(number) for number in re.findall(r"\d+", said)}
    # Whoever ticks what is not there did not read the list: the other numbers mean nothing either.
    if not ticked <= set(range(1, count + 1)):
        return None
    return tuple(number in ticked for number in range(1, count + 1))
