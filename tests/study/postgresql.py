"""A PostgreSQL server of the tests' own: started in a temporary folder as another user, gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


def find_binaries() -> Path | None:
    """Where `initdb` and `pg_ctl` are; Debian keeps them out of PATH."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    folders = [*versions, *([Path(found).resolve().parent] if found else [])]
    return next((folder for folder in folders if (folder / "pg_ctl").exists()), None)


def install() -> Path | None:
    """Install it where root allows."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "postgresql"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, env=environment, capture_output=True, check=False)
    return find_binaries()


@dataclass(frozen=True)
class Database:
    """A server that runs: its address, and the folder of its data."""

    url: str
    data: Path


@contextmanager
def running() -> Iterator[Database]:
    """A fresh server; the test is skipped where there can be none."""
    binaries = find_binaries() or install()
    if binaries is None:
        pytest.skip("no PostgreSQL, and it cannot be installed here: apt-get install postgresql")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        user: dict[str, Any] = (
            {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        )
        if user:
            shutil.chown(folder, "postgres", "postgres")
        data, port = f"{folder}/data", _free_port()

        def run(*command: str) -> None:
            subprocess.run(
                [str(binaries / command[0]), *command[1:]], cwd=folder, check=True, capture_output=True, **user
            )

        run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8")
        # Its output must go to a file: a pipe would stay open as long as the server runs.
        run("pg_ctl", "-D", data, "-w", "-l", f"{folder}/log", "-o", f"-k {folder} -h 127.0.0.1 -p {port}", "start")
        try:
            yield Database(f"postgresql://postgres@127.0.0.1:{port}/postgres", Path(data))
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
