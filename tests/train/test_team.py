"""Two processes that `accelerate launch` starts end with the weights of one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from expound.train.checkpoint import CHECKPOINT
from expound.train.loop import train
from expound.train.team import Team
from train.toymodel import SETTINGS, Toy

HERE = Path(__file__).parent
SCRIPT = """
import os, sys
from pathlib import Path
from expound.train.loop import train
from train.test_team import Plain
from train.toymodel import SETTINGS
train(Plain(), SETTINGS, Path(sys.argv[1]))
Path(sys.argv[1], "process" + os.environ["RANK"]).touch()
"""


class Plain(Toy):
    """Without dropout: shares of a batch would have cells of their own dropped."""

    def new_model(self) -> Any:
        from torch import nn

        return nn.Sequential(nn.Linear(4, 8), nn.Identity(), nn.Linear(8, 1))


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


@pytest.mark.usefixtures("has_torch")
def test_two_processes_end_with_the_weights_of_one(tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    script = tmp_path / "team.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "OMP_NUM_THREADS": "1"}
    launch = [
        sys.executable,
        "-m",
        "accelerate.commands.launch",
        "--multi_gpu",
        "--num_processes=2",
        "--num_machines=1",
    ]
    more = ["--mixed_precision=no", "--dynamo_backend=no", "--main_process_port=0", str(script), str(tmp_path / "two")]
    done = subprocess.run([*launch, *more], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "two").glob("process*"))) == 2
    train(Plain(), SETTINGS, tmp_path / "one")
    one, two = weights_in(tmp_path / "one"), weights_in(tmp_path / "two")
    for name, weight in one.items():
        assert two[name].flatten().tolist() == pytest.approx(weight.flatten().tolist(), abs=1e-5)
    assert json.loads((tmp_path / "two" / "figures.json").read_text())["steps"] == SETTINGS.steps
