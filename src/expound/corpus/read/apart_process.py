"""The other side of `apart`: read the files that standard input names, within bounds, and print what they hold."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict, astuple, fields
from pathlib import Path
from typing import Any

from expound.corpus.read import limits
from expound.corpus.read.document import Document, PartlyRead
from expound.corpus.read.formats import read_here
from expound.errors import BadInput
from expound.types import Passage

# What one file left behind must not count against the next: a process that has grown this much ends after its answer.
_GROWN = 256 << 20


def main() -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that the user started; it ends this one
    # A copy of the real output, taken before libraries could write to it.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    for line in sys.stdin.buffer:
        for answer in _answers(**json.loads(line)):
            out.write(json.dumps(answer).encode() + b"\n")
        # Memory that Python has freed is not always given back to the system.
        is_last = limits.memory_used() > _GROWN
        out.write(json.dumps({"is_last": is_last}).encode() + b"\n")
        out.flush()
        if is_last:
            return


def _answers(path: str, folder: str) -> Iterator[dict[str, Any]]:
    """What a file holds, or why it was refused; the path may be relative to the folder."""
    os.chdir(folder)
    try:
        # For each file anew: time adds up over the files of a process.
        limits.bound(limits.MOST_MEMORY, limits.seconds_for(Path(path)))
        for item in read_here(Path(path)):
            yield from _item(item)
    except (BadInput, OSError) as error:
        yield {"refused": str(error)}


def _item(item: Document | Passage | PartlyRead) -> Iterator[dict[str, Any]]:
    if isinstance(item, PartlyRead):
        yield {"remark": item.text}
        return
    if isinstance(item, Passage):
        yield {"passage": {**asdict(item), "meta": dict(item.meta)}}
        return
    for block in item.blocks:
        yield {"block": astuple(block)}
    # All but the blocks, which have gone: a field that is forgotten here would be lost without a word.
    told = {field.name: getattr(item, field.name) for field in fields(item) if field.name != "blocks"}
    yield {"document": {**told, "meta": dict(item.meta)}}


if __name__ == "__main__":
    main()
