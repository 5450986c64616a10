"""Read benchmark files, compressed or not, with one clear line when they cannot be read."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from expound.errors import BadInput


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """A UTF-8 text file, unpacked when its name ends in .gz."""
    open_text = gzip.open if path.suffix == ".gz" else open
    try:
        with open_text(path, "rt", encoding="utf-8-sig") as file:
            yield file
    except FileNotFoundError as error:
        raise BadInput(f"{path} does not exist") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadInput(f"{path} is not a whole gzip file ({error}); fetch it again") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
