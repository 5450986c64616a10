"""What all bounds have in common: without the record of the question there is nothing to look at."""

from __future__ import annotations

from typing import NoReturn

from expound.errors import UserError


def refuse(system: object) -> NoReturn:
    """Say why a bound has no answer to a bare question."""
    raise UserError(f"{type(system).__name__} looks at the references: use it in expound run")
