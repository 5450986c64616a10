"""Questions to manuals as people have them: does the answer hold the value, the name or the command asked for?

The suite in `real_documents` has collections (packages whose documents are fetched by name) and questions with the
patterns that an answer must hold; some ask for what the collection does not say, and are to be refused. One half of the
collections is there to choose with, the other decides.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.errors import UnknownName, UserError, nearest
from expound.experiment import Report
from expound.recipes.corpora import recipe_corpus
from expound.recipes.document_answers import Asked, Case, ask_all
from expound.recipes.documents_qa import sample

SUITE = Path(__file__).parent / "real_documents"
HALVES = ("choose", "decide", "all")


@dataclass(frozen=True)
class Keys:
    """Patterns that must all be found in an answer, in any case and with any white space."""

    patterns: tuple[str, ...]

    def is_good(self, text: str) -> bool:
        """Whether all of them are there."""
        return self.recall(text) == 1.0

    def recall(self, text: str) -> float:
        """The share that is there. 0 to 1."""
        return sum(_find(pattern, text) is not None for pattern in self.patterns) / len(self.patterns)

    def names(self, direct: str, text: str) -> bool:
        """Whether the direct answer holds one of the keys, or is part of what one of them finds in the answer."""
        said = _one_spaced(direct).lower()
        if any(_find(pattern, direct) for pattern in self.patterns):
            return True
        found = (match for pattern in self.patterns if (match := _find(pattern, text)))
        return bool(said) and any(said in match[0].lower() for match in found)


def ask_suite(
    folder: Path,
    *,
    suite: Path = SUITE,
    half: str = "all",
    only: Sequence[str] = (),
    limit: int = 0,
    report: Report | None = None,
) -> list[Asked]:
    """Ask every question of the half's collections, or only of some, each collection as a corpus of its own."""
    wanted = _collections(suite, half, only)
    _check_documents(folder, wanted)
    cases = sample([_case(record) for record in _questions(suite) if record["collection"] in wanted], limit)
    asked: list[Asked] = []
    for name in wanted:
        asked += _ask_collection(name, folder / name, [case for case in cases if case.group == name], report)
    return asked


def _collections(suite: Path, half: str, only: Sequence[str]) -> list[str]:
    """The names of the half's collections; a name that is not among them is refused."""
    if half not in HALVES:
        raise UserError(f"--half is one of {', '.join(HALVES)}, not {half!r}")
    if not (suite / "collections.toml").is_file():
        raise UserError(f"{suite} has no collections.toml: --suite names a folder with it and questions.jsonl")
    collections = tomllib.loads((suite / "collections.toml").read_text(encoding="utf-8"))
    names = [name for name, about in collections.items() if half in ("all", about["half"])]
    for name in only:
        if name not in names:
            raise UnknownName(f"no collection {name!r} in this half; {nearest(name, names)}")
    return list(only) or names


def _ask_collection(name: str, folder: Path, cases: Sequence[Case], report: Report | None) -> list[Asked]:
    if not cases:
        return []
    return list(ask_all(cases, recipe_corpus(f"real-{name}", folder, report=report), report))


def _check_documents(folder: Path, names: Sequence[str]) -> None:
    missing = [name for name in names if not (folder / name).is_dir()]
    if missing:
        raise UserError(
            f"{folder} has no documents of {', '.join(missing)}; fetch them: python tools/fetch_documents.py {folder}"
        )


def _questions(suite: Path) -> list[dict[str, Any]]:
    lines = (suite / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _case(record: Mapping[str, Any]) -> Case:
    judge = Keys(tuple(record["keys"])) if record["answerable"] else None
    return Case(record["id"], record["question"], record["kind"], record["collection"], judge)


def _find(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, _one_spaced(text), re.IGNORECASE)


def _one_spaced(text: str) -> str:
    return " ".join(text.split())
