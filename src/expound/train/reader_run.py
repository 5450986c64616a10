"""The whole way of a reader: files in, training, threshold, exported model and figures out."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from expound.errors import UserError
from expound.files import sha256_of, written_whole
from expound.models.reader_windows import WindowCutter
from expound.protocols import Reader
from expound.train.curve import draw_curve
from expound.train.export import export_reader
from expound.train.reader import Settings, read_with, train
from expound.train.reader_data import ReaderRules, build_reader_data
from expound.train.reader_figures import Judged, choose_offset, judge, squad_figures
from expound.train.sources import DataFiles, iter_jsonl
from expound.train.squad import Reading, read_squad, write_squad

Report: TypeAlias = Callable[[str, int, int], None]
MODEL, EXPORTED, FIGURES, CURVE = "model", "reader.onnx", "figures.json", "curve.svg"
_CHECKED_PAIRS = 100


@dataclass(frozen=True)
class ReaderFiles:
    """What a reader is made of: SQuAD-layout files and the folder of the model to start from."""

    train: tuple[Path, ...]
    dev: tuple[Path, ...]
    base: Path


def train_and_export(files: ReaderFiles, settings: Settings, out: Path, *, report: Report) -> dict[str, Any]:
    """Train, or go on training, then write the model, its ONNX file, its figures and its curve; the figures."""
    needs_extra()
    if not (files.train and files.dev):
        raise UserError("a reader needs files to train on and to choose its threshold by: --train FILE --dev FILE")
    readings = [reading for path in files.train for reading in read_squad(path)]
    dev = {path.name.split(".")[0]: read_squad(path) for path in files.dev}
    cutter = WindowCutter(files.base / "tokenizer.json")

    def measure(model: Any, step: int) -> dict[str, float]:
        report("measuring", step, settings.steps)
        return dev_figures(judge_all(model, dev, cutter))

    def progress(done: int, total: int) -> None:
        report("training", done, total)

    model = train(readings, settings, base=files.base, out=out, measure=measure, progress=progress)
    save_model(model, files.base, out / MODEL)
    return export_and_measure(model, dev, cutter, out)


def export_and_measure(model: Any, dev: dict[str, list[Reading]], cutter: WindowCutter, out: Path) -> dict[str, Any]:
    """Choose the threshold, export, and write down the figures and the curve."""
    figures: dict[str, Any] = dev_figures(judge_all(model, dev, cutter))
    pairs = [(reading.question, reading.context) for readings in dev.values() for reading in readings]
    check = [window for windows in cutter.windows(pairs[:_CHECKED_PAIRS]) for window in windows]
    parity = export_reader(model, out / EXPORTED, check=check, offset=figures["offset"])
    figures |= {"largest_logit_difference": parity.largest, "mean_logit_difference": parity.mean}
    figures["sha256"] = sha256_of(out / EXPORTED)
    with written_whole(out / FIGURES) as file:
        json.dump(figures, file, indent=2)
    if importlib.util.find_spec("matplotlib"):
        draw_curve(out / "log.jsonl", out / CURVE, figures=[f"{name}_f1" for name in dev])
    return figures


def judge_all(model: Any, dev: dict[str, list[Reading]], cutter: WindowCutter) -> dict[str, list[Judged]]:
    """Every dev file with what the model reads."""
    return {
        name: judge(readings, read_with(model, [(r.question, r.context) for r in readings], cutter))
        for name, readings in dev.items()
    }


def dev_figures(judged: dict[str, list[Judged]]) -> dict[str, float]:
    """The chosen offset, and the figures of every dev file with it."""
    offset = choose_offset(judged)
    return {
        "offset": offset,
        **{
            f"{name}_{key}": v for name, part in judged.items() for key, v in squad_figures(part, offset=offset).items()
        },
    }


def measure_exported(reader: Reader, files: Sequence[Path]) -> dict[str, dict[str, float]]:
    """SQuAD 2.0's figures of a reader on each file, with the answers it gives."""
    figures = {}
    for path in files:
        readings = read_squad(path)
        spans = reader.read([(reading.question, reading.context) for reading in readings])
        figures[path.name] = squad_figures(judge(readings, spans))
    return figures


def save_model(model: Any, base: Path, folder: Path) -> None:
    """Write weights and tokenizer so that another run can start from them."""
    model.save_pretrained(str(folder))
    shutil.copyfile(base / "tokenizer.json", folder / "tokenizer.json")


def needs_extra() -> None:
    """Say what to install if the libraries for training are not there."""
    missing = [name for name in ("torch", "transformers", "onnx") if importlib.util.find_spec(name) is None]
    if missing:
        raise UserError(f"training needs {', '.join(missing)}: pip install 'expound[train]'")


def write_reader_data(
    files: DataFiles, out: Path, *, seed: int, keep_out: Iterable[Path], report: Report
) -> dict[str, list[Reading]]:
    """Build the training files of the shipped reader into a folder; what is in each."""
    kept_out = [record["question"] for path in keep_out for record in iter_jsonl(path)]
    data = build_reader_data(files, ReaderRules(), seed=seed, keep_out=kept_out)
    contents = data.files()
    for done, (name, readings) in enumerate(contents.items(), start=1):
        write_squad(out / name, readings)
        report("writing", done, len(contents))
    return contents
