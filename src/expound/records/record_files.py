"""Record files as they are written: whole or not at all, and with a manifest that says what made them."""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from expound.files import sha256_of, write_whole
from expound.version import __version__

# Fields that may differ between two runs that are otherwise the same.
VOLATILE = ("seconds", "started", "finished", "python", "platform", "spent")


def write_records(path: Path, records: Iterable[Mapping[str, Any]], *, spec: Mapping[str, Any], seed: int = 0,
                  inputs: Sequence[Path] = ()) -> int:  # fmt: skip
    """Write records, then their manifest: its presence means that the file is finished. Returns how many."""
    started = time.time()
    count = 0
    with write_whole(path) as file:
        for record in records:
            # Escapes would make other languages unreadable to people who look into the file.
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    write_manifest(path, spec=spec, seed=seed, inputs=inputs, count=count, started=started)
    return count


def write_manifest(path: Path, *, spec: Mapping[str, Any], seed: int, inputs: Sequence[Path], count: int,
                   started: float) -> None:  # fmt: skip
    """What made a record file: spec, seed, input hashes, versions, counts, times."""
    manifest = {
        "file": path.name,
        # Of the file as it lies on the disk: whoever copies it can tell whether it is whole.
        "sha256": sha256_of(path),
        "count": count,
        "spec": dict(spec),
        "seed": seed,
        # By content: a file of the same name that was changed since makes another output.
        "inputs": {str(item): sha256_of(item) for item in inputs},
        "expound": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "started": round(started, 3),
        "finished": round(time.time(), 3),
    }
    with write_whole(manifest_path(path)) as file:
        json.dump(manifest, file, ensure_ascii=False, indent=1)
        file.write("\n")


def manifest_path(path: Path) -> Path:
    return path.with_name(path.name + ".manifest.json")
