"""The other side of `pdf_picture`: draw the page that standard input names, within bounds, and print it as PNG."""

from __future__ import annotations

import json
import os
import struct
import sys
import unicodedata
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from expound.corpus.read import limits
from expound.corpus.read.raw import is_gzip, read_raw

_WIDTH = 1000  # pixels: sharp enough to read beside an answer, a few hundred kilobytes
_TALLEST = 4000  # pixels: a page may be any strip of paper
_SECONDS = 60  # of work; the slowest pages of manuals take two
_MARK = (255, 226, 110)  # a marker pen: what is black stays black under it
_FEWEST = 20  # letters of a quotation that are looked for, where a page has only its beginning


def main() -> None:
    """Answer the one request."""
    # A copy of the real output, taken before libraries could write to it.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    limits.bound(limits.MOST_MEMORY, _SECONDS)
    with out:
        out.write(_draw_page(**json.loads(sys.stdin.buffer.read())))


def _draw_page(path: str, page: int, quoted: str) -> bytes:
    import pypdfium2

    pdf = pypdfium2.PdfDocument(read_raw(Path(path)) if is_gzip(Path(path)) else path)
    pages = [number for number in (page - 1, page) if 0 <= number < len(pdf)]
    for number in pages:
        text = pdf[number].get_textpage()
        places = _rectangles(text, quoted)
        # A sentence may stand on the page behind the one where its passage begins.
        if places or number == pages[-1]:
            chosen = pdf[number] if places else pdf[pages[0]]
            return _png(_mark_places(chosen, places))
    raise ValueError("there is no such page")


def _rectangles(text: Any, quoted: str) -> list[tuple[float, float, float, float]]:
    """Where the quotation stands on a page: a rectangle a line."""
    import pypdfium2.raw as pdfium

    codes = [pdfium.FPDFText_GetUnicode(text, place) for place in range(text.count_chars())]
    letters = [(letter, place) for place, code in enumerate(codes) for letter in _letters(chr(code))]
    shown, wanted = "".join(letter for letter, _ in letters), "".join(_letters(quoted))
    start = shown.find(wanted) if wanted else -1
    # The rest of it may stand on the next page, or below a picture.
    if start < 0 and len(wanted) > _FEWEST:
        wanted = _longest_beginning(shown, wanted)
        start = shown.find(wanted) if len(wanted) >= _FEWEST else -1
    if start < 0:
        return []
    first, last = letters[start][1], letters[start + len(wanted) - 1][1]
    count = text.count_rects(first, last - first + 1)
    return [text.get_rect(number) for number in range(count)]


def _letters(text: str) -> Iterator[str]:
    """Letters and digits alone: line ends, hyphens and ligatures of a page are not those of its text."""
    return (letter for letter in unicodedata.normalize("NFKC", text).lower() if letter.isalnum())


def _longest_beginning(shown: str, wanted: str) -> str:
    low, high = 0, len(wanted)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if wanted[:middle] in shown else (low, middle - 1)
    return wanted[:low]


def _mark_places(page: Any, places: list[tuple[float, float, float, float]]) -> Any:
    """The pixels of a page, red, green and blue, with a marker over the places."""
    import numpy as np

    width, height = page.get_size()
    bitmap = page.render(scale=min(_WIDTH / width, _TALLEST / height), rev_byteorder=True)
    pixels = bitmap.to_numpy()[:, :, :3].copy()
    position = bitmap.get_posconv(page)
    for left, bottom, right, top in places:
        across, down = zip(*(position.to_bitmap(x, y) for x, y in ((left, bottom), (right, top))), strict=True)
        area = pixels[max(0, min(down) - 2) : max(down) + 2, max(0, min(across) - 2) : max(across) + 2]
        area[:] = (area.astype(np.uint16) * np.array(_MARK, dtype=np.uint16) // 255).astype(np.uint8)
    return pixels


def _png(pixels: Any) -> bytes:
    """Pixels as a PNG file: three chunks, no filter."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits a colour, 2: red, green and blue
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


if __name__ == "__main__":
    main()
