"""The parts of an Office file (DOCX, PPTX): which part refers to which, and the title in its properties."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from expound.corpus.read.archive import Archive
from expound.corpus.read.xml_tree import parse_tree
from expound.text.plain import plain_line


@dataclass(frozen=True, slots=True)
class Relation:
    """A part that another one refers to: the name it has there, what it is to it, and its name in the zip."""

    id: str
    kind: str
    target: str


def relations(archive: Archive, part: str = "") -> list[Relation]:
    """What a part refers to inside the file, in order; without a part, what the file itself begins with."""
    folder, _, file = part.rpartition("/")
    name = posixpath.join(folder, "_rels", f"{file}.rels")
    tree = parse_tree(archive.read(name)).iter("Relationship") if name in archive.names else ()
    # Only names inside the zip are ever looked up, so that "../../etc/passwd" finds nothing.
    return [
        Relation(r.get("Id", ""), r.get("Type", "").rpartition("/")[2], _inside(folder, r.get("Target", "")))
        for r in tree
        if r.get("TargetMode") != "External"
    ]


def find_related(archive: Archive, part: str, kind: str) -> str:
    """The part of a kind ("styles", "numbering") that a part refers to; nothing if it is not there."""
    targets = (relation.target for relation in relations(archive, part) if relation.kind == kind)
    return next((target for target in targets if target in archive.names), "")


def own_title(archive: Archive) -> str:
    """The title in the file's properties."""
    core = find_related(archive, "", "core-properties")
    return plain_line(parse_tree(archive.read(core)).findtext("title") or "") if core else ""


def _inside(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(f"/{folder}", target)).lstrip("/")
