"""Two processes that `accelerate launch` starts end with the weights of one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.train.checkpoint import CHECKPOINT
from expound.train.cotrain_request import CotrainRequest
from expound.train.kinds.retriever_kind import RetrieverKind
from expound.train.kinds.writer_kind import WriterKind
from expound.train.loop import train
from expound.train.scratch_writer import sizes_of, write_scratch_base
from expound.train.smoke import iter_groups, write_tiny_base
from expound.train.team import Team
from expound.train.training_settings import WriterSettings
from train.test_cotraining import new_request
from train.test_writer_kind import town_rows
from train.toymodel import SETTINGS as TOY_SETTINGS
from train.toymodel import Toy, new_items

HERE = Path(__file__).parent
SCRIPT = """
import os, sys
from pathlib import Path
from expound.errors import UserError
from expound.train.loop import train
from expound.train.cotrain_request import cotrain
from train.test_team import SETTINGS, Plain, cotraining, descriptions

out = Path(sys.argv[1])
for name, description in descriptions(out).items():
    train(description, SETTINGS, out / name)
cotrain(cotraining(out), out / "cotrained")
Path(out, "process" + os.environ["RANK"]).touch()
try:
    train(Plain(), SETTINGS, out / ("own" + os.environ["RANK"]))
except UserError as error:
    Path(out, "said" + os.environ["RANK"]).write_text(str(error))
"""
# Three items to two processes: one has twice as many, and the last batch of a pass has one item.
SETTINGS = replace(TOY_SETTINGS, batch=3, learning_rate=1e-3)


class Plain(Toy):
    """Without dropout: shares of a batch would have cells of their own dropped."""

    def new_model(self) -> Any:
        from torch import nn

        return nn.Sequential(nn.Linear(4, 8), nn.Identity(), nn.Linear(8, 1))


def descriptions(folder: Path) -> dict[str, Any]:
    """What is trained by two processes and by one: items alone, tokens that are counted, texts that stand together."""
    rows = [replace(row, answer=row.answer + " once more" * place) for place, row in enumerate(town_rows()[:7])]
    writing = WriterSettings(lora=0, most_tokens=96, answer_words=40)
    base = write_scratch_base(folder / "writer-base", rows, sizes_of("tiny"), shape="causal", seed=3)
    tiny = folder.parent / "base"
    retriever = RetrieverKind(list(iter_groups())[:7], (), tiny)
    return {"items": Plain(new_items()[:19]), "writer": WriterKind(rows, (), base, writing), "retriever": retriever}


def cotraining(folder: Path) -> CotrainRequest:
    """Two models that are asked, as soon as they are trained, what they add; a few steps of each."""
    folder.mkdir(parents=True, exist_ok=True)
    request = new_request(folder)
    settings = replace(request.writer.settings, steps=3, batch=2)
    return replace(request, writer=replace(request.writer, settings=settings))


def weights_in(out: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    found: dict[str, Any] = load_file(out / CHECKPOINT)
    return found


def test_alone_everything_is_as_it_is() -> None:
    team = Team()
    assert team.is_first
    assert team.share([1, 2, 3]) == [1, 2, 3]
    assert team.agree(2.5) == 2.5


def test_every_item_of_a_batch_is_somebodys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.train.team._join", lambda: None)
    monkeypatch.setenv("WORLD_SIZE", "2")
    shares = []
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        shares.append(Team().share([1, 2, 3]))
    assert shares == [[1, 3], [2]]
    assert Team().share([7]) == [7]
    assert not Team().is_first


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which two processes have trained."""
    for library in ("torch", "transformers", "onnx", "accelerate"):
        pytest.importorskip(library)
    folder = tmp_path_factory.mktemp("team")
    write_tiny_base(folder / "base")
    script = folder / "team.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path]), "OMP_NUM_THREADS": "1"}
    launch = [
        sys.executable,
        "-m",
        "accelerate.commands.launch",
        "--multi_gpu",
        "--num_processes=2",
        "--num_machines=1",
    ]
    more = ["--mixed_precision=no", "--dynamo_backend=no", "--main_process_port=0", str(script), str(folder / "two")]
    done = subprocess.run([*launch, *more], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list((folder / "two").glob("process*"))) == 2
    return folder / "two"


@pytest.mark.parametrize("kind", ["items", "writer", "retriever"])
def test_two_processes_end_with_the_weights_of_one(two: Path, tmp_path: Path, kind: str) -> None:
    train(descriptions(two)[kind], SETTINGS, tmp_path / "one")
    one, both = weights_in(tmp_path / "one"), weights_in(two / kind)
    for name, weight in one.items():
        # Attention does not change with it: its gradient is nothing but rounding, which Adam makes large.
        if name.endswith("key.bias"):
            continue
        assert both[name].flatten().tolist() == pytest.approx(weight.flatten().tolist(), abs=1e-5), name
    assert json.loads((two / kind / "figures.json").read_text())["steps"] == SETTINGS.steps


def test_two_processes_co_train_together(two: Path) -> None:
    for number in (1, 2):
        ballot = json.loads((two / f"cotrained/round-1/model-{number}/ballot.json").read_text())["ballot"]
        assert len(ballot) == 1  # of the one question that is known in part
        figures = json.loads((two / f"cotrained/final/model-{number}/figures.json").read_text())
        assert figures["ended"] == "all steps taken"


def test_processes_that_do_not_see_the_same_folder_say_so(two: Path) -> None:
    said = [(two / f"said{rank}").read_text() for rank in (0, 1)]
    assert all("do not share" in text and "--out" in text for text in said)
