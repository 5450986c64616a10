"""From what `expound train answers` asks for to models that list all answers, taught by what they find together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.files import check_folder, write_whole
from expound.models.answer_lister import AnswerLister, ListRequest
from expound.records import read_json
from expound.train.cotraining import label_partial
from expound.train.data.answer_lists import AnswerList, read_answer_lists, write_answer_lists
from expound.train.data.writer_files import write_writer_rows
from expound.train.description import Report, TrainingFiles, hash_of
from expound.train.scratch_writer import sizes_of
from expound.train.smoke import RATE, STEPS, iter_answer_lists
from expound.train.writer_request import WriterRequest, train_writer

# As many as recipes write answers at once: a step of writing reads the weights once for all of them.
_ASKED_TOGETHER = 10
_EACH_PARTIAL = 3  # one question of the made-up town in so many is known in part


@dataclass(frozen=True)
class CotrainRequest:
    """Questions with all their answers, questions with one, and how the models are trained.

    The paper has six models and two rounds (AmbigQA, appendix D).
    """

    full: Path
    partial: Path | None
    writer: WriterRequest
    models: int = 6
    rounds: int = 2
    final: int = 0
    """Models after the last round; 0 is as many as in a round."""
    is_smoke: bool = False
    """Two tiny models and one round on a made-up town, whatever the files and the base."""


def rehearse_cotrain(request: CotrainRequest, out: Path) -> dict[str, Any]:
    """Read everything and train nothing: the questions of both sets, and how many models would be trained."""
    check_folder(out)
    request = _make_ready(request, out)
    full, partial = _read_sets(request)
    if request.writer.scratch:
        sizes_of(request.writer.scratch)
    # Nothing is there to label: the final models are then trained on the full set alone.
    rounds = request.rounds if partial else 0
    settings = request.writer.settings
    return {
        "kind": "answers",
        "base": request.writer.scratch or request.writer.base,
        "full": len(full),
        "partial": len(partial),
        "rounds": rounds,
        # Each round trains all of them anew, and so does the end.
        "models": request.models * rounds + (request.final or request.models),
        "steps": settings.steps,
        "batch": settings.batch,
    }


def cotrain(request: CotrainRequest, out: Path, *, report: Report | None = None) -> dict[str, Any]:
    """Train, label what is known in part, train on all of it; what became of the questions, and the models' figures."""
    check_folder(out)
    request = _make_ready(request, out)
    full, partial = _read_sets(request)
    rounds: list[dict[str, int]] = []
    grown = full
    for number in range(1, request.rounds + 1 if partial else 1):
        folder = out / f"round-{number}"
        models = _train_models(request, grown, folder, report, count=request.models)
        # A model after another: to hold all of them at once would take the memory of all.
        labelled = label_partial(partial, [_cast_ballot(model, partial, report) for model, _ in models])
        # From the full set anew: what an earlier round believed has to be found again.
        grown = [*full, *labelled.several, *labelled.single]
        write_answer_lists(folder / "grown.jsonl", grown)
        rounds.append(labelled.counts())
    final = _train_models(request, grown, out / "final", report, count=request.final or request.models)
    return {"full": len(full), "partial": len(partial), "rounds": rounds, "models": [figures for _, figures in final]}


def _make_ready(request: CotrainRequest, out: Path) -> CotrainRequest:
    if not request.is_smoke:
        return request
    full, partial = out / "smoke" / "full.jsonl", out / "smoke" / "partial.jsonl"
    town = list(iter_answer_lists())
    write_answer_lists(full, [row for place, row in enumerate(town) if place % _EACH_PARTIAL])
    write_answer_lists(partial, [replace(row, answers=row.answers[:1]) for row in town[::_EACH_PARTIAL]])
    settings = replace(request.writer.settings, steps=STEPS, learning_rate=RATE, batch=8, log_every=5)
    writing = replace(request.writer.writing, lora=0, most_tokens=64, answer_words=12)
    writer = replace(request.writer, settings=settings, writing=writing, scratch="tiny", files=TrainingFiles((), ()))
    return CotrainRequest(full, partial, writer, models=2, rounds=1)


def _cast_ballot(model: Path, partial: Sequence[AnswerList], report: Report | None) -> list[list[str]]:
    """What a model adds to the known answer of every question; kept, so that a run that was stopped asks none twice."""
    file, identity = model.parent / "ballot.json", hash_of(partial)
    if file.is_file() and (kept := read_json(file))["identity"] == identity:
        ballot: list[list[str]] = kept["ballot"]
        return ballot
    ballot = []
    for start in range(0, len(partial), _ASKED_TOGETHER):
        some = [
            ListRequest(row.question, row.documents, row.answers) for row in partial[start : start + _ASKED_TOGETHER]
        ]
        ballot += AnswerLister(str(model)).list_together(some)
        if report:
            report("listing answers", len(ballot), len(partial))
    with write_whole(file) as out:
        json.dump({"identity": identity, "ballot": ballot}, out)
    return ballot


def _train_models(
    request: CotrainRequest, rows: Sequence[AnswerList], folder: Path, report: Report | None, *, count: int
) -> list[tuple[Path, dict[str, Any]]]:
    """The models of a round, which differ in their seed; those that are there already are not trained again."""
    files = {
        "train.jsonl": rows,
        "dev.jsonl": [row for path in request.writer.files.dev for row in read_answer_lists(path)],
    }
    for name, part in files.items():
        write_writer_rows(folder / name, [row.as_row() for row in part])
    dev = (folder / "dev.jsonl",) if files["dev.jsonl"] else ()
    asked = replace(request.writer, files=TrainingFiles((folder / "train.jsonl",), dev))
    made = []
    for number in range(1, count + 1):
        settings = replace(asked.settings, seed=asked.settings.seed + number)
        out = folder / f"model-{number}"
        figures = train_writer(replace(asked, settings=settings), out, report=report)
        made.append((out / "model", figures))
    return made


def _read_sets(request: CotrainRequest) -> tuple[list[AnswerList], list[AnswerList]]:
    partial = read_answer_lists(request.partial, are_single=True) if request.partial else []
    for path in request.writer.files.dev:
        read_answer_lists(path)  # said now, and not after hours of the first round
    return read_answer_lists(request.full), partial
