"""Fetched files: whole, checked and in place, or not there at all."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from expound import resources
from expound.errors import FetchFailed, ResourceDamaged, ResourceMissing, StorageFull, UnknownName, UserError
from expound.resource_table import RESOURCES, Resource, WheelPart

CONTENT = b"the weights" * 1000
TOY = Resource(
    name="toy-model",
    parts=(WheelPart("toy==1.0", "toy/model.bin", 500),),
    file="toy.bin",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    size_bytes=len(CONTENT),
    licence="MIT",
    upstream="https://example.org",
    note="a toy",
)


class FakeIndex:
    """Stands in for pip and the package index: writes a small wheel and counts how often it was asked."""

    def __init__(self, content: bytes = CONTENT, member: str = TOY.parts[0].member) -> None:
        self.content, self.member, self.downloads = content, member, 0

    def __call__(self, requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> None:
        self.downloads += 1
        with zipfile.ZipFile(folder / "toy-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(self.member, self.content)
        on_bytes(10**9)


@pytest.fixture(autouse=True)
def toy_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "RESOURCES", {TOY.name: TOY})


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> FakeIndex:
    fake = FakeIndex()
    monkeypatch.setattr(resources, "pip_download", fake)
    return fake


def test_a_fetched_file_is_in_place_and_whole(index: FakeIndex) -> None:
    assert not resources.is_installed("toy-model")
    path = resources.get("toy-model")
    assert path == resources.path("toy-model") == resources.home() / "resources" / "toy.bin"
    assert path.read_bytes() == CONTENT
    assert resources.verify("toy-model")


def test_a_file_is_fetched_once(index: FakeIndex) -> None:
    resources.ensure(["toy-model"])
    resources.ensure(["toy-model"])
    assert index.downloads == 1


def test_nothing_else_is_left_behind(index: FakeIndex) -> None:
    resources.get("toy-model")
    left = sorted(file.name for file in resources.home().rglob("*") if file.is_file())
    assert left == ["toy-model", "toy-model.lock", "toy.bin"]  # the first is the note that it was checked


def test_progress_ends_at_the_size_of_the_file(index: FakeIndex) -> None:
    seen: list[tuple[str, int, int]] = []
    resources.get("toy-model", progress=lambda *event: seen.append(event))
    assert ("fetching toy-model", 500, 500) in seen
    assert seen[-1] == ("checking toy-model", len(CONTENT), len(CONTENT))


def test_a_missing_file_names_the_command_that_gets_it() -> None:
    with pytest.raises(ResourceMissing, match="expound models get toy-model"):
        resources.path("toy-model")


def test_a_truncated_file_counts_as_missing(index: FakeIndex) -> None:
    resources.get("toy-model").write_bytes(b"short")
    with pytest.raises(ResourceMissing):
        resources.path("toy-model")
    assert resources.get("toy-model").read_bytes() == CONTENT


def test_a_wrong_hash_is_refused(index: FakeIndex) -> None:
    index.content = CONTENT[::-1]
    with pytest.raises(FetchFailed, match="wrong sha256"):
        resources.get("toy-model")
    assert not resources.is_installed("toy-model")


def test_after_a_wrong_hash_the_next_run_downloads_again(index: FakeIndex) -> None:
    index.content = b"tampered with"
    with pytest.raises(FetchFailed):
        resources.get("toy-model")
    index.content = CONTENT
    assert resources.get("toy-model").read_bytes() == CONTENT


def test_a_wheel_without_the_member_is_refused(index: FakeIndex) -> None:
    index.member = "toy/other.bin"
    with pytest.raises(FetchFailed, match="does not hold"):
        resources.get("toy-model")


def test_a_finished_download_is_used_by_the_next_run(index: FakeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(resources, "_append_member", interrupted)
        with pytest.raises(KeyboardInterrupt):
            resources.get("toy-model")
    resources.get("toy-model")
    assert index.downloads == 1


def test_a_full_disk_is_said_in_one_line(index: FakeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(resources, "_append_member", full)
    with pytest.raises(StorageFull, match="disk is full"):
        resources.get("toy-model")


def test_a_verified_file_that_was_changed_is_noticed(index: FakeIndex) -> None:
    resources.get("toy-model").write_bytes(CONTENT[::-1])
    assert not resources.verify("toy-model")


def damage(file: Path) -> None:
    """Change a byte, not the size."""
    content = bytearray(file.read_bytes())
    content[5] ^= 1
    file.write_bytes(bytes(content))


def test_a_damaged_file_of_the_right_size_is_refused_by_name(index: FakeIndex) -> None:
    file = resources.get("toy-model")
    damage(file)
    with pytest.raises(ResourceDamaged, match=r"toy-model is damaged: .*toy\.bin.*run: expound models get toy-model"):
        resources.path("toy-model")


def test_a_damaged_file_of_the_right_size_is_fetched_again(index: FakeIndex) -> None:
    damage(resources.get("toy-model"))
    assert resources.get("toy-model").read_bytes() == CONTENT
    assert resources.path("toy-model").read_bytes() == CONTENT
    assert index.downloads == 2


def test_damage_that_leaves_the_time_as_it_was_is_found_by_get(index: FakeIndex) -> None:
    file = resources.get("toy-model")
    status = file.stat()
    damage(file)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert resources.get("toy-model").read_bytes() == CONTENT


def test_a_file_is_read_again_only_when_it_changed(index: FakeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Path] = []

    def counted(file: Path) -> str:
        reads.append(file)
        return hashlib.sha256(file.read_bytes()).hexdigest()

    monkeypatch.setattr(resources, "sha256_of", counted)
    file = resources.get("toy-model")
    resources._read.clear()  # another process
    resources.path("toy-model")
    assert reads == []
    os.utime(file)  # only touched: read once, and right
    resources.path("toy-model")
    resources.path("toy-model")
    assert reads == [file]


def test_a_file_without_a_note_is_read_once_a_process(index: FakeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    file, reads = resources.get("toy-model"), []
    shutil.rmtree(file.parent / ".checked")
    (file.parent / ".checked").write_text("a file is in the way")
    resources._read.clear()

    def read(path: Path) -> str:
        reads.append(path)
        return TOY.sha256

    monkeypatch.setattr(resources, "sha256_of", read)
    resources.path("toy-model")
    resources.path("toy-model")
    assert len(reads) == 1


def test_a_removed_file_is_gone(index: FakeIndex) -> None:
    resources.get("toy-model")
    assert resources.remove("toy-model")
    assert not resources.is_installed("toy-model")
    assert not resources.remove("toy-model")


def test_a_local_file_takes_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine.bin"
    mine.write_bytes(b"other weights")
    monkeypatch.setenv("EXPOUND_RESOURCE_TOY_MODEL", str(mine))
    assert resources.path("toy-model") == resources.get("toy-model") == mine
    resources.remove("toy-model")
    assert mine.exists()


def test_a_local_file_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_RESOURCE_TOY_MODEL", "nowhere.bin")
    with pytest.raises(ResourceMissing, match=r"EXPOUND_RESOURCE_TOY_MODEL names .*nowhere\.bin"):
        resources.get("toy-model")


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'toy-model'"):
        resources.get("toymodel")


def test_home_must_be_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("EXPOUND_HOME", str(tmp_path / "file"))
    with pytest.raises(UserError, match="is not a folder"):
        resources.home()


def test_without_expound_home_the_platform_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXPOUND_HOME")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert resources.home() == tmp_path / "expound"


def test_an_index_out_of_reach_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _cut_off_pip(monkeypatch)
    with pytest.raises(FetchFailed, match="is the package index reachable") as caught:
        resources.get("toy-model")
    assert "\n" not in str(caught.value)
    assert caught.value.__notes__, "pip's own words are kept for --debug"


def test_two_processes_fetch_once(index: FakeIndex, tmp_path: Path) -> None:
    code = (
        "import time, sys; from pathlib import Path; import test_resources as t; from expound import resources as r\n"
        "r.RESOURCES = {t.TOY.name: t.TOY}; fake = t.FakeIndex(); log = Path(sys.argv[1])\n"
        "def slow(*args): time.sleep(0.3); log.open('a').write('x'); fake(*args)\n"
        "r.pip_download = slow; r.get('toy-model')"
    )
    log, folder = tmp_path / "log", Path(__file__).parent
    children = [subprocess.Popen([sys.executable, "-c", code, str(log)], cwd=folder) for _ in range(2)]
    assert [child.wait(600) for child in children] == [0, 0]
    assert log.read_text() == "x"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, resource in RESOURCES.items() if resource.size_bytes < 100_000_000])
def test_the_small_files_of_the_table_can_be_fetched(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(resources, "RESOURCES", RESOURCES)
    assert resources.get(name).stat().st_size == RESOURCES[name].size_bytes
    assert resources.verify(name)


def test_the_table_is_complete() -> None:
    for name, resource in RESOURCES.items():
        assert replace(resource, name=name.lower()) == resource
        assert len(resource.sha256) == 64
        assert all("==" in part.requirement and part.member and part.download_bytes for part in resource.parts)
        assert all((resource.file, resource.licence, resource.upstream, resource.note))
        assert bool(resource.capability) == resource.file.endswith(".gguf") <= bool(resource.memory_bytes)


def test_names_with_dots_have_a_variable_that_a_shell_accepts() -> None:
    assert resources.override_variable("qwen2.5-coder-1.5b") == "EXPOUND_RESOURCE_QWEN2_5_CODER_1_5B"


def _cut_off_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
