"""Fetch the real documents that the suite asks about: packages by name, unpacked, only the files that are read.

    python tools/fetch_documents.py FOLDER [--collection NAME ...]

Each collection lands in FOLDER/<name>/. What is there already is left alone; to fetch it again, delete that folder.
The documents are not ours to ship, so the repository holds their packages' names alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

COLLECTIONS = Path(__file__).resolve().parent.parent / "src/expound/recipes/real_documents/collections.toml"
WILD = frozenset("*?[")


class FetchFailed(Exception):
    """A package could not be had; the message says what to do next."""


@dataclass(frozen=True)
class Collection:
    """Some documents of one package. `version` is what the questions were written for."""

    name: str
    half: str
    source: str
    package: str
    version: str
    paths: tuple[str, ...]
    formats: tuple[str, ...]


@dataclass(frozen=True)
class Client:
    """The program that fetches packages of a source, and how it spells a package with its version."""

    program: str
    pinned: str
    install: str


CLIENTS = {
    "debian": Client("apt-get", "{package}={version}", "run this on Debian or a system made from it"),
    "pypi": Client("pip", "{package}=={version}", "install pip"),
    "npm": Client("npm", "{package}@{version}", "install Node.js, which brings npm"),
}


def main() -> None:
    """Fetch every named collection; say of each where it is, and at the end which could not be had."""
    arguments = parse_arguments()
    failures = [
        collection.name for collection in wanted(arguments.collection) if not fetched(collection, arguments.folder)
    ]
    if failures:
        sys.exit(f"not fetched: {', '.join(failures)}; run the same command again to go on")


def parse_arguments() -> argparse.Namespace:
    """The folder, and the collections if not all are wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--collection", action="append", default=[], metavar="NAME", help="only this one; repeatable")
    return parser.parse_args()


def read_collections(text: str) -> list[Collection]:
    """The collections of `collections.toml`, in its order."""
    return [read_collection(name, table) for name, table in tomllib.loads(text).items()]


def read_collection(name: str, table: dict[str, Any]) -> Collection:
    """One table of `collections.toml`; lists become tuples, since a collection does not change."""
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Collection(name=name, **fields)


def wanted(names: list[str]) -> list[Collection]:
    """The collections of these names, or all."""
    collections = read_collections(COLLECTIONS.read_text(encoding="utf-8"))
    unknown = set(names) - {collection.name for collection in collections}
    if unknown:
        known = ", ".join(collection.name for collection in collections)
        sys.exit(f"no collection named {', '.join(sorted(unknown))}; there are: {known}")
    return [collection for collection in collections if not names or collection.name in names]


def fetched(collection: Collection, folder: Path) -> bool:
    """Whether the collection is in the folder now."""
    target = folder / collection.name
    if target.is_dir():
        print(f"{collection.name}: there already")
        return True
    try:
        count = fetch(collection, target)
    except FetchFailed as failure:
        print(f"{collection.name}: {failure}", file=sys.stderr)
        return False
    print(f"{collection.name}: {count} files in {target}")
    return True


def fetch(collection: Collection, target: Path) -> int:
    """Download, unpack and copy one collection; return how many files it has."""
    with tempfile.TemporaryDirectory() as scratch:
        package = download(collection, Path(scratch))
        root = unpack(package, Path(scratch) / "unpacked")
        files = matching_files(root, collection.paths)
        if not files:
            raise FetchFailed(
                f"{package.name} has no file like {collection.paths[0]}; see what moved and change `paths`"
            )
        copy_files(files, root / literal_folder(collection.paths), target)
    return len(files)


def download(collection: Collection, folder: Path) -> Path:
    """The package file: of the recorded version, or the newest if that one is gone."""
    client = CLIENTS[collection.source]
    if shutil.which(client.program) is None:
        raise FetchFailed(f"{client.program} is missing: {client.install}")
    pinned = client.pinned.format(package=collection.package, version=collection.version)
    for request in (pinned, collection.package):
        result = run(command(collection, request), folder)
        if result.returncode == 0:
            return next(path for path in folder.iterdir() if path.is_file())
        print(f"{collection.name}: {request} is not to be had", file=sys.stderr)
    raise FetchFailed(f"{client.program} says: {result.stderr.strip()[-400:]}")


def command(collection: Collection, request: str) -> list[str]:
    """How the ordinary client of the source is asked for a package."""
    if collection.source == "debian":
        return ["apt-get", "download", request]
    if collection.source == "npm":
        return ["npm", "pack", request]
    # Documents are in the source archive; wheels leave them out. Only this package is taken as source: what builds it
    # may come as a wheel, which is much faster.
    return ["pip", "download", "--no-deps", "--no-binary", collection.package, request]


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a client in a folder and keep what it says."""
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def unpack(package: Path, folder: Path) -> Path:
    """Unpack a package; return the folder that its paths start from."""
    folder.mkdir()
    if package.suffix == ".deb":
        result = run(["dpkg-deb", "-x", str(package), str(folder)], folder)
        if result.returncode != 0:
            raise FetchFailed(f"dpkg-deb says: {result.stderr.strip()}")
        return folder
    with tarfile.open(package) as archive:
        archive.extractall(folder, filter="data")
    # Source archives hold one folder with everything: NAME-VERSION on PyPI, `package` on npm.
    return next(path for path in folder.iterdir() if path.is_dir())


def matching_files(root: Path, patterns: tuple[str, ...]) -> list[Path]:
    """The files below root that some pattern names, each once, in order. A pattern with `!` takes files away."""
    kept = {path for pattern in patterns if not pattern.startswith("!") for path in root.glob(pattern)}
    dropped = {path for pattern in patterns if pattern.startswith("!") for path in root.glob(pattern[1:])}
    return sorted(path for path in kept - dropped if path.is_file())


def literal_folder(patterns: tuple[str, ...]) -> str:
    """The deepest folder that all patterns share, so that collections do not start with usr/share/doc."""
    folders = [literal_part(pattern) for pattern in patterns if not pattern.startswith("!")]
    return os.path.commonpath(folders)


def literal_part(pattern: str) -> str:
    """The folders of a pattern before its first wild card or its file name."""
    folders = PurePosixPath(pattern).parts[:-1]
    wild = [place for place, folder in enumerate(folders) if WILD & set(folder)]
    return str(PurePosixPath(*folders[: wild[0] if wild else len(folders)]))


def copy_files(files: list[Path], base: Path, target: Path) -> None:
    """Copy files as they are; the target appears only when it is complete, so that an interrupted run is repeated."""
    part = target.with_name(target.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    for path in files:
        place = part / path.relative_to(base)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    part.rename(target)


if __name__ == "__main__":
    main()
