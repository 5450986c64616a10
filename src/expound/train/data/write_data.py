"""Write the training files of the shipped reader and ranker, of rankers of documents, and of retrievers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from expound.files import check_folder
from expound.train.data.dataset_files import DataFiles
from expound.train.data.distant_labels import Labelling
from expound.train.data.document_data import build_document_data
from expound.train.data.file_shapes import ASKED, iter_shaped
from expound.train.data.group_files import Group, write_groups
from expound.train.data.pair_data import build_pair_data
from expound.train.data.ranker_data import build_ranker_data, thin
from expound.train.data.reader_data import ReaderRules, build_reader_data
from expound.train.data.squad_layout import write_squad
from expound.train.description import Report

Contents: TypeAlias = dict[str, list[bool]]
"""Of each question in a file, by its name: does it have an answer there?"""


def write_shipped_data(
    kind: str, files: DataFiles, out: Path, *, seed: int, keep_out: Iterable[Path] = (), report: Report | None = None
) -> Contents:
    """Build the training files of the shipped `reader` or `ranker` into a folder."""
    check_folder(out)
    kept_out = [record["question"] for path in keep_out for record in iter_shaped(path, ASKED)]
    if kind == "reader":
        return write_reader_data(files, out, seed=seed, keep_out=kept_out, report=report)
    data = build_ranker_data(files, Labelling(), seed=seed, keep_out=kept_out)
    # Dev stays whole: it says how good a mixture is, and must not change with it.
    return write_group_files(out, {"train": thin(data.groups), "dev": data.dev})


def write_reader_data(
    files: DataFiles, out: Path, *, seed: int, keep_out: Iterable[str], report: Report | None = None
) -> Contents:
    """Seven files in the SQuAD 2.0 layout."""
    contents = build_reader_data(files, ReaderRules(), seed=seed, keep_out=keep_out).files()
    for done, (name, examples) in enumerate(contents.items(), start=1):
        write_squad(out / name, examples)
        if report:
            report("writing", done, len(contents))
    return {name: [bool(example.answers) for example in examples] for name, examples in contents.items()}


def write_document_data(
    sets: Path, out: Path, *, manuals: Path | None = None, seed: int, report: Report | None = None
) -> Contents:
    """Groups of questions to documents."""
    check_folder(out)
    return write_group_files(out, build_document_data(sets, manuals, seed=seed, report=report))


def write_pair_data(train: Sequence[str], out: Path, *, keep_out: Sequence[str] = (), most: int = 0) -> Contents:
    """Groups of questions with their long answers."""
    check_folder(out)
    return write_group_files(out, build_pair_data(train, keep_out, most=most))


def write_group_files(out: Path, parts: Mapping[str, list[Group]]) -> Contents:
    """A file of groups for each part."""
    for name, groups in parts.items():
        write_groups(out / f"{name}.jsonl", groups)
    return {f"{name}.jsonl": [bool(group.positives) for group in groups] for name, groups in parts.items()}
