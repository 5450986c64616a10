"""Documents made on the spot for the reader tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'


def pdf_bytes(pages: Sequence[Sequence[str]], *, title: str = "", is_encrypted: bool = False) -> bytes:
    """A minimal PDF with one text line below the other on each page."""
    kids = " ".join(f"{5 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Title ({title}) >>",
    ]
    for i, lines in enumerate(pages):
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        content = f"BT /F1 12 Tf 72 720 Td 14 TL {shown} ET"
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {6 + 2 * i} 0 R >>")
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    return _pdf_file(objects, is_encrypted)


def epub_bytes(chapters: Mapping[str, str], *, title: str = "A Book", extra: Mapping[str, str] | None = None) -> bytes:
    """A book whose chapters stand in the given order."""
    items = "".join(f'<item id="c{i}" href="{name}"/>' for i, name in enumerate(chapters))
    spine = "".join(f'<itemref idref="c{i}"/>' for i in range(len(chapters)))
    package = (
        '<?xml version="1.0"?><package xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>{title}</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    files = {f"OPS/{name}": page for name, page in chapters.items()}
    return zip_bytes({"META-INF/container.xml": CONTAINER, "OPS/book.opf": package, **files, **(extra or {})}.items())


def zip_bytes(files: Iterable[tuple[str, str | bytes]]) -> bytes:
    """A zip file in memory."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


def _pdf_file(objects: Sequence[str], is_encrypted: bool, information: int = 4) -> bytes:
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    key = "<" + "41" * 32 + ">"
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O {key} /U {key} >> /ID [<41> <41>]" if is_encrypted else ""
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info {information} 0 R {lock} >>"
    return (
        out
        + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}\nstartxref\n{len(out)}\n%%EOF".encode()
    )
