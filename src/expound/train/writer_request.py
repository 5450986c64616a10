"""From what `expound train writer` asks for to a trained writer: on which files, from which base or from nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.files import check_folder
from expound.train.data.writer_files import WriterRow, write_writer_rows
from expound.train.description import Report, TrainingFiles
from expound.train.kinds.writer_kind import WriterKind, describe_writer
from expound.train.loop import train
from expound.train.scratch_writer import sizes_for, sizes_of, write_scratch_base
from expound.train.smoke import iter_groups, shorten
from expound.train.torch_extra import quieten, require_extra
from expound.train.training_settings import TrainingSettings, WriterSettings
from expound.train.writer_bases import SMALL, open_writer_base
from expound.types import Passage

_EACH_HELD_OUT = 3  # one row of the made-up town in so many is measured on


@dataclass(frozen=True)
class WriterRequest:
    """What a writer learns from, what it starts from, and how."""

    files: TrainingFiles
    settings: TrainingSettings
    writing: WriterSettings = field(default_factory=WriterSettings)
    base: str = SMALL
    scratch: str = ""
    """The sizes of a writer that starts from nothing, in place of a base."""
    is_smoke: bool = False
    """A few steps of a tiny writer on a made-up town, whatever the files and the base."""


def train_writer(request: WriterRequest, out: Path, *, report: Report | None = None) -> dict[str, Any]:
    """Train and export; the figures."""
    check_folder(out)
    require_extra(*(["peft"] if request.writing.lora else []))
    quieten()
    request = _make_ready(request, out)
    kind = describe_writer(request.files, Path(), request.writing)
    # The base comes after the data: one from nothing learns its tokenizer from the rows.
    return train(replace(kind, base=_base_of(request, kind, out)), request.settings, out, report=report)


def rehearse_writer(request: WriterRequest, out: Path) -> dict[str, Any]:
    """Read everything and train nothing: what there is to learn from, and how often it would be gone through."""
    check_folder(out)
    request = _make_ready(request, out)
    kind = describe_writer(request.files, Path(), request.writing)
    if request.scratch:
        sizes_of(request.scratch)
    counts, settings, writing = kind.counts(), request.settings, request.writing
    plan = {"steps": settings.steps, "batch": settings.batch, "learning_rate": settings.learning_rate}
    # One pass has every row once for each task.
    passes = settings.steps * settings.batch / (counts["train"] * counts["tasks"])
    chosen = {"shape": writing.shape, "input": writing.input, "k": writing.k, "lora": writing.lora}
    start = f"nothing ({request.scratch})" if request.scratch else request.base
    return {"kind": "writer", "base": start, **chosen, **counts, **plan, "passes": round(passes, 2)}


def _base_of(request: WriterRequest, kind: WriterKind, out: Path) -> Path:
    if not request.scratch:
        return open_writer_base(request.base)
    writing = request.writing
    sizes = sizes_for(request.scratch, writing.most_tokens)
    return write_scratch_base(out / "scratch", kind.rows, sizes, shape=writing.shape, seed=request.settings.seed)


def _make_ready(request: WriterRequest, out: Path) -> WriterRequest:
    if request.is_smoke:
        return _make_smoke(request, out / "smoke")
    if request.scratch and request.writing.lora:
        raise UserError("a writer that starts from nothing has no weights to adapt: --lora 0")
    return request


def _make_smoke(request: WriterRequest, folder: Path) -> WriterRequest:
    """The same choices on a made-up town, from nothing."""
    files = TrainingFiles((folder / "train.jsonl",), (folder / "dev.jsonl",))
    rows = list(_town_rows())
    write_writer_rows(files.dev[0], rows[::_EACH_HELD_OUT])
    write_writer_rows(files.train[0], [row for place, row in enumerate(rows) if place % _EACH_HELD_OUT])
    return replace(request, files=files, scratch="tiny", settings=replace(shorten(request.settings), batch=8))


def _town_rows() -> list[WriterRow]:
    """Who built what, in a sentence, with the sentence that says so."""
    groups = list(iter_groups())
    return [WriterRow(group.question, group.positives[0], (Passage("1", group.positives[0]),)) for group in groups]
