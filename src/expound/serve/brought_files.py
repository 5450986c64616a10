"""Files from strangers: each under a name that leads nowhere else, a zip unpacked whole or not at all."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from expound.corpus.read.archive import Archive
from expound.errors import BadInput
from expound.serve.serve_settings import Limits
from expound.text.plain import plain_line

# Of the 255 that file systems take; what we put in front and behind while a document comes in fits besides.
_MOST_BYTES = 160
_LONGEST_SUFFIX = 12  # letters: longer than that of any format, so that what is longer belongs to the name


def safe_name(name: str) -> str:
    """The last part of a path as the name of a file: nothing in it leads elsewhere, hides the file or breaks a line.

    >>> safe_name("../../etc/.passwd"), safe_name("C:\\\\notes\\\\a.md"), safe_name("...")
    ('passwd', 'a.md', 'document')
    """
    # Both kinds of slashes: browsers of Windows send paths, and this machine may be another one.
    last = plain_line(name.replace("\\", "/").rpartition("/")[2])
    kept = "".join("_" if letter in '/\0:*?"<>|' else letter for letter in last).strip(" .")
    _, dot, suffix = kept.rpartition(".")
    # What tells the format is kept, however long the rest.
    ending = f".{suffix}" if dot and len(suffix) <= _LONGEST_SUFFIX else ""
    # By bytes: a letter of another script takes up to four of them.
    start = (kept.removesuffix(ending)).encode()[: _MOST_BYTES - len(ending.encode())]
    return f"{start.decode(errors='ignore').rstrip(' .') or 'document'}{ending}"


def unpack(file: Path, folder: Path, limits: Limits) -> None:
    """The documents of a zip, each under a safe name below the folder; all of them or none."""
    partial = folder.with_name(f".{folder.name}.unpacked")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        with Archive(file) as archive:
            # Before anything is unpacked: the list alone tells a zip that would fill the disk with small files.
            names = [name for name in sorted(archive.names) if not name.endswith("/")]
            if len(names) > limits.files:
                raise BadInput(f"{folder.name}.zip has {len(names):,} files; {limits.files:,} are the most")
            for number, name in enumerate(names):
                # In a folder each: two names that become one must not meet.
                target = partial / f"{number + 1:04}" / safe_name(name)
                target.parent.mkdir(parents=True)
                target.write_bytes(archive.read(name))
        shutil.rmtree(folder, ignore_errors=True)
        partial.replace(folder)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise BadInput(f"{folder.name}.zip is no zip file that can be unpacked ({error})") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
