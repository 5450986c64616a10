"""From what a command asks for to a trained model: which kind, on which files, from which base."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound import resources
from expound.errors import BadInput, UnknownName, nearest
from expound.files import check_folder, user_path
from expound.models.reader_windows import MOST_TOKENS
from expound.train.bases import SHIPPED_READER, check_base, check_room, files_of_base, open_base
from expound.train.data.span_groups import SpanFiles
from expound.train.description import Description, Report, TrainingFiles
from expound.train.kinds.nli_kind import describe_nli
from expound.train.kinds.ranker_kind import describe_ranker
from expound.train.kinds.reader_kind import describe_reader
from expound.train.kinds.retriever_kind import describe_retriever
from expound.train.kinds.rewriter_kind import describe_rewriter
from expound.train.kinds.sentences_kind import describe_sentences
from expound.train.kinds.tagger_kind import describe_tagger
from expound.train.loop import train
from expound.train.smoke import shorten, smoke_files, smoke_questions, write_tiny_base
from expound.train.torch_extra import quieten, require_extra
from expound.train.training_settings import (
    NliSettings,
    RankerSettings,
    ReaderSettings,
    RetrieverSettings,
    RewriterSettings,
    TaggerSettings,
    TrainingSettings,
)

KINDS = ("reader", "ranker", "retriever", "sentences", "tagger", "rewriter", "nli")


@dataclass(frozen=True)
class TrainingRequest:
    """A kind of model, what it learns from, what it starts from, and how."""

    kind: str
    files: TrainingFiles | SpanFiles
    base: str
    settings: TrainingSettings
    most_tokens: int
    is_smoke: bool = False
    """A few steps of a tiny model on a made-up town, whatever the files and the base."""


def needed_files(request: TrainingRequest, out: Path, *, dry_run: bool = False) -> tuple[str, ...]:
    """The fetched files that a training starts from; what is wrong already is told before they are fetched."""
    check_folder(out)
    if not dry_run:
        require_extra()
    if request.is_smoke:
        return ()
    files = request.files
    for file in () if isinstance(files, SpanFiles) else (*files.train, *files.dev):
        if not user_path(str(file)).exists():
            raise BadInput(f"no such file: {file}")
    if dry_run:
        return ()
    needed = files_of_base(request.base)
    # Reading rows twice costs less than fetching a base for nothing; spans of documents take minutes to find.
    if resources.find_missing(needed) and not isinstance(files, SpanFiles):
        describe(request, Path(request.base))
    return needed


def fulfil(request: TrainingRequest, out: Path, *, report: Report | None = None) -> dict[str, Any]:
    """Train and export; the figures."""
    check_folder(out)
    require_extra()
    quieten()
    if request.is_smoke:
        # In a folder of its own, so that a smoke test never touches a real run's files.
        request = _make_smoke(request, out / "smoke")
        write_tiny_base(Path(request.base))
    base = open_base(request.base)
    # A reader is measured on windows as long as the product's, whatever it was trained on.
    check_room(base, MOST_TOKENS if request.kind == "reader" else request.most_tokens)
    description = describe(request, base, report=report)
    return train(description, request.settings, out, report=report)


def rehearse(request: TrainingRequest, out: Path) -> dict[str, Any]:
    """Read everything and train nothing: what there is to learn from, and how often it would be gone through."""
    check_folder(out)
    if request.is_smoke:
        request = _make_smoke(request, out / "smoke")
    else:
        check_base(request.base)
    # Its weights are not read: nothing has to be fetched to see what there is to learn from.
    counts = describe(request, Path(request.base)).counts()
    settings = request.settings
    plan = {"steps": settings.steps, "batch": settings.batch, "learning_rate": settings.learning_rate}
    passes = settings.steps * settings.batch / counts["train"]
    return {"kind": request.kind, "base": request.base, **counts, **plan, "passes": round(passes, 2)}


def describe(request: TrainingRequest, base: Path, *, report: Report | None = None) -> Description[Any]:
    """The kind of model that is asked for, with its data read."""
    files, tokens, seed = request.files, request.most_tokens, request.settings.seed
    if isinstance(files, SpanFiles):
        return describe_sentences(files, base, RankerSettings(most_tokens=tokens), seed=seed, report=report)
    if request.kind == "reader":
        return describe_reader(files, base, ReaderSettings(most_tokens=tokens, seed=seed))
    if request.kind == "ranker":
        return describe_ranker(files, base, RankerSettings(most_tokens=tokens))
    if request.kind == "retriever":
        return describe_retriever(files, base, RetrieverSettings(most_tokens=tokens))
    if request.kind == "tagger":
        return describe_tagger(files, base, TaggerSettings(most_tokens=tokens))
    if request.kind == "rewriter":
        # The shipped reader is read as the product has it, not as its weights brought back to float32.
        return describe_rewriter(files, None if request.base == SHIPPED_READER else base, RewriterSettings())
    if request.kind == "nli":
        return describe_nli(files, base, NliSettings(most_tokens=tokens))
    raise UnknownName(f"no kind of model named {request.kind!r}; {nearest(request.kind, KINDS)}")


def _make_smoke(request: TrainingRequest, folder: Path) -> TrainingRequest:
    if isinstance(request.files, SpanFiles):
        files: TrainingFiles | SpanFiles = SpanFiles((smoke_questions(folder),), (), ())
    else:
        files = smoke_files(request.kind, folder)
    return replace(request, files=files, base=str(folder / "base"), settings=shorten(request.settings))
