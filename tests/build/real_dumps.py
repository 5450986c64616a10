"""Real dumps of Wikipedia: gensim's wheel has two among its test data. They are fetched for a test and never kept."""

from __future__ import annotations

import zipfile
from pathlib import Path

from expound.wheels import pip_download

_FOLDER = "gensim/test/test_data"
_ARTICLES = f"{_FOLDER}/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
_TABLES = f"{_FOLDER}/enwiki-table-markup.xml.bz2"


def fetch_dumps(folder: Path) -> tuple[Path, Path]:
    """A dump of 206 pages, and one of five with tables; an ExpoundError where there is no package index."""
    pip_download("gensim==4.4.0", folder, lambda _bytes: None)
    [wheel] = folder.glob("gensim-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        return _extract(packed, _ARTICLES, folder), _extract(packed, _TABLES, folder)


def _extract(packed: zipfile.ZipFile, member: str, folder: Path) -> Path:
    path = folder / Path(member).name
    path.write_bytes(packed.read(member))
    return path
