"""Datasets of the Hugging Face hub: their Parquet files, rewritten once in the layout that the official file has.

A name is `hub://OWNER/NAME[/CONFIG][@SPLIT]`. Only Parquet is read, by DuckDB: no script of a dataset is ever run. What
was fetched stays in EXPOUND_HOME/cache/hub, so a second use needs no network.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from expound import resources
from expound.errors import BadInput, FetchFailed, UserError
from expound.files import write_whole

PREFIX = "hub://"
# No dot and no dash at its beginning: such a name would be a hidden folder or an option.
_WORD = r"[A-Za-z0-9_][\w.-]*"
_NAME = re.compile(rf"(?P<repository>{_WORD}/{_WORD})(?:/(?P<config>{_WORD}))?(?:@(?P<split>{_WORD}))?", re.ASCII)
# Where the hub keeps its own conversion of datasets that are not Parquet themselves.
_REVISIONS = ("main", "refs/convert/parquet")
_ROWS_AT_ONCE = 500  # rows with long documents stay within some megabytes
# Without a bound a lost connection is waited for without end. A round figure.
_TIMEOUT_SECONDS = 30

Row = dict[str, Any]


@dataclass(frozen=True)
class HubName:
    """A dataset on the hub, and which part of it."""

    repository: str
    config: str = ""
    split: str = ""

    @property
    def file_stem(self) -> str:
        """A file name for this part of it: `asqa-dev`."""
        return "-".join(filter(None, (self.repository.partition("/")[2], self.config, self.split)))


# Layouts whose rows the hub keeps in another shape, or whose parts have names of their own.
_DEFAULTS = {
    "asqa": HubName("", "", "dev"),
    "ambignq": HubName("", "light", "validation"),
    "eli5-category": HubName("", "", "validation1"),
    "kilt": HubName("", "eli5", "validation"),
}


def parse(layout: str, path: str) -> HubName:
    """Read `hub://OWNER/NAME[/CONFIG][@SPLIT]`; without a split it is the layout's validation set."""
    match = _NAME.fullmatch(path.removeprefix(PREFIX))
    if match is None:
        raise UserError(f"cannot read {path!r}: write {layout}:{PREFIX}OWNER/NAME[/CONFIG][@SPLIT]")
    # Hubs call their evaluation parts differently: the layout knows the usual one.
    usual = _DEFAULTS.get(layout, HubName("", "", "validation"))
    return HubName(match["repository"], match["config"] or usual.config, match["split"] or usual.split)


def fetch(layout: str, path: str) -> Path:
    """The file of a hub's dataset in the layout's official form; fetched when it is not there yet."""
    name = parse(layout, path)
    folder = resources.home_folder("cache", "hub") / name.repository.replace("/", "--")
    # With the layout in its name: another layout makes another file of the same data.
    target = folder / f"{name.file_stem}.{layout}{'.json' if layout == 'asqa' else '.jsonl'}"
    if not target.exists():
        files = _parquet_files(name, layout)
        folder.mkdir(parents=True, exist_ok=True)
        # Row by row from Parquet into the file: large datasets never are in memory.
        _write(target, map(_SHAPES.get(layout, dict), _rows(files)), as_list=target.suffix == ".json")
    return target


def list_files(repository: str, revision: str) -> list[str]:
    """The paths of a dataset's files on the hub."""
    # Not list_repo_files: without a network it tries for half a minute.
    found = _library().HfApi().dataset_info(repository, revision=revision, timeout=_TIMEOUT_SECONDS)
    return [str(file.rfilename) for file in found.siblings or ()]


def download(repository: str, file: str, revision: str) -> Path:
    """A file of a dataset, from the hub or from what its library has kept."""
    return Path(_library().hf_hub_download(repository, file, repo_type="dataset", revision=revision))


def _library(name: str = "huggingface_hub") -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise UserError(
            "names of a hub need an extra: pip install 'expound[hub]'; or download the file and write LAYOUT:PATH"
        ) from error


def _parquet_files(name: HubName, layout: str) -> list[Path]:
    try:
        for revision in _REVISIONS:
            chosen = files_of(name, list_files(name.repository, revision))
            if chosen:
                # The first revision that has any: the hub's conversion is a fallback.
                return [download(name.repository, file, revision) for file in chosen]
    # The missing extra, told above: it is no fault of the network.
    except UserError:
        raise
    except Exception as error:  # the library has errors of its own and those of its HTTP client
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FetchFailed(
            f"{PREFIX}{name.repository} cannot be fetched ({reason:.200}); check the name and the network, or download "
            f"the file elsewhere and write {layout}:PATH"
        ) from error
    part = f"the split {name.split!r}" + (f" of {name.config!r}" if name.config else "")
    raise BadInput(f"{PREFIX}{name.repository} has no Parquet file of {part}; name another: …/CONFIG@SPLIT")


def files_of(name: HubName, paths: Iterable[str]) -> list[str]:
    """The Parquet files of a configuration and a split: `CONFIG/SPLIT-….parquet` or `CONFIG/SPLIT/….parquet`."""
    found = []
    for path in map(PurePosixPath, paths):
        folders = path.parent.parts
        # Shards are called `SPLIT-00000-of-…`.
        is_split = path.stem == name.split or path.stem.startswith(f"{name.split}-") or name.split in folders
        if path.suffix == ".parquet" and is_split and (not name.config or name.config in folders):
            found.append(str(path))
    # The hub lists files in no promised order, and shards are numbered.
    return sorted(found)


def _rows(files: Sequence[Path]) -> Iterator[Row]:
    duckdb = _library("duckdb")
    try:
        cursor = duckdb.connect().execute("SELECT * FROM read_parquet(?)", [[str(file) for file in files]])
        columns = [column[0] for column in cursor.description or ()]
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            for row in rows:
                yield dict(zip(columns, row, strict=True))
    except duckdb.Error as error:
        raise BadInput(f"{files[0]} cannot be read as Parquet ({str(error).splitlines()[0]})") from error


def _write(target: Path, rows: Iterator[Row], *, as_list: bool) -> None:
    """A JSON list, or a line a row."""
    opening, between, closing = ("[", ",\n", "]\n") if as_list else ("", "\n", "\n")
    with write_whole(target) as file:
        file.write(opening)
        for number, row in enumerate(rows):
            # Dates and the like become texts, as in the official files.
            file.write((between if number else "") + json.dumps(row, ensure_ascii=False, default=str))
        file.write(closing)


# -- the shapes that differ


def _asqa(row: Row) -> Row:
    return {**row, "id": row["sample_id"]}


def _ambignq(row: Row) -> Row:
    """Lists of annotations and pairs, where the hub has one object of lists."""
    annotations = []
    for annotation in unfold(row["annotations"]):
        if annotation["type"] == "singleAnswer":
            annotations.append({"type": annotation["type"], "answer": annotation["answer"]})
        else:
            annotations.append({"type": annotation["type"], "qaPairs": unfold(annotation["qaPairs"])})
    full = {"used_queries": unfold(row["used_queries"])} if "used_queries" in row else {}
    return {**row, "annotations": annotations, **full}


def _kilt(row: Row) -> Row:
    """Without the empty values that the hub puts where KILT has none."""
    # KILT leaves out what it does not have; an empty list of pages would count as provenance that nobody can find.
    return {**row, "output": [{key: value for key, value in output.items() if value} for output in row["output"]]}


def unfold(value: Mapping[str, Sequence[Any]] | Sequence[Row]) -> list[Row]:
    """`{"a": [1, 2], "b": [3, 4]}` as `[{"a": 1, "b": 3}, {"a": 2, "b": 4}]`; a list stays as it is."""
    if not isinstance(value, Mapping):
        return list(value)
    return [dict(zip(value, items, strict=True)) for items in zip(*value.values(), strict=True)]


_SHAPES: Mapping[str, Callable[[Row], Row]] = {"asqa": _asqa, "ambignq": _ambignq, "kilt": _kilt}
