"""What a form is made of: fields to fill in, rules for what is filled in, and a way to turn it into judgments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from expound.study.items import View

Answers: TypeAlias = Mapping[str, Any]
"""What a rater filled in: a text, or a list, for each field."""

LEFT, RIGHT, TIE = "left", "right", "tie"
YES, NO = "yes", "no"
TEXT_LIMIT = 20_000


@dataclass(frozen=True)
class Option:
    """One choice of a field."""

    value: str
    label: str


@dataclass(frozen=True)
class Field:
    """One thing to fill in.

    Kinds: `side` (left, right, perhaps tie), `choice` (one option, exported as a value), `checks` (any number of
    options), `text` (a paragraph), `spans` (label and quotation, one a line), `rows` (a table that grows).
    `about` names the side that a value is about, `guides` are questions to keep in mind while writing, `none` is what
    leaving a choice open is called. A field is a
    criterion by its own name, unless several parts of an item are judged by one `criterion`.
    """

    name: str
    label: str
    kind: str
    options: tuple[Option, ...] = ()
    required: bool = True
    about: str = ""
    help: str = ""
    guides: tuple[str, ...] = ()
    part: str = ""
    columns: tuple[Option, ...] = ()
    criterion: str = ""
    none: str = "No answer"

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(option.value for option in self.options)

    @property
    def has_long_options(self) -> bool:
        """Whether the options need a line each."""
        return any(len(option.label) > 26 for option in self.options)


@dataclass(frozen=True)
class Problem:
    """Why an answer is not taken as it is; a warning can be overridden by the rater."""

    field: str
    text: str
    is_warning: bool = False


def no_problems(_view: View, _answers: Answers) -> list[Problem]:
    """For forms whose fields say all there is to check."""
    return []


@dataclass(frozen=True)
class Form:
    """A kind of study. `makes` says which items it is made of, `layout` how they stand on the screen.

    Makes: `pairs` of answers, single `answers`, `questions` alone, or items from a `file` of one's own.
    """

    name: str
    title: str
    makes: str
    layout: str
    instructions: str
    fields: Callable[[View], Sequence[Field]]
    check: Callable[[View, Answers], list[Problem]] = no_problems
    has_comment: bool = True
    shows_evidence: bool = True
    collapse: Mapping[str, Mapping[float, float]] = field(default_factory=dict)
    comment_from: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


def sides(left: str = "Answer A", right: str = "Answer B", tie: str = "") -> tuple[Option, ...]:
    """The options of a comparison, with a tie if it is given a label."""
    options = (Option(LEFT, left), Option(RIGHT, right))
    return (*options, Option(TIE, tie)) if tie else options


YES_NO = (Option(YES, "Yes"), Option(NO, "No"))


def scale(*labels: str, start: int = 1) -> tuple[Option, ...]:
    """Numbered options, such as a Likert scale."""
    return tuple(Option(str(number), f"{number} {label}".strip()) for number, label in enumerate(labels, start))
