"""Questions to manuals as people have them: does the answer hold the value, the name or the command asked for?

The suite in `real_documents` has collections (packages whose documents are fetched by name) and questions with the
patterns that an answer must hold; some ask for what the collection does not say, and are to be refused. One half of the
collections is there to choose with, the other decides; a few more are there to check what was decided, and two parts
that came later, `fresh` and `latest`, for one look each when a round of changes is finished. Those are manuals; a few
small files at a time, such as a README or a table, have two halves of their own, `small-choose` and `small-decide`, and
so have manuals of a few hundred thousand words, `large-choose` and `large-decide`, and more manuals of a hundred pages
and up in several formats, `wide-choose` and `wide-decide`. The questions of `everyday` say "it" where others name the
program, and hardly a word as the manual does. `more-choose` and `more-decide` have what was in no part before: man
pages, Info files, a set of READMEs, questions and answers in plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import WRONG, fields, reason, text, texts
from expound.errors import BadInput, UnknownName, UserError, nearest
from expound.recipes.corpora import recipe_corpus
from expound.recipes.document_answers import Asked, Trial, ask_all
from expound.recipes.document_table import document_recipe
from expound.recipes.documents_qa import check_half, sample
from expound.recipes.shape import Ingredients
from expound.records import read_lines, read_toml

SUITE = Path(__file__).parent / "real_documents"
HALVES = (
    *("choose", "decide", "check", "fresh", "latest"),
    *("small-choose", "small-decide", "large-choose", "large-decide"),
    *("wide-choose", "wide-decide", "everyday", "more-choose", "more-decide", "all"),
)


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
        # Either way round: "25" is right where the pattern wants "25 seconds" and the answer says so in full.
        if any(_find(pattern, direct) for pattern in self.patterns):
            return True
        found = (match for pattern in self.patterns if (match := _find(pattern, text)))
        return bool(said) and any(said in match[0].lower() for match in found)


def ask_suite(given: Ingredients) -> list[Asked]:
    """Ask every question of the half's collections, or only of some, each collection as a corpus of its own."""
    suite = given.suite or SUITE
    wanted = _collections(suite, given.half, given.collections)
    _check_documents(given.data, wanted, is_ours=given.suite is None)
    trials = sample([trial for trial in _questions(suite) if trial.group in wanted], given.limit)
    if not trials:
        raise UserError(f"{suite} has no question about {', '.join(wanted) or 'a collection of this half'}")
    asked: list[Asked] = []
    # One after the other, each a corpus of its own, as somebody with one manual would ask it.
    for name in wanted:
        asked += _ask_collection(name, [trial for trial in trials if trial.group == name], given)
    return asked


def _collections(suite: Path, half: str, only: Sequence[str]) -> list[str]:
    """The names of the half's collections; a name that is not among them is refused."""
    check_half(half, HALVES)
    names = [name for name, about in _read_collections(suite).items() if half in ("all", about["half"])]
    for name in only:
        if name not in names:
            raise UnknownName(f"no collection {name!r} in this half; {nearest(name, names)}")
    return list(only) or names


def _read_collections(suite: Path) -> Mapping[str, Any]:
    file = suite / "collections.toml"
    if not file.is_file():
        raise UserError(f"{suite} has no collections.toml: --suite names a folder with it and questions.jsonl")
    collections = read_toml(file)
    try:
        return {name: {"half": text(fields(about)["half"])} for name, about in collections.items()}
    except WRONG as error:
        raise BadInput(f"{file} does not say the half of each collection ({reason(error)})") from error


def _ask_collection(name: str, trials: Sequence[Trial], given: Ingredients) -> list[Asked]:
    if not trials:
        return []
    corpus = recipe_corpus(f"real-{name}", given.data / name, report=given.report)
    return list(ask_all(trials, corpus, given))


def _check_documents(folder: Path, names: Sequence[str], *, is_ours: bool) -> None:
    missing = [name for name in names if not (folder / name).is_dir()]
    if missing:
        # Of a suite of somebody's own we cannot know where its documents come from.
        fetch = f"fetch them: python tools/fetch_documents.py {folder}"
        advice = fetch if is_ours else "--data names the folder that has a folder for each collection"
        raise UserError(f"{folder} has no documents of {', '.join(missing)}; {advice}")


def _questions(suite: Path) -> Iterator[Trial]:
    file = suite / "questions.jsonl"
    for number, record in read_lines(file):
        try:
            yield _trial(record)
        except WRONG as error:
            raise BadInput(f"{file}, line {number}: no question with its keys ({reason(error)})") from error


def _trial(record: Mapping[str, Any]) -> Trial:
    judge = Keys(texts(record["keys"])) if record["answerable"] else None
    return Trial(
        id=text(record["id"]),
        question=text(record["question"]),
        kind=text(record["kind"]),
        group=text(record["collection"]),
        judge=judge,
    )


def _find(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, _one_spaced(text), re.IGNORECASE)


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


RECIPE = document_recipe("real-documents", "real-documents ({half})", ask_suite)
