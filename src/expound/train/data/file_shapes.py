"""The shapes of the files that training data is made of: one of another shape is named, with the place that shows it.

A shape is a type (`object` is any), a list with the shape of its items, or an object with the shapes of its fields; a
field whose name ends in `?` may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from expound.errors import BadInput, BadRecord
from expound.records import read_json, read_lines

Shape: TypeAlias = "type | list[Any] | Mapping[str, Any]"

ASQA_TRAIN: Shape = [
    {
        "ambiguous_question": str,
        "qa_pairs": [{"question": str, "short_answers": [str]}],
        "annotations": [{"long_answer": str}],
    }
]
# Only what keeps its questions out of training: a file that lacks the rest serves for that as well.
ASQA_DEV: Shape = [{"ambiguous_question": str, "qa_pairs": [{"question": str}]}]
# An annotation has one answer or several pairs, and only the field of its own kind.
AMBIGNQ: Shape = [
    {"question": str, "annotations": [{"answer?": [str], "qaPairs?": [{"question": str, "answer?": [str]}]}]}
]
SQUAD: Shape = {
    "data": [
        {
            "title": str,
            "paragraphs": [
                {
                    "context": str,
                    "qas": [{"id": str, "question": str, "answers": [{"text": str, "answer_start": int}]}],
                }
            ],
        }
    ]
}
NQ_OPEN: Shape = {"question": str, "answer": [str]}
NQ_GOLD: Shape = {"question": str, "answers": [str], "gold_title": str, "gold_text": str}
PASSAGE: Shape = {"id": str, "title": str, "text": str, "source": str}
CLAPNQ: Shape = {"input": str}
ASKED: Shape = {"question": str}
DOCUMENT: Shape = {"id": str, "title": str, "text": str, "question_heading_spans?": [[int]]}
# Gold is `object`, since questions without any are dropped later; `meta` is each set's own.
ABOUT_DOCUMENTS: Shape = {
    "question": str, "kind": str, "documents": [{"id": str}], "gold_sentences": object, "meta": {},
}  # fmt: skip
MANUAL: Shape = {"package": str, "licence": str, "licence_text": str, "classifiers": [str], "docs": [[str]]}

_WORDS = {str: "a text", int: "a whole number"}


def read_shaped(path: Path, shape: Shape, *, layout: str) -> Any:
    """The one value of a JSON file."""
    value = read_json(path)
    if wrong := misfit(value, shape):
        raise BadInput(f"{path} is not in the layout of {layout}: {wrong}")
    return value


def iter_shaped(path: Path, shape: Shape) -> Iterator[dict[str, Any]]:
    """The records of a file of one JSON object a line."""
    for number, record in read_lines(path):
        if wrong := misfit(record, shape):
            raise BadRecord(f"{path}, line {number}: {wrong}")
        yield record


def misfit(value: Any, shape: Shape) -> str:
    """What is wrong with a value of another shape; nothing where it fits.

    >>> misfit([{"question": 3}], [{"question": str}])
    'item 1: question: a text is needed, found 3'
    """
    if isinstance(shape, list):
        return _list_misfit(value, shape[0])
    if isinstance(shape, Mapping):
        return _object_misfit(value, shape)
    # The very type: to `isinstance`, true and false are whole numbers. Cut, as what stands there may be a whole book.
    return "" if shape is object or type(value) is shape else f"{_WORDS[shape]} is needed, found {value!r:.40}"


def _list_misfit(value: Any, shape: Shape) -> str:
    if not isinstance(value, list):
        return f"a list is needed, found {value!r:.40}"
    # One at a time: the first that is wrong is told, and the rest of a large file is not looked through.
    wrongs = ((number, misfit(item, shape)) for number, item in enumerate(value, start=1))
    return next((f"item {number}: {wrong}" for number, wrong in wrongs if wrong), "")


def _object_misfit(value: Any, shape: Mapping[str, Any]) -> str:
    if not isinstance(value, dict):
        return f"an object is needed, found {value!r:.40}"
    for name, part in shape.items():
        key = name.removesuffix("?")
        if key not in value and key == name:
            return f"no {name!r}"
        if key in value and (wrong := misfit(value[key], part)):
            return f"{key}: {wrong}"
    return ""
