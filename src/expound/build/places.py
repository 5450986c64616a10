"""Where the files of a build lie: paths of this machine and addresses of object stores, through one door (fsspec)."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from expound.errors import BadInput, NothingToRead, UserError
from expound.files import appearing_whole, check_kind

_NEEDED = ("fsspec", "pyarrow", "mwparserfromhell")
# The ends of a file tell two apart: hashing all of a dump of 20 GB would take minutes before anything is done.
_LOOKED_AT = 1 << 20
# What an address may hold and no record of ours may: user and password before the host, signatures behind the path.
_USER, _QUERY = re.compile(r"(?<=://)[^/\s]*@"), re.compile(r"(://[^\s?'\"]*)\?[^\s'\"]*")


def require_build() -> None:
    """Say what to install if the libraries of building are not there."""
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise UserError(f"building needs {', '.join(missing)}: pip install 'expound[build]'")


def is_address(text: str) -> bool:
    """Whether a text names something by a protocol, such as s3://bucket/file."""
    return "://" in text


def public_name(text: str) -> str:
    """An address without what would open it: it stands in manifests, which are handed on.

    >>> public_name("ftp://me:secret@host/file.gz?X-Signature=abc")
    'ftp://host/file.gz'
    """
    return _QUERY.sub(r"\1", _USER.sub("", text))


def list_inputs(texts: Sequence[str], suffixes: Sequence[str]) -> list[str]:
    """The files that paths, folders, patterns and addresses stand for, those of a folder in the order of names."""
    found = [name for text in texts for name in _files_of(text, tuple(suffixes))]
    if not found:
        given = ", ".join(map(public_name, texts))
        raise NothingToRead(f"{given}: no file to read; wanted are names that end in {', '.join(suffixes)}")
    # Given twice is read once: its passages would have the same ids.
    return list(dict.fromkeys(found))


def _files_of(text: str, suffixes: tuple[str, ...]) -> list[str]:
    system, path = _system(text)
    try:
        if any(sign in path for sign in "*?["):
            return sorted(system.unstrip_protocol(name) if is_address(text) else name for name in system.glob(path))
        if not system.isdir(path):
            if not system.exists(path):
                raise BadInput(f"no such file: {public_name(text)}")
            if not is_address(text):
                check_kind(Path(path))
            return [text]
        names = (name for name in system.find(path) if name.endswith(suffixes))
        return sorted(system.unstrip_protocol(name) if is_address(text) else name for name in names)
    except OSError as error:
        raise _unreadable(text, error) from error


def fingerprint(url: str) -> dict[str, Any]:
    """What tells a file from another: its name, its size, and a hash of its beginning and its end."""
    with open_bytes(url) as file:
        size = file.seek(0, os.SEEK_END)
        digest = hashlib.sha256()
        for start in (0, max(0, size - _LOOKED_AT)):
            file.seek(start)
            digest.update(file.read(_LOOKED_AT))
    return {"name": public_name(url), "bytes": size, "ends_sha256": digest.hexdigest()}


@contextmanager
def open_bytes(url: str) -> Iterator[IO[bytes]]:
    """A file or address opened for reading; what goes wrong in opening it is a BadInput."""
    system, path = _system(url)
    try:
        file = system.open(path, "rb")
    except OSError as error:
        raise _unreadable(url, error) from error
    with file:
        yield file


@dataclass(frozen=True)
class OutPlace:
    """A folder of this machine or of an object store: what is written there is whole or absent."""

    url: str

    @property
    def is_here(self) -> bool:
        """Whether it is a folder of this machine."""
        return not is_address(self.url)

    def join(self, name: str) -> str:
        return f"{self.url.rstrip('/')}/{name}"

    def has(self, name: str) -> bool:
        system, path = _system(self.join(name))
        # Object stores remember what was there: another process may have written since.
        system.invalidate_cache()
        return bool(system.exists(path))

    def names(self, under: str, suffix: str) -> list[str]:
        """The names of the files directly in a folder that end so, without that ending, in their order."""
        system, path = _system(self.join(under))
        system.invalidate_cache()
        try:
            found = [str(name).rsplit("/", 1)[-1] for name in system.ls(path, detail=False)]
        except FileNotFoundError:
            return []
        return sorted(name.removesuffix(suffix) for name in found if name.endswith(suffix) and name[:1] != ".")

    def read_json(self, name: str) -> dict[str, Any]:
        """A record of ours; a BadInput if it is none."""
        with open_bytes(self.join(name)) as file:
            content = file.read()
        try:
            value = json.loads(content)
        except ValueError as error:
            raise BadInput(f"{public_name(self.join(name))} is damaged ({error}); remove it to make it anew") from error
        if not isinstance(value, dict):
            raise BadInput(f"{public_name(self.join(name))} is no record of a build; remove it to make it anew")
        return value

    def write_json(self, name: str, record: Mapping[str, Any]) -> None:
        with self.written(name) as path:
            path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @contextmanager
    def written(self, name: str) -> Iterator[Path]:
        """A path of this machine to write to; what is there when the block ends well appears under the name."""
        system, path = _system(self.join(name))
        if self.is_here:
            with appearing_whole(Path(path)) as partial:
                yield partial
            return
        # An object appears when its upload ends: never half of it.
        with TemporaryDirectory() as folder:
            partial = Path(folder) / "partial"
            yield partial
            system.put_file(str(partial), path)

    def remove(self, name: str) -> None:
        system, path = _system(self.join(name))
        with suppress(FileNotFoundError):
            system.rm_file(path)


def _system(url: str) -> tuple[Any, str]:
    """The file system behind an address, and the path there."""
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        protocol = url.partition("://")[0]
        raise UserError(f"{protocol}:// cannot be read here: {public_name(str(error))}") from error
    return system, str(path)


def _unreadable(url: str, error: OSError) -> BadInput:
    if isinstance(error, FileNotFoundError):
        return BadInput(f"no such file: {public_name(url)}")
    return BadInput(f"{public_name(url)} cannot be read: {error.strerror or public_name(str(error))}")
