"""The forms by name; each file has the questions of one kind of study and the rules for its answers."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from expound.errors import UnknownName, UserError, nearest
from expound.study.forms.form import Form
from expound.study.forms.label_studio_config import read_config
from expound.study.forms.own import read_form

NAMES = (
    "asqa-pairwise",
    "expert-preference",
    "justification-aspects",
    "hurdles-ab",
    "eli5-rating",
    "eli5-preference",
    "eli5-answerability",
    "paraphrase",
    "ambig-generate",
    "ambig-validate",
    "asqa-write",
    "coding",
)


def form_named(name: str, options: Mapping[str, object] | None = None, *, folder: Path = Path()) -> Form:
    """The form of that name with the options of a study; a name with an ending is a file, our own or Label Studio's."""
    options = options or {}
    if name.endswith(".toml"):
        return read_form(folder / name)
    if name.endswith(".xml"):
        return read_config(folder / name)
    module = _module(name)
    known: Mapping[str, object] = module.OPTIONS
    for option, value in options.items():
        if option not in known:
            raise UserError(f"the form {name} has no option {option!r}; it has: {', '.join(known) or 'none'}")
        if type(value) is not type(known[option]):
            raise UserError(f"the option {option} of {name} is {value!r}, but must be like {known[option]!r}")
    made: Form = module.form({**known, **options})
    return made


def _module(name: str) -> ModuleType:
    if name not in NAMES:
        raise UnknownName(f"no form named {name!r}; {nearest(name, NAMES)}")
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
