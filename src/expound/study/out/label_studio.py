"""Label Studio's configuration and JSON, in and out, for forms that compare two answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

from expound.errors import BadInput, UserError
from expound.records import read_json
from expound.study.design.form import Field, Form
from expound.study.design.label_studio_form import side_in
from expound.study.engine.assignment import MAIN
from expound.study.engine.intake import ForeignAnswer
from expound.study.engine.opened import Study
from expound.study.forms.posted import Sent

_KINDS = ("side", "choice", "text")
# Where a control puts its answer: choices, a text area, stars, the better of two.
_ANSWERS = ("choices", "text", "rating", "selected")


def config_of(study: Study) -> str:
    """The form as a labelling configuration."""
    # The form's fields may depend on the item; Label Studio has one configuration for all.
    placed = next(iter(study.items.values()))
    view = Xml.Element("View")
    for name, title in (("question", "Question"), ("left", "Answer A"), ("right", "Answer B")):
        Xml.SubElement(view, "Header", value=title)
        Xml.SubElement(view, "Text", name=name, value=f"${name}")
    for field in _fields(study.form, study.form.fields(study.view(placed))):
        Xml.SubElement(view, "Header", value=field.label)
        _add_control(view, field)
    Xml.indent(view)
    return Xml.tostring(view, encoding="unicode") + "\n"


def can_show(study: Study) -> bool:
    """Whether Label Studio can show the form."""
    try:
        return bool(config_of(study))
    except UserError:
        return False


def _fields(form: Form, fields: Any) -> list[Field]:
    unknown = [field.name for field in fields if field.kind not in _KINDS]
    if form.makes != "pairs" or unknown:
        why = f"its field {unknown[0]} is of another kind" if unknown else "it does not compare two answers"
        raise UserError(f"the form {form.name} cannot be written for Label Studio: {why}")
    return list(fields)


def _add_control(view: Xml.Element, field: Field) -> None:
    required = "true" if field.required else "false"
    if field.kind == "text":
        Xml.SubElement(view, "TextArea", name=field.name, toName="question", required=required, rows="6")
        return
    choices = Xml.SubElement(view, "Choices", name=field.name, toName="question", choice="single", required=required)
    for option in field.options:
        # The label is read by people, the alias is what comes back.
        Xml.SubElement(choices, "Choice", value=option.label, alias=option.value)


def tasks_of(study: Study) -> str:
    """The items as tasks, without the names of systems, in the order of the sides on record."""
    tasks = []
    for placed in study.items.values():
        view = study.view(placed)
        # Checks stay here: elsewhere nobody would look at whether they were passed.
        if placed.item.kind == MAIN and len(view.texts) == 2:
            left, right = view.texts
            tasks.append({"data": {"item": placed.item.id, "question": view.question, "left": left, "right": right}})
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def read_annotations(path: Path, study: Study) -> Iterator[ForeignAnswer]:
    """The annotations of an export in Label Studio's JSON; a rater is who completed it."""
    content = read_json(path)
    if not isinstance(content, list):
        raise BadInput(f"{path} is not an export of Label Studio: expected a list of tasks")
    fields = _fields_of(study)
    for number, task in enumerate(content, start=1):
        where = f"{path}, task {number}"
        try:
            item = str(task["data"]["item"])
            for one in task.get("annotations", ()):
                # A skipped task has an annotation, too.
                if not one.get("was_cancelled"):
                    yield ForeignAnswer(
                        rater=_who(one),
                        item=item,
                        sent=_read_sent(one["result"], fields),
                        seconds=float(one.get("lead_time") or 0),
                        where=where,
                    )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BadInput(f"{where}: not a task that `study export` wrote ({error!r})") from error


def _who(annotation: Mapping[str, Any]) -> str:
    by = annotation.get("completed_by", "unknown")
    # Its versions write a number, or an object with an id or an address.
    return str(by.get("id", by.get("email", "unknown")) if isinstance(by, dict) else by)


def _fields_of(study: Study) -> dict[str, Field]:
    view = study.view(next(iter(study.items.values())))
    return {field.name: field for field in study.form.fields(view)}


def _read_sent(results: Any, fields: Mapping[str, Field]) -> Sent:
    sent: dict[str, list[str]] = {}
    for result in results:
        name, value = str(result["from_name"]), result["value"]
        given: Any = next((value[key] for key in _ANSWERS if key in value), [])
        texts = given if isinstance(given, list) else [given]
        sent[name] = [_value_of(fields[name], str(text)) for text in texts] if name in fields else []
    return sent


def _value_of(field: Field, text: str) -> str:
    """The value that a text stands for: Label Studio writes the label of a choice, or its alias."""
    named = {option.label.lower(): option.value for option in field.options}
    # By label first, which is what its older versions write even where there is an alias.
    return named.get(text.lower()) or (side_in(text) if field.kind == "side" and text not in field.values else text)
