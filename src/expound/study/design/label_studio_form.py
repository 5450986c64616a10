"""Label Studio's labelling configurations as forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

from expound.errors import BadInput
from expound.records import read_whole
from expound.study.design.form import LEFT, RIGHT, Form
from expound.study.design.form_file import form_from

CONTROLS = ("Choices", "TextArea", "Rating", "Pairwise")
_TEXTS = ("Text", "HyperText", "Paragraphs")
# What texts are called that are not judged: the question, and what the answer was made of.
_NOT_JUDGED = re.compile(
    r"question|query|prompt|instruction|context|passage|document|evidence|reference", re.IGNORECASE
)
# Words before a letter or a number that make it a side: "Level 1" and a bare "1" are values.
_ANSWER = r"(?:answer|response|text|txt|output|model|system|summary|candidate)[\s_-]*"
_SIDES = {
    LEFT: re.compile(rf"(?:left(?: answer)?|a|{_ANSWER}[a1])(?:(?: is)? better)?"),
    RIGHT: re.compile(rf"(?:right(?: answer)?|b|{_ANSWER}[b2])(?:(?: is)? better)?"),
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
    fields = _tell_apart(list(_own_fields(root, answers, path)))
    if not fields:
        raise BadInput(f"{path} has nothing to ask for; there are: {', '.join(CONTROLS)}")
    is_pair = len(answers) > 1 or any(field["kind"] == "side" for field in fields)
    makes = "pairs" if is_pair else "answers"
    return form_from({"title": path.stem, "makes": makes, "field": fields}, str(path), name=path.stem)


def side_in(label: str) -> str:
    """The side of the screen that a choice names, or nothing."""
    return next((side for side, names in _SIDES.items() if names.fullmatch(label.strip().lower())), "")


def _answers(root: Xml.Element) -> list[str]:
    """The names of the texts that are judged: those that are compared, else all but the question and its documents."""
    compared = next(root.iter("Pairwise"), None)
    if compared is not None:
        return [name.strip() for name in compared.get("toName", "").split(",")]
    texts = [element for element in root.iter() if element.tag in _TEXTS]
    return [one.get("name", "") for one in texts if not _NOT_JUDGED.search(f"{one.get('name')} {one.get('value')}")]


def _own_fields(root: Xml.Element, answers: Sequence[str], path: Path) -> Iterator[dict[str, Any]]:
    label = ""
    for element in root.iter():
        if element.tag == "Header":
            # A header stands above what it asks for, and says it as a setting or as its text.
            label = element.get("value") or (element.text or "").strip()
        elif element.tag in _TEXTS and label.strip(" :").lower() == element.get("name", "").lower():
            # It was the title of the text below it: no question for the rater.
            label = ""
        elif element.tag in CONTROLS:
            name = element.get("name", "")
            required = element.get("required", "").lower() == "true" or element.tag == "Pairwise"
            yield {"name": name, "label": label or name, "required": required, **_kind(element, answers, path)}


def _tell_apart(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The fields with the answer in the label where one header stands above the same control of both."""
    times = Counter(field["label"] for field in fields)
    names = {LEFT: "Answer A", RIGHT: "Answer B"}
    for field in fields:
        if times[field["label"]] > 1 and field.get("about"):
            field["label"] = f"{field['label']} ({names[field['about']]})"
    return fields


def _kind(element: Xml.Element, answers: Sequence[str], path: Path) -> dict[str, Any]:
    """Choices between two answers, perhaps with a tie, compare sides; any others are values."""
    if element.tag == "TextArea":
        return {"kind": "text"}
    if element.tag == "Pairwise":
        return {"kind": "side"}
    about = _about(element.get("toName", ""), answers)
    if element.tag == "Rating":
        stars = _count_stars(element, path)
        return {"kind": "choice", "options": [str(number) for number in range(1, stars + 1)], **about}
    labels = [choice.get("value", "") for choice in element.iter("Choice")]
    named = [side_in(label) for label in labels]
    if named[:2] == [LEFT, RIGHT] and len(labels) <= 3:
        return {"kind": "side", "options": labels[2:]}
    # As plain values they would name sides that are drawn anew for every rater, and no system.
    if LEFT in named and RIGHT in named:
        raise BadInput(
            f"{path} offers {', '.join(labels)}: a comparison has the left answer, the right one and at most one tie, "
            "in this order"
        )
    several = element.get("choice", "").startswith("multiple")
    return {"kind": "checks" if several else "choice", "options": labels, **about}


def _count_stars(element: Xml.Element, path: Path) -> int:
    given = element.get("maxRating") or str(_MOST_STARS)
    if not given.isdecimal() or not int(given):
        raise BadInput(f"{path}: maxRating must be a number of stars, found {given!r:.40}")
    return int(given)


def _about(name: str, answers: Sequence[str]) -> dict[str, str]:
    """A control of one of two texts is about the answer on that side."""
    is_one_of_two = len(answers) == 2 and name in answers
    return {"about": (LEFT, RIGHT)[answers.index(name)]} if is_one_of_two else {}
