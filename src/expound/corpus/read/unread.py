"""Say of every file that was not read what it is and how it could be: nothing is skipped in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from expound.corpus.read.formats import can_read
from expound.corpus.read.json_records import is_settings
from expound.corpus.read.man import points_elsewhere
from expound.corpus.read.raw import suffix_of
from expound.corpus.read.twins import is_twin
from expound.corpus.read.visible_files import iter_visible_files

NO_SUFFIX, LINK, SETTINGS, POINTER, PIPE = (
    "no suffix",
    "link",
    ".json of settings",
    "man page that names another",
    "pipe or socket",
)
_IN_WORDS = {
    NO_SUFFIX: "not text; give it its real suffix",
    LINK: "leads out of the folder, or nowhere; add what it leads to by its own path",
    SETTINGS: 'has no "text" in it; what is to be read needs one',
    PIPE: "no file; save what comes out of it",
    POINTER: "holds no text; the page that it names does",
}
_HOW = {
    "save it as .docx": ".doc .dot .rtf .wpd .wps .pages .docm .sxw",
    "save it as .odt or .docx": ".fodt .ott",
    "save it as .csv": ".xls .xlsx .xlsm .ods .numbers .sxc .feather .dbf",
    "save it as .pptx": ".ppt .odp .key .pps .ppsx",
    "save it as .epub": ".mobi .azw .azw3 .fb2 .djvu .chm .lit",
    "save it as .pdf": ".ps .eps .dvi .xps",
    "save it as .html": ".mht .mhtml .maff .webarchive .xml .dbk .docbook .php .asp",
    "save it as .txt": (
        ".log .cfg .conf .ini .toml .yaml .yml .srt .vtt .texi .texinfo .nfo .man .1 .2 .3 .4 .5 .6 .7 .8 .9"
    ),
    "save it as .eml or .mbox": ".msg .pst .ost",
    "save it as .jsonl or .csv": ".sql .sqlite .sqlite3 .db .mdb .accdb",
    "unpack it first": ".zip .tar .tgz .tbz .txz .7z .rar .xz .bz2 .zst .lz4 .gz .deb .rpm .jar .whl .iso .zim",
    "images are not read": ".png .jpg .jpeg .gif .bmp .tif .tiff .webp .svg .ico .heic .avif .psd .xcf .drawio",
    "sound is not read": ".mp3 .wav .ogg .oga .flac .m4a .aac .opus .mid",
    "films are not read": ".mp4 .mkv .avi .mov .webm .ogv .wmv .m4v",
    "styles, scripts and indexes of web pages are not read": ".css .js .map .mjs .woff .woff2 .ttf .otf .eot .inv",
    "programs are not read; save what is text in it as .txt": (
        ".py .c .h .cc .cpp .hpp .java .go .rs .rb .pl .sh .ts .el .lua .r .jl .exe .dll .so .o .a .bin .pyc .class"
    ),
}
_ADVICE = {suffix: how for how, suffixes in _HOW.items() for suffix in suffixes.split()}
_OTHERWISE = "if it is text, save it as .txt"


@dataclass(slots=True)
class FilesFound:
    """What the paths hold: files to read, others by their suffix, and twins of pages that are read."""

    files: list[Path] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    twins: int = 0
    closed: dict[Path, str] = field(default_factory=dict)
    """Folders that could not be looked into, each with its reason."""


def find(paths: Sequence[Path]) -> FilesFound:
    """Every visible file of the paths, told apart."""
    found = FilesFound()

    def count_left_out(path: Path) -> None:
        found.unread[LINK if path.is_symlink() else PIPE] += 1

    for path in iter_visible_files(paths, closed=found.closed.__setitem__, left_out=count_left_out):
        # What the user names is read, whatever stands beside it.
        if path not in paths and is_twin(path):
            found.twins += 1
        elif path not in paths and is_settings(path):
            found.unread[SETTINGS] += 1
        elif path not in paths and points_elsewhere(path):
            found.unread[POINTER] += 1
        elif can_read(path):
            found.files.append(path)
        # An empty file without a suffix marks a folder for some program, and nobody misses it.
        elif suffix_of(path) or path.stat().st_size:
            found.unread[suffix_of(path) or NO_SUFFIX] += 1
    return found


def why_not_read(path: Path) -> str:
    """What to do with a file that is not read; nothing for one that is."""
    return "" if can_read(path) else how_to_read(suffix_of(path) or NO_SUFFIX)


def how_to_read(suffix: str) -> str:
    """What to do with files of a suffix that is not read."""
    return _IN_WORDS.get(suffix) or _ADVICE.get(suffix, _OTHERWISE)
