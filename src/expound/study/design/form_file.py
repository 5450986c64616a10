"""Forms of one's own, written in TOML: the same fields as ours, without code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.records import read_toml
from expound.study.design.form import LEFT, RIGHT, Field, Form, Option, sides

MAKES = {"pairs": "pair", "answers": "single", "questions": "question", "file": "single"}
KINDS = ("side", "choice", "checks", "text", "spans")
_FIELD_KEYS = {"name", "label", "kind", "options", "required", "help", "guides", "part", "about"}


def read_form(path: Path) -> Form:
    """The form in a TOML file: title, makes, instructions, and a `[[field]]` for each question."""
    return form_from(read_toml(path, missing=f"no such form: {path}"), str(path), name=path.stem)


def form_from(content: Mapping[str, Any], where: str, *, name: str) -> Form:
    """The form that a mapping describes; what is wrong with it is named."""
    makes = content.get("makes", "pairs")
    if makes not in MAKES:
        raise BadInput(f"{where}: makes must be one of {', '.join(MAKES)}, found {makes!r:.40}")
    # The name of a field is what judgments are kept by.
    fields = tuple(_field(one, f"{where}, field {number}") for number, one in enumerate(content.get("field", ()), 1))
    if not fields or len({field.name for field in fields}) < len(fields):
        raise BadInput(f"{where}: a form needs a [[field]] for each question, each with its own name")
    if makes != "pairs" and any(field.kind == "side" for field in fields):
        raise BadInput(f'{where}: a field of the kind side compares two answers; write makes = "pairs"')
    return Form(
        name=str(content.get("name", name)),
        title=str(content.get("title", name)),
        makes=makes,
        layout=MAKES[makes],
        instructions=str(content.get("instructions", "")),
        fields=lambda _view: fields,
        shows_evidence=bool(content.get("evidence", True)),
        # The first text box is where a rater says why.
        comment_from=next((field.name for field in fields if field.kind == "text"), ""),
    )


def _field(content: Any, where: str) -> Field:
    if not isinstance(content, dict) or not content.get("name") or not content.get("label"):
        raise BadInput(f"{where}: a field needs a name and a label")
    # Refused, since a misspelt `required` would make a question optional without a word.
    unknown = set(content) - _FIELD_KEYS
    if unknown:
        raise BadInput(f"{where}: no setting named {min(unknown)!r}; there are: {', '.join(sorted(_FIELD_KEYS))}")
    kind = content.get("kind", "choice")
    if kind not in KINDS:
        raise BadInput(f"{where}: kind must be one of {', '.join(KINDS)}, found {kind!r:.40}")
    return Field(
        name=str(content["name"]),
        label=str(content["label"]),
        kind=kind,
        options=_options(content, kind, where),
        required=bool(content.get("required", kind in ("side", "choice"))),
        about=str(content.get("about", "")),
        help=str(content.get("help", "")),
        guides=tuple(str(guide) for guide in content.get("guides", ())),
        part=str(content.get("part", "")),
    )


def _options(content: Mapping[str, Any], kind: str, where: str) -> tuple[Option, ...]:
    given = content.get("options", [])
    if kind == "side":
        # Left and right need not be written; whatever else is, is what a tie is called.
        third = [str(one) for one in given if one not in (LEFT, RIGHT)]
        return sides(tie=third[0][:1].upper() + third[0][1:] if third else "")
    if kind == "text":
        return ()
    if not isinstance(given, list) or not given:
        raise BadInput(f"{where}: the kind {kind} needs options, such as options = ['yes', 'no']")
    return tuple(Option(str(one), str(one)) for one in given)
