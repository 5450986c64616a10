"""What is odd and legal all the same, and what is refused in the name of something else."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NO_TEXT = (
    "nothing|blank|empty$|binary|NUL|zip|gzip|no gzip|Parquet|SQLite|missing|folder|fifo|socket|link|closed|5,000|"
    "below|device|unreadable|address|standard|home|not UTF-8"
)
_OF_LINES = "(twice|cut in half|half character)"

LEGAL = (
    # Whatever is typed is a question, if there is something in it.
    r"(ask|search|clarify) \| question1 \| (unknown|markup|escape|parent folders|call)",
    # A text file is a text, whatever it says.
    rf"corpus add \| paths1 \| (?!{_NO_TEXT}).*",
    # Half of a file of lines has fewer lines, and half a character is shown as one that is unknown.
    r"datasets (info|stats|sample|import) \| spec1 \| (cut in half|half character)",
    r"(audit predictions|build split) \| --train \| (cut in half|half character)",
    r"build split \| --dataset \| (cut in half|half character)",
    r"meta \| --people \| cut in half",
    r"study (analyze \| source1|import \| answers2) \| cut in half",
    # What has no id may stand in a file twice.
    r"train (ranker|retriever|tagger|nli|writer) \| --(train|dev) \| (twice|cut in half)",
    r"train answers \| --(full|partial|dev) \| (twice|cut in half)",
    r"train answer-data \| --(full|partial|keep-out) \| (cut in half|half character)",
    r"train writer-data \| --(train|keep-out) \| (cut in half|half character)",
    # Passages are documents, which may be in UTF-16.
    r"recipe asqa-extractive \| passages1 \| UTF-16",
    # A name that nothing has yet.
    r"(corpus add \| --name|datasets import \| --name|build passages \| --corpus) \| unknown",
    # A number that nothing is beyond.
    r".* \| --no-answer-threshold \| (below|above)",
    r"(run|train .*) \| --(most-cost|hours) \| above",
    # No question is no mistake; any line is one, if it is a text.
    r"ask \| standard input \| (nothing|blank lines|NUL|escape|no such path)",
    # The database is opened when the study is served.
    r"study new \| --database \| .*",
)
"""Rows that end with 0."""

EITHER = (
    # Some readers take any text for a document, others know theirs by its first bytes.
    r"corpus add \| document .*",
    # What is damaged behind the first pages is recorded, and the rest is read.
    r"build eli5 \| --(submissions|comments) \| (cut in half|half character|twice|.*gzip.*|not UTF-8.*)",
    r"build (?:passages|web) \| inputs1 \| (cut in half|half character|twice|.*gzip.*|not UTF-8.*)",
    # A recipe looks at the first training question, and at the others only if a row needs them.
    rf"recipe .* \| --train \| (gzip cut off|gzip with a wrong sum|{_OF_LINES[1:]}",
)
"""Rows that may end with 0 or with 2."""

IN_RECORDS = (r"ask \| standard input \| .*",)
"""Rows of several questions, of which the others go on: what failed stands in its own record."""

UNNAMED = (
    # The predictions are for more questions than there are, and their file is the one that is named.
    r".* \| --dataset \| (cut in half|half character)",
    r"audit split \| datasets1 \| (cut in half|half character)",
    r"train sentences \| --(train|keep-out) \| (cut in half|half character)",
    r"recipe hurdles-paraphrase \| files[1-4] \| (twice|cut in half|half character)",
    # What they start from is looked for before their files are read.
    r"recipe (nli-accuracy|preference-left-out) \| files[1-5] \| .*",
    rf"recipe hurdles-table(s|8) \| --(dataset|train) \| (gzip cut off|gzip with a wrong sum|{_OF_LINES[1:]}",
    r"recipe (asqa-writers|eli5-writers|eli5-writer-control) \| files[12] \| .*",
    r"train writer-(figures|attention) \| files1 \| (twice|cut in half)",
    # Documents belong to questions of one layout.
    r"datasets import \| --evidence \| .*",
)
"""Rows of files that are refused without their own name."""


def codes_of(name: str) -> tuple[int, ...]:
    """The exit codes that a row may end with."""
    tables = ((LEGAL, (0,)), (EITHER, (0, 2)), (IN_RECORDS, (1,)))
    return next((codes for patterns, codes in tables if _is_among(patterns, name)), (2,))


def is_named(name: str) -> bool:
    """Whether the line on the screen names the odd file."""
    return not _is_among(UNNAMED, name)


def _is_among(patterns: Iterable[str], name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in patterns)
