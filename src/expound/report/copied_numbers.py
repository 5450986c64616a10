"""What a picture shows, as numbers that can be copied."""

from __future__ import annotations

from collections.abc import Sequence

from expound.pages.html import Html, escape, tag
from expound.pages.parts import fold
from expound.text.tables import as_csv


def with_numbers(picture: Html, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Html:
    """A picture, and below it what it shows, to copy."""
    copied = tag("pre", escape(as_csv(columns, rows)), tabindex="0")
    return tag("div", picture, fold("The numbers, to copy", [copied]))
