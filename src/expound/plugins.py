"""From the text of a part to the part: `Hybrid(candidates=80)` becomes an object.

Parts are entry points of the group `expound.<kind>`; expound's own stand in the same table as everyone else's.
A spec is read, never executed: a name and arguments, all but the first with their names. A value is a literal (a text
of one word needs no quotes), or a settings object of the part's own: `Composed(lengths=Lengths(total=120))`.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from expound.errors import IncompleteSpec, UnknownPlugin, UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


RECORDED = frozenset({"retrieve", "clarify", "answer", "score", "judge"})
"""The kinds of parts whose specs stand in records and signatures."""

_LITERALS = {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}


@dataclass(frozen=True, slots=True)
class Spec:
    """A part's name and the arguments it was written with."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    first: tuple[Any, ...] = ()
    """Arguments without a name, as in `Command('python my_system.py')`."""


def build(kind: str, spec: str, **context: Any) -> Any:
    """The object a spec describes. Of the context it gets what its signature names; the spec's own arguments win."""
    parsed = parse(spec)
    factory = load(kind, parsed.name)
    accepted, parameters = _list_accepted(factory), inspect.signature(factory).parameters
    # What the part does not name it does not get: a plug-in need not know of everything. Nor does it get what it calls
    # by the same word and means otherwise: `model` is a file to one, and a text model to another.
    given = {
        name: value
        for name, value in context.items()
        if accepted is None or (name in accepted and _fits(value, parameters[name]))
    }
    try:
        # The spec wins: the user wrote it.
        named = {**given, **_arguments(parsed, factory)}
        if missing := _list_missing(parameters, len(parsed.first), named):
            # `BertScore()`: whoever gives it no weights gets the one that needs none, under that one's own name.
            if not parsed.arguments and hasattr(factory, "instead"):
                return build(kind, factory.instead, **context)
            raise _tell_missing(spec, parsed.name, missing, hint=getattr(factory, "hint", ""))
        part = factory(*parsed.first, **named)
    # A constructor's own complaint is about what the user wrote.
    except (TypeError, ValueError) as error:
        raise UserError(f"{spec}: {error}") from error
    if kind in RECORDED:
        check_repr(part, factory)
    return part


def check_repr(part: object, factory: Any) -> None:
    """Refuse a part whose `repr` is not its spec: records would not say how their answers were made."""
    name, text = type(part).__name__, repr(part)
    try:
        _arguments(parse(text), factory)
    except UserError as error:
        hint = "make it a dataclass, with repr=False for the fields that no spec can hold"
        raise UserError(f"the repr of {name} is no spec, and records are to tell it: {text[:80]}; {hint}") from error


def spec_text(part: Any, *, always: Collection[str] = ()) -> str:
    """The shortest spec of a dataclass: its name, the options that are not the usual ones, and those to tell always."""
    # Fields that are not in the repr cannot be in a spec.
    options = [field for field in fields(part) if field.init and field.repr]
    chosen = [field.name for field in options if field.name in always or not _is_usual(part, field)]
    told = [f"{name}={getattr(part, name)!r}" for name in chosen]
    return f"{type(part).__name__}({', '.join(told)})"


def takes(kind: str, spec: str, argument: str) -> bool:
    """Whether the part that a spec names can be given an argument of that name."""
    accepted = _list_accepted(load(kind, parse(spec).name))
    return accepted is None or argument in accepted


def parse(spec: str) -> Spec:
    """Read `Name`, `Name(option=value, …)` or `Name('value')`."""
    try:
        # Parsed, never evaluated: a spec may come from a file of somebody else's.
        tree = ast.parse(spec.strip(), mode="eval").body
        return _spec_of(tree)
    # Deep nesting breaks Python's parser itself.
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"cannot read {spec!r}: write it as Name or Name(option=value), texts in quotes") from error


def load(kind: str, name: str) -> Any:
    """The class or function behind a name."""
    found = _entry_points(kind)
    if name not in found:
        raise UnknownPlugin(f"no {kind} plug-in named {name!r}; {_suggestion(name, found)}")
    try:
        return found[name].load()
    except (ImportError, AttributeError) as error:
        raise UserError(f"the {kind} plug-in {name} cannot be loaded ({found[name].value}): {error}") from error


def names(kind: str) -> list[str]:
    """The installed plug-ins of a kind, sorted."""
    return sorted(_entry_points(kind))


def place_in_plugin(error: BaseException) -> str:
    """Where an error came through a plug-in of somebody else, such as "harbour.py, line 20"; empty if through none."""
    theirs = _foreign_packages()
    places = [
        f"{Path(frame.f_code.co_filename).name}, line {line}"
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] in theirs
    ]
    return places[-1] if places else ""


def _foreign_packages() -> set[str]:
    """The top modules of installed plug-ins that are not our own."""
    from importlib.metadata import entry_points

    points = entry_points()
    ours = (point for group in points.groups if group.startswith("expound.") for point in points.select(group=group))
    return {point.module.partition(".")[0] for point in ours} - {"expound"}


def _spec_of(tree: ast.expr) -> Spec:
    if isinstance(tree, ast.Name):
        return Spec(tree.id)
    # More than one argument without a name would be told apart by their order alone.
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)) or len(tree.args) > 1:
        raise ValueError("not a name with keyword arguments, and at most one without a name")
    given = [keyword.arg for keyword in tree.keywords]
    if None in given or len(set(given)) < len(given):
        raise ValueError("a ** argument, or the same one twice")
    named = {str(keyword.arg): _value(keyword.value) for keyword in tree.keywords}
    return Spec(tree.func.id, named, tuple(ast.literal_eval(argument) for argument in tree.args))


def _value(tree: ast.expr) -> Any:
    if isinstance(tree, ast.Name):
        # `profile=lfqa`: a shell has its own use for quotes, and a single word can mean nothing else.
        return tree.id
    return _spec_of(tree) if isinstance(tree, ast.Call) else ast.literal_eval(tree)


def _arguments(spec: Spec, factory: Any) -> dict[str, Any]:
    """The spec's arguments, with the settings objects that they describe."""
    _check_arguments(spec, factory)
    return {name: _build_value(spec.name, name, value, factory) for name, value in spec.arguments.items()}


def _build_value(owner: str, name: str, value: Any, factory: Any) -> Any:
    """A value as it is, or the settings object that it describes: the parameter's own default says of which class."""
    parameter = inspect.signature(factory).parameters.get(name)
    usual = parameter.default if parameter else None
    if not isinstance(value, Spec):
        if parameter and not _fits(value, parameter):
            raise UserError(f"{owner}: {name} must be {_LITERALS[type(usual)]}, found {value!r:.40}")
        return value
    settings: Any = type(usual)
    # Only the class of the default: a spec can name no other, so it can call nothing else.
    if not (is_dataclass(usual) and settings.__name__ == value.name):
        raise UserError(f"{owner} takes no {value.name}(…) as its {name}")
    return settings(**_arguments(value, settings))


def _fits(value: Any, parameter: inspect.Parameter) -> bool:
    """Whether a value is of the type of the usual one; a parameter of several types takes any."""
    usual = type(parameter.default)
    if usual not in _LITERALS or "|" in str(parameter.annotation):
        return True
    return type(value) is usual or (usual is float and type(value) is int)


def _is_usual(part: Any, option: Field[Any]) -> bool:
    usual = option.default_factory() if option.default_factory is not MISSING else option.default
    return bool(getattr(part, option.name) == usual)


def _entry_points(kind: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # a tenth of the time of `expound --help`, which needs none

    # On a clash of names our own part stays: installing a package must not change what a spec means.
    found = sorted(entry_points(group=f"expound.{kind}"), key=lambda point: point.value.startswith("expound."))
    return {point.name: point for point in found}


def _suggestion(name: str, installed: Iterable[str]) -> str:
    by_lower = {known.lower(): known for known in installed}
    # Whatever the case: people write `extractive`.
    nearest = difflib.get_close_matches(name.lower(), by_lower, n=1)
    listed = f"installed: {', '.join(sorted(by_lower.values())) or 'none'}"
    return f"did you mean {by_lower[nearest[0]]}? {listed}" if nearest else listed


def _list_missing(parameters: Mapping[str, inspect.Parameter], first: int, named: Mapping[str, Any]) -> list[str]:
    """The arguments that nobody gave and that have no usual value."""
    unnamed = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    wanted = [one.name for one in parameters.values() if one.default is one.empty and one.kind not in unnamed]
    return [name for name in wanted if name not in (*list(parameters)[:first], *named)]


def _tell_missing(spec: str, name: str, missing: Iterable[str], *, hint: str) -> IncompleteSpec:
    written = f"{name}({', '.join(f'{argument}=…' for argument in missing)})"
    return IncompleteSpec("; ".join(filter(None, [f"{spec} needs more: write {written}", hint])), hint=hint)


def _list_accepted(factory: Any) -> set[str] | None:
    """The keyword arguments a callable takes; None when it takes any."""
    parameters = inspect.signature(factory).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def _check_arguments(spec: Spec, factory: Any) -> None:
    accepted = _list_accepted(factory)
    unknown = [name for name in spec.arguments if accepted is not None and name not in accepted]
    if unknown:
        # What no spec can hold is handed over by the caller, and nothing that the user could write.
        handed = {option.name for option in fields(factory) if not option.repr} if is_dataclass(factory) else set()
        options = ", ".join(sorted((accepted or set()) - handed)) or "none"
        raise UserError(f"{spec.name} has no option {unknown[0]!r}; its options: {options}")
