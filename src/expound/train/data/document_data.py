"""Build groups of questions to documents: sets of questions with gold, and headings of manuals."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from expound.errors import UserError
from expound.models.shipped import default_static
from expound.train.data.document_groups import Mix, Nearest, WordIndex, group_of_candidates, iter_document_groups
from expound.train.data.document_sets import SETS, Collections, DocumentCase, read_set
from expound.train.data.file_shapes import MANUAL, read_shaped
from expound.train.data.group_files import Group
from expound.train.data.manuals import count_words, manual_cases, manual_of
from expound.train.description import Report

if TYPE_CHECKING:
    from expound.protocols import Vectors


@dataclass(frozen=True)
class Candidates:
    """How many passages a held-out question is measured on: 94 % of the questions have a right one among these."""

    by_words: int = 25
    by_meaning: int = 15


def build_document_data(
    sets: Path, manuals: Path | None = None, *, seed: int, report: Report | None = None
) -> dict[str, list[Group]]:
    """Groups to `train` on, and held-out ones to `choose` and to `decide` by: no document is in two of them."""
    rng = random.Random(seed)
    cases, collections = read_sets(sets, rng=rng, report=report)
    if manuals:
        cases += read_manuals(manuals, collections, rng=rng)
    nearest = nearest_in(collections)
    learned = [case for case in cases if case.part == "train"]
    held_out = {part: [case for case in cases if case.part == part] for part in ("choose", "decide")}
    groups = list(iter_document_groups(learned, collections, Mix(), nearest=nearest, rng=rng))
    return {"train": groups} | {
        part: list(iter_held_out(some, collections, nearest=nearest)) for part, some in held_out.items()
    }


def read_sets(folder: Path, *, rng: random.Random, report: Report | None) -> tuple[list[DocumentCase], Collections]:
    """The questions of those sets that are in the folder, so many of each, and the passages of their documents."""
    cases: list[DocumentCase] = []
    collections: Collections = {}
    known = [rule for rule in SETS if (folder / f"{rule.name}.jsonl.gz").exists()]
    if not known:
        raise UserError(f"{folder} has none of the sets {', '.join(rule.name for rule in SETS)} (NAME.jsonl.gz)")
    for number, rule in enumerate(known, start=1):
        found, passages = read_set(folder, rule)
        learned = [case for case in found if case.part == "train"]
        rng.shuffle(learned)
        # Only training is thinned out: what is measured stays as it was.
        cases += [*learned[: rule.most_for_training], *(case for case in found if case.part != "train")]
        collections |= passages
        if report:
            report(f"reading {rule.name}", number, len(known))
    return cases, collections


def read_manuals(folder: Path, collections: Collections, *, rng: random.Random) -> list[DocumentCase]:
    """Questions made of the headings of manuals (`tools/fetch_manuals.py`), whose passages join the collections."""
    # Sorted: folders list their files in another order on every machine, and what is drawn depends on it.
    found = [manual_of(read_shaped(path, MANUAL, layout="manuals")) for path in sorted(folder.glob("*.json.gz"))]
    manuals = [manual for manual in found if manual]
    if not manuals:
        raise UserError(f"{folder} has no manual with a permissive licence (NAME.json.gz)")
    verbs, cases = count_words(manuals), []
    for manual in manuals:
        asked, passages = manual_cases(manual, verbs, rng=rng)
        collections[f"manual:{manual.project}"] = passages
        cases += asked
    return cases


def iter_held_out(cases: Sequence[DocumentCase], collections: Collections, *, nearest: Nearest) -> Iterator[Group]:
    """Each question with the best passages of its collection by words and by meaning."""
    limits = Candidates()
    by_collection: dict[str, list[DocumentCase]] = defaultdict(list)
    for case in cases:
        by_collection[case.collection].append(case)
    for name, some in by_collection.items():
        index = WordIndex(passage.read() for passage in collections[name])
        # One index a collection, since most have many questions.
        for case in some:
            found = [*index.best(case.question, limits.by_words), *nearest(case)[: limits.by_meaning]]
            # Once, where it stands first: what both lists have would be counted twice.
            yield group_of_candidates(case, collections[name], dict.fromkeys(found))


def nearest_in(collections: Collections) -> Nearest:
    """Passages of a question's collection by static vectors; none while their tokenizer is not installed."""
    embedder = default_static()
    if embedder is None:
        return lambda case: ()

    # Of a whole collection once: embedding it takes far longer than all products with questions.
    @cache
    def vectors(name: str) -> Vectors:
        return embedder.embed([passage.read() for passage in collections[name]])

    def nearest(case: DocumentCase) -> list[int]:
        cosines = vectors(case.collection) @ embedder.embed([case.question])[0]
        # Ties keep the order of the collection.
        return [int(place) for place in (-cosines).argsort(kind="stable")]

    return nearest
