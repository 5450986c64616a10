"""KILT (Petroni et al. 2021): questions whose answers come with the Wikipedia pages that prove them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import distinct, fields, from_lines, identifier, items, text
from expound.types import Question


@dataclass(frozen=True)
class Kilt:
    """Lines of `{"id", "input", "output": [{"answer"?, "provenance"?: [{"wikipedia_id", …}]}]}`, gzip or not.

    Answers become references. `meta["provenance"]` has the page ids of every output that gives provenance; a page
    without an id is None.
    """

    profile = "kilt"
    path: Path

    def __iter__(self) -> Iterator[Question]:
        return from_lines(self.path, "kilt", _question)


def page_ids(entries: object) -> list[str | None]:
    """The Wikipedia page of each entry of a provenance list; None where the entry names none."""
    return [
        # KILT's scorer compares ids as stripped texts; a gold entry without one is a page that nobody can find.
        identifier(entry["wikipedia_id"]).strip() if "wikipedia_id" in fields(entry) else None
        for entry in items(entries)
    ]


def _question(row: Mapping[str, Any]) -> Question:
    outputs = [fields(output) for output in items(row["output"])]
    # Some outputs have provenance alone: their pages count, and there is no text to compare with.
    answers = [text(output["answer"]).strip() for output in outputs if output.get("answer") is not None]
    return Question(
        id=identifier(row["id"]),
        text=text(row["input"]),
        references=distinct([answer for answer in answers if answer]),
        meta={"provenance": [page_ids(output["provenance"]) for output in outputs if "provenance" in output]},
    )
