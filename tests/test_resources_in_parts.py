"""Files cut into several wheels: put together piece by piece, and never fetched twice."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound import resources
from expound.errors import FetchFailed, StorageFull
from expound.resource_table import Resource, WheelPart

PIECES = (b"first " * 100, b"second " * 100, b"third")
WHOLE = b"".join(PIECES)
TOY = Resource(
    name="toy-model",
    parts=tuple(WheelPart(f"toy-part{number}==1.0", f"toy/part{number}.bin", 1000) for number in (1, 2, 3)),
    file="toy.gguf",
    sha256=hashlib.sha256(WHOLE).hexdigest(),
    size_bytes=len(WHOLE),
    licence="MIT",
    upstream="https://example.org",
    note="a toy",
    memory_bytes=10,
    capability="reader",
)


class FakeIndex:
    """Stands in for pip: hands out the wheels, and fails or is interrupted on request."""

    def __init__(self, pieces: tuple[bytes, ...] = PIECES) -> None:
        self.pieces, self.asked = dict(zip((part.requirement for part in TOY.parts), pieces, strict=True)), list[str]()
        self.failures: dict[str, BaseException] = {}

    def __call__(self, requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> None:
        self.asked.append(requirement)
        if failure := self.failures.pop(requirement, None):
            raise failure
        member = next(part.member for part in TOY.parts if part.requirement == requirement)
        with zipfile.ZipFile(folder / "toy-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(member, self.pieces[requirement])
        on_bytes(1000)


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> FakeIndex:
    fake = FakeIndex()
    monkeypatch.setattr(resources, "RESOURCES", {TOY.name: TOY})
    monkeypatch.setattr(resources, "pip_download", fake)
    return fake


def requirements(*numbers: int) -> list[str]:
    return [f"toy-part{number}==1.0" for number in numbers]


def left_over() -> list[str]:
    return sorted(file.name for file in resources.home().rglob("*") if file.is_file())


def test_the_parts_are_put_together_in_order(index: FakeIndex) -> None:
    assert resources.get("toy-model").read_bytes() == WHOLE
    assert index.asked == requirements(1, 2, 3)
    assert left_over() == ["toy-model", "toy-model.lock", "toy.gguf"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), FetchFailed("index out of reach")])
def test_finished_parts_are_kept_when_the_fetch_ends_early(index: FakeIndex, failure: BaseException) -> None:
    index.failures = {requirements(2)[0]: failure}
    with pytest.raises(type(failure)):
        resources.get("toy-model")
    assert not resources.is_installed("toy-model")
    assert resources.get("toy-model").read_bytes() == WHOLE
    assert index.asked == requirements(1, 2, 2, 3)


def test_a_part_that_was_half_written_is_written_again_but_not_fetched(
    index: FakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(wheel: Path, part: WheelPart, file: object) -> None:
        assert hasattr(file, "write")
        file.write(b"half a part")
        raise KeyboardInterrupt

    index.failures = {requirements(2)[0]: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        resources.get("toy-model")
    with monkeypatch.context() as patch:
        patch.setattr(resources, "_append_member", half)
        with pytest.raises(KeyboardInterrupt):
            resources.get("toy-model")
    assert resources.get("toy-model").read_bytes() == WHOLE
    assert index.asked == requirements(1, 2, 2, 3)


def test_one_wrong_part_installs_nothing(index: FakeIndex) -> None:
    index.pieces[requirements(2)[0]] = b"tampered with"
    with pytest.raises(FetchFailed, match="wrong sha256"):
        resources.get("toy-model")
    assert left_over() == ["toy-model.lock"]


def test_progress_counts_the_whole_download_and_never_goes_back(index: FakeIndex) -> None:
    seen: list[tuple[str, int, int]] = []
    resources.get("toy-model", progress=lambda *event: seen.append(event))
    counts = [done for title, done, total in seen if title.startswith("fetching") and total == 3000]
    assert counts == sorted(counts)
    assert counts[-1] == 3000
    assert seen[-1] == ("checking toy-model", len(WHOLE), len(WHOLE))


def test_too_small_a_disk_is_said_before_anything_is_fetched(index: FakeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "free_disk_bytes", lambda _folder: 1000)
    with pytest.raises(StorageFull, match=r"toy-model needs .* MB of disk and .* MB are free"):
        resources.get("toy-model")
    assert index.asked == []


def test_the_disk_space_it_takes_is_the_rest_of_the_file_and_a_wheel_on_its_way(index: FakeIndex) -> None:
    assert resources.disk_bytes_to_get("toy-model") == len(WHOLE) + 2000
    index.failures = {requirements(2)[0]: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        resources.get("toy-model")
    assert resources.disk_bytes_to_get("toy-model") == len(WHOLE) - len(PIECES[0]) + 2000


def test_removing_also_throws_away_what_was_half_fetched(index: FakeIndex) -> None:
    index.failures = {requirements(3)[0]: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        resources.get("toy-model")
    resources.remove("toy-model")
    assert left_over() == ["toy-model.lock"]


@given(pieces=st.tuples(st.binary(), st.binary(), st.binary()), stop=st.integers(1, 3))
def test_wherever_it_was_interrupted_the_file_is_whole_in_the_end(pieces: tuple[bytes, ...], stop: int) -> None:
    whole = b"".join(pieces)
    toy = replace(TOY, sha256=hashlib.sha256(whole).hexdigest(), size_bytes=len(whole))
    index = FakeIndex(pieces)
    index.failures = {requirements(stop)[0]: KeyboardInterrupt()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "RESOURCES", {toy.name: toy})
        patch.setattr(resources, "pip_download", index)
        with pytest.raises(KeyboardInterrupt):
            resources.get("toy-model")
        assert resources.get("toy-model").read_bytes() == whole
        resources.remove("toy-model")
