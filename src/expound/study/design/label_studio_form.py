"""Label Studio's labelling configurations as forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

from expound.errors import BadInput
from expound.records import read_whole
from expound.study.design.form import Form
from expound.study.design.form_file import form_from


def read_config(path: Path) -> Form:
    """A configuration with two texts and choices or text areas, as a form: the first choice is the left answer."""
    try:
        root = Xml.fromstring(read_whole(path))
    except Xml.ParseError as error:
        raise BadInput(f"{path} cannot be read as XML: {error}") from error
    fields = list(_own_fields(root))
    if not fields:
        raise BadInput(f"{path} has no Choices and no TextArea to ask for")
    return form_from({"title": path.stem, "makes": "pairs", "field": fields}, str(path), name=path.stem)


def _own_fields(root: Xml.Element) -> Iterator[dict[str, Any]]:
    label = ""
    for element in root.iter():
        if element.tag == "Header":
            # A header stands above what it asks for.
            label = element.get("value", "")
        elif element.tag in ("Choices", "TextArea"):
            name = element.get("name", "")
            required = element.get("required") == "true"
            yield {"name": name, "label": label or name, "required": required, **_kind(element)}


def _kind(element: Xml.Element) -> dict[str, Any]:
    """Choices between two answers, perhaps with a tie, compare sides; any others are values."""
    if element.tag == "TextArea":
        return {"kind": "text"}
    labels = [choice.get("value", "") for choice in element.iter("Choice")]
    if [label.lower() for label in labels[:2]] == ["answer a", "answer b"] and len(labels) <= 3:
        return {"kind": "side", "options": ["tie"] if len(labels) == 3 else []}
    several = element.get("choice", "").startswith("multiple")
    return {"kind": "checks" if several else "choice", "options": labels}
