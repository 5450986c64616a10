"""Label Studio's labelling configurations as forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

from expound.errors import BadInput
from expound.records import read_whole
from expound.study.design.form import LEFT, RIGHT, Form
from expound.study.design.form_file import form_from

CONTROLS = ("Choices", "TextArea", "Rating", "Pairwise")
_TEXTS = ("Text", "HyperText", "Paragraphs")
_SIDES: Mapping[str, str] = {
    **dict.fromkeys(("left", "answer a", "answer 1", "a"), LEFT),
    **dict.fromkeys(("right", "answer b", "answer 2", "b"), RIGHT),
}
_MOST_STARS = 5  # what Label Studio shows where a configuration does not say it


def read_config(path: Path) -> Form:
    """A configuration as a form: two texts are compared, one is judged by itself. What we cannot ask is refused."""
    try:
        # Read whole and bounded by `read_whole`; entities of its own the parser does not fetch.
        root = Xml.fromstring(read_whole(path))
    except Xml.ParseError as error:
        raise BadInput(f"{path} cannot be read as XML: {error}") from error
    # What asks something names what it is about: any other tag is layout, and may be there.
    unknown = [element.tag for element in root.iter() if element.get("toName") and element.tag not in CONTROLS]
    if unknown:
        raise BadInput(f"{path} asks by <{unknown[0]}>, which no form of ours has; there are: {', '.join(CONTROLS)}")
    answers = _answers(root)
    fields = list(_own_fields(root, answers))
    if not fields:
        raise BadInput(f"{path} has nothing to ask for; there are: {', '.join(CONTROLS)}")
    is_pair = len(answers) > 1 or any(field["kind"] == "side" for field in fields)
    makes = "pairs" if is_pair else "answers"
    return form_from({"title": path.stem, "makes": makes, "field": fields}, str(path), name=path.stem)


def side_in(label: str) -> str:
    """The side of the screen that a choice names, or nothing."""
    return _SIDES.get(label.strip().lower(), "")


def _answers(root: Xml.Element) -> list[str]:
    """The names of the texts that are judged: all but the question."""
    texts = [element for element in root.iter() if element.tag in _TEXTS]
    return [one.get("name", "") for one in texts if "question" not in f"{one.get('name')} {one.get('value')}".lower()]


def _own_fields(root: Xml.Element, answers: Sequence[str]) -> Iterator[dict[str, Any]]:
    label = ""
    for element in root.iter():
        if element.tag == "Header":
            # A header stands above what it asks for.
            label = element.get("value", "")
        elif element.tag in CONTROLS:
            name = element.get("name", "")
            required = element.get("required") == "true" or element.tag == "Pairwise"
            yield {"name": name, "label": label or name, "required": required, **_kind(element, answers)}


def _kind(element: Xml.Element, answers: Sequence[str]) -> dict[str, Any]:
    """Choices between two answers, perhaps with a tie, compare sides; any others are values."""
    if element.tag == "TextArea":
        return {"kind": "text"}
    if element.tag == "Pairwise":
        return {"kind": "side"}
    about = _about(element.get("toName", ""), answers)
    if element.tag == "Rating":
        stars = int(element.get("maxRating") or _MOST_STARS)
        return {"kind": "choice", "options": [str(number) for number in range(1, stars + 1)], **about}
    labels = [choice.get("value", "") for choice in element.iter("Choice")]
    # Only in this order: a configuration that offers "B, A, both" could not be told from its values.
    if [side_in(label) for label in labels[:2]] == [LEFT, RIGHT] and len(labels) <= 3:
        return {"kind": "side", "options": labels[2:]}
    several = element.get("choice", "").startswith("multiple")
    return {"kind": "checks" if several else "choice", "options": labels, **about}


def _about(name: str, answers: Sequence[str]) -> dict[str, str]:
    """A control of one of two texts is about the answer on that side."""
    is_one_of_two = len(answers) == 2 and name in answers
    return {"about": (LEFT, RIGHT)[answers.index(name)]} if is_one_of_two else {}
