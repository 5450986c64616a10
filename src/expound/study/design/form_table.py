"""The forms by name: entry points of the group `expound.form`, ours and everyone's, or a file of one's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from expound import plugins
from expound.errors import UnknownName, UserError, nearest
from expound.study.design.form import Form
from expound.study.design.form_file import read_form
from expound.study.design.label_studio_form import read_config

KIND = "form"


def form_names() -> list[str]:
    """The installed forms, sorted."""
    return plugins.names(KIND)


def find_form(name: str, options: Mapping[str, Any] | None = None, *, folder: Path = Path()) -> Form:
    """The form of that name with the options of a study; a name with an ending is a file, our own or Label Studio's."""
    # A file of one's own first: no installed form has a dot in its name.
    if name.endswith(".toml"):
        return read_form(folder / name)
    if name.endswith(".xml"):
        return read_config(folder / name)
    if name not in form_names():
        raise UnknownName(f"no form named {name!r}; {nearest(name, form_names())}")
    make = plugins.load(KIND, name)
    _check_options(name, options or {}, _defaults(make))
    return _make(name, make, options or {})


def form_options(name: str) -> dict[str, Any]:
    """The options that a plan may set for a form, with their defaults; a form in a file has none."""
    return {} if name.endswith((".toml", ".xml")) else _defaults(plugins.load(KIND, name))


def _make(name: str, make: Callable[..., object], options: Mapping[str, Any]) -> Form:
    try:
        made = make(**options)
    except (TypeError, ValueError) as error:
        raise UserError(f"the form {name} cannot be made: {error}") from error
    # Judgments carry the form's own name, and a study that continues another one looks for it there.
    if not isinstance(made, Form) or made.name != name:
        raise UserError(f"the form plug-in {name} must give a Form with the name {name!r}")
    return made


def _defaults(make: Callable[..., object]) -> dict[str, Any]:
    """The options of a form are the arguments of what makes it."""
    parameters = inspect.signature(make).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters}


def _check_options(name: str, options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for option, value in options.items():
        if option not in known:
            raise UserError(f"the form {name} has no option {option!r}; it has: {', '.join(known) or 'none'}")
        # A plan is TOML, which knows lists but no tuples.
        like = list(known[option]) if isinstance(known[option], tuple) else known[option]
        # An option without a default may be anything.
        if like is not inspect.Parameter.empty and type(value) is not type(like):
            raise UserError(f"the option {option} of {name} is {value!r}, but must be like {like!r}")
