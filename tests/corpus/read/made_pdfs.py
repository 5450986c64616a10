"""PDFs made on the spot whose text stands at given places, in given fonts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.read.made_documents import _pdf_file

FONTS = {"plain": "Helvetica", "bold": "Helvetica-Bold", "mono": "Courier"}


@dataclass(frozen=True)
class Put:
    """A piece of text on a page: where its baseline starts, and how it looks."""

    text: str
    x: float = 72
    y: float = 700
    size: float = 10
    font: str = "plain"


def down(texts: Sequence[str], *, x: float = 72, y: float = 700, step: float = 12, font: str = "plain") -> list[Put]:
    """One line below the other."""
    return [Put(text, x, y - step * number, font=font) for number, text in enumerate(texts)]


def placed_pdf(pages: Sequence[Sequence[Put]], *, outline: Sequence[tuple[str, int]] = (), title: str = "") -> bytes:
    """A PDF with these pieces on its pages, and an outline of titles and page numbers."""
    kids = " ".join(f"{8 + 2 * i} 0 R" for i in range(len(pages)))
    first = 8 + 2 * len(pages)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        *(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>" for name in FONTS.values()),
        f"<< /Title ({title}) >>",
        f"<< /Type /Outlines /First {first} 0 R /Last {first + len(outline) - 1} 0 R /Count {len(outline)} >>"
        if outline
        else "<< /Type /Outlines >>",
    ]
    fonts = " ".join(f"/{name} {number} 0 R" for number, name in enumerate(FONTS, 3))
    for number, page in enumerate(pages):
        content = " ".join(_shown(put) for put in page)
        look = f"/MediaBox [0 0 612 792] /Resources << /Font << {fonts} >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {look} /Contents {9 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    objects += _entries(outline, first)
    return _pdf_file(objects, is_encrypted=False, information=6)


def _shown(put: Put) -> str:
    text = put.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{put.font} {put.size} Tf {put.x} {put.y} Td ({text}) Tj ET"


def _entries(outline: Sequence[tuple[str, int]], first: int) -> list[str]:
    entries = []
    for number, (title, page) in enumerate(outline):
        links = f"/Prev {first + number - 1} 0 R " if number else ""
        links += f"/Next {first + number + 1} 0 R " if number + 1 < len(outline) else ""
        entries.append(f"<< /Title ({title}) /Parent 7 0 R {links}/Dest [{6 + 2 * page} 0 R /Fit] >>")
    return entries
