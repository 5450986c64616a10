"""What a form is made of: fields to fill in, rules for what is filled in, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from expound.study.design.collected import Collected, Earlier
from expound.study.design.items import Item, View

Answers: TypeAlias = Mapping[str, Any]
"""What a rater filled in: a text, or a list, for each field."""

# What answers are called on the screen, from left to right.
LETTERS = "ABCDEFGH"
LEFT, RIGHT, TIE = "left", "right", "tie"
YES, NO = "yes", "no"
# Far more than anyone writes into one box, and a form of several full boxes still fits into a request.
TEXT_LIMIT = 20_000
# In letters: shorter options stand side by side, longer ones would break in the middle and get a line each.
_LONG_LABEL = 26


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
    `about` names the side that a value is about (or the place, of more than two answers), `guides` are questions to
    keep in mind while writing, `none` is what leaving a choice open is called. A field is a criterion by its own name,
    unless several parts of an item are judged by one `criterion`. `judged` makes the value of a judgment of what was
    filled in, where it is not to stay as it is.
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
    judged: Callable[[Any], Any] | None = None

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(option.value for option in self.options)

    @property
    def has_long_options(self) -> bool:
        """Whether the options need a line each."""
        return any(len(option.label) > _LONG_LABEL for option in self.options)


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
class FormExport:
    """A file that only studies of one form give, made of the answers that count."""

    name: str
    media_type: str
    write: Callable[[Sequence[Collected]], str]


@dataclass(frozen=True)
class Form:
    """A kind of study. `makes` says which items it is made of, `layout` how they stand on the screen.

    Makes: `pairs` of answers, `sets` of all answers to a question, single `answers`, `questions` alone, items from a
    `file` of one's own, or a second pass over another `study`: then `continues` names its form, and `derive` makes the
    items of what was said there. A layout is the name of one of ours, or the path of a template that extends
    `item.html`.
    """

    name: str
    title: str
    makes: str
    layout: str | Path
    instructions: str
    fields: Callable[[View], Sequence[Field]]
    check: Callable[[View, Answers], list[Problem]] = no_problems
    has_comment: bool = True
    shows_evidence: bool = True
    collapse: Mapping[str, Mapping[float, float]] = field(default_factory=dict)
    comment_from: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    exports: tuple[FormExport, ...] = ()
    continues: str = ""
    derive: Callable[[Earlier], Iterable[Item]] | None = None


def sides(left: str = "Answer A", right: str = "Answer B", tie: str = "") -> tuple[Option, ...]:
    """The options of a comparison, with a tie if it is given a label."""
    options = (Option(LEFT, left), Option(RIGHT, right))
    return (*options, Option(TIE, tie)) if tie else options


YES_NO = (Option(YES, "Yes"), Option(NO, "No"))


def scale(*labels: str, start: int = 1) -> tuple[Option, ...]:
    """Numbered options, such as a Likert scale."""
    return tuple(Option(str(number), f"{number} {label}".strip()) for number, label in enumerate(labels, start))
