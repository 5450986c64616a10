"""Questions that depend on when they are asked: the new season, the current champion, the last election."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.clarify.candidates import Candidate
from expound.text.ambiguity import is_time_dependent
from expound.text.answer_types import DATE

MOST = 3
"""AmbigQA asks for the three most recent events of a question that depends on when it is asked."""
_MONTHS = "january february march april may june july august september october november december".split()
# "1990s" is a date as well; the "s" is looked at, not taken.
_YEAR = re.compile(r"\b[12]\d{3}(?=s?\b)")
_DAY = re.compile(r"\b\d{1,2}(?=(?:st|nd|rd|th)?\b)")


def most_recent(question: str, groups: Sequence[list[Candidate]]) -> list[list[Candidate]]:
    """The three most recent events of a time-dependent question, latest first; any other question keeps all groups."""
    if not is_time_dependent(question) or len(groups) < 2:
        return list(groups)
    dated = [(when, group) for group in groups if (when := _latest(group)) != (0, 0, 0)]
    # One date cannot be compared with anything: the order of the evidence stands.
    if len(dated) < 2:
        return list(groups)
    return [group for _, group in sorted(dated, key=lambda item: item[0], reverse=True)][:MOST]


def _latest(group: Sequence[Candidate]) -> tuple[int, int, int]:
    """The date of a reading: of its answer if that is one, else the latest in its first sentence."""
    # The answer itself first: "who won the last cup" is dated by its sentence, "when was the last cup" by its answer.
    own = _dates(group[0].answer)
    return max(own or _dates(group[0].sentence.text) or _dates(group[0].passage.title) or [(0, 0, 0)])


def _dates(text: str) -> list[tuple[int, int, int]]:
    return [_moment(found.group()) for found in DATE.finditer(text) if _YEAR.search(found.group())]


def _moment(date: str) -> tuple[int, int, int]:
    """Year, month and day of a date, 0 for what it does not say."""
    year = _YEAR.search(date)
    # By three letters: "Sept" and "September" are the same month.
    month = next((place for place, name in enumerate(_MONTHS, start=1) if name[:3] in date.lower()), 0)
    day = _DAY.search(date)
    return (int(year.group()) if year else 0, month, int(day.group()) if day and month else 0)
