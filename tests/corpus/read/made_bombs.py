"""Small files that unpack to very much, for the tests of what reading takes."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterable

import pyarrow
import pyarrow.parquet

from corpus.read.made_documents import CONTAINER

MB = 1 << 20
_SPACE = "http://schemas.openxmlformats.org"
_OFFICE = f"{_SPACE}/officeDocument/2006/relationships"
_WORD = f'xmlns:w="{_SPACE}/wordprocessingml/2006/main"'


def repeated(text: str, size: int, *, before: str = "", behind: str = "") -> Iterable[bytes]:
    """A text again and again, up to a size, in blocks."""
    block = text.encode() * (MB // len(text.encode()))
    yield before.encode()
    yield from (block for _ in range(size // MB))
    yield behind.encode()


def docx_bomb(inside: Iterable[bytes], *, name: str = "word/document.xml", kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A Word document whose main part is called so and is as long as one likes."""
    main = f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="{name}"/>'
    return zipped({"_rels/.rels": [f"<Relationships>{main}</Relationships>".encode()], name: inside}, kind=kind)


def word_body(paragraph: str, size: int = 0) -> Iterable[bytes]:
    """A document's main part: these paragraphs once, or up to a size."""
    yield f"<w:document {_WORD}><w:body>".encode()
    yield from repeated(paragraph, size) if size else [paragraph.encode()]
    yield b"</w:body></w:document>"


def odt_bomb(inside: str, size: int) -> bytes:
    document = repeated(inside, size, before="<d><body><text>", behind="</text></body></d>")
    return zipped({"content.xml": document})


def pptx_bomb(inside: str, size: int) -> bytes:
    slide = f'<Relationship Id="r1" Type="{_OFFICE}/slide" Target="slides/slide1.dat"/>'
    return zipped(
        {
            "ppt/presentation.xml": [b'<p><sldIdLst><sldId id="r1"/></sldIdLst></p>'],
            "ppt/_rels/presentation.xml.rels": [f"<Relationships>{slide}</Relationships>".encode()],
            "ppt/slides/slide1.dat": repeated(inside, size, before="<sld>", behind="</sld>"),
        }
    )


def epub_bomb(inside: str, size: int, *, chapters: int = 1) -> bytes:
    names = [f"c{number}.dat" for number in range(chapters)]
    items = "".join(f'<item id="{name}" href="{name}"/>' for name in names)
    spine = "".join(f'<itemref idref="{name}"/>' for name in names)
    return zipped(
        {
            "META-INF/container.xml": [CONTAINER.encode()],
            "OPS/book.opf": [f"<package>{items}{spine}</package>".encode()],
            **{f"OPS/{name}": repeated(inside, size) for name in names},
        }
    )


def zipped(files: dict[str, Iterable[bytes]], *, kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as archive:
        for name, blocks in files.items():
            with archive.open(name, "w") as member:
                for block in blocks:
                    member.write(block)
    return stream.getvalue()


def many_members(count: int) -> bytes:
    """A zip of so many empty members, and nothing else."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number:080d}", b"")
    return stream.getvalue()


def gz_bomb(blocks: Iterable[bytes]) -> bytes:
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb") as file:
        for block in blocks:
            file.write(block)
    return stream.getvalue()


def parquet_bomb(size: int, *, rows: int = 1) -> bytes:
    """A table whose rows share one text of a size; it is written once."""
    stream = io.BytesIO()
    text = pyarrow.array([("word " * (size // 5))], pyarrow.large_string())
    shared = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * rows, pyarrow.int32()), text)
    # Without the schema: whoever reads it is not told that the column is a dictionary.
    pyarrow.parquet.write_table(pyarrow.table({"text": shared}), stream, compression="zstd", store_schema=False)
    return stream.getvalue()


def pdf_bomb(blocks: Iterable[bytes], *, folds: int = 1) -> bytes:
    """A page whose drawing is packed so many times."""
    data = b"".join(_deflated(blocks))
    for _ in range(folds - 1):
        data = zlib.compress(data, 9)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        page + b" /Resources << /Font << /F1 3 0 R >> >> >>",
        b"<< /Length %d /Filter [%s] >>\nstream\n" % (len(data), b" /FlateDecode" * folds) + data + b"\nendstream",
    ]
    out = b"%PDF-1.4\n"
    for number, body in enumerate(objects, 1):
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    return out + b"trailer << /Size 6 /Root 1 0 R >>\n%%EOF"


def _deflated(blocks: Iterable[bytes]) -> Iterable[bytes]:
    packer = zlib.compressobj(9)
    yield from map(packer.compress, blocks)
    yield packer.flush()
