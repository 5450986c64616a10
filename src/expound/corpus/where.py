"""Conditions on passages: `meta.source != wikipedia`, `title ~ France`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from expound.errors import UserError
from expound.types import Passage

Condition = Callable[[Passage], bool]

_CLAUSE = re.compile(r"\s*(id|title|text|meta\.[\w.-]+)\s*(==|=|!=|!~|~)\s*(.*?)\s*", re.DOTALL)


def parse_where(clauses: Sequence[str]) -> Condition:
    """All clauses must hold; `=` and `!=` compare, `~` and `!~` look for a substring."""
    conditions = [_condition(clause) for clause in clauses]
    return lambda passage: all(condition(passage) for condition in conditions)


def _condition(clause: str) -> Condition:
    match = _CLAUSE.fullmatch(clause)
    if match is None:
        raise UserError(
            f'cannot read the condition {clause!r}; write for instance "meta.source != wikipedia" '
            "(fields id, title, text, meta.NAME; operators =, !=, ~, !~)"
        )
    name, operator, value = match.groups()
    # Quotation marks keep the spaces at either end of a value.
    value = value[1:-1] if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'" else value
    wanted = not operator.startswith("!")
    if "~" in operator:
        return lambda passage: (value in _field(passage, name)) is wanted
    return lambda passage: (value == _field(passage, name)) is wanted


def _field(passage: Passage, name: str) -> str:
    if name.startswith("meta."):
        # A field that is missing equals nothing but "": `meta.source !=` asks for those that have one.
        return str(passage.meta.get(name[5:], ""))
    return str(getattr(passage, name))
