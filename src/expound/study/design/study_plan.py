"""The plan of a study, as `study.toml` writes it: everything a researcher may change without touching code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from expound.errors import BadInput, UserError, nearest
from expound.files import write_whole
from expound.records import read_toml

CONSENT = """\
You are asked to take part in a research study. You will read questions and answers and say what you think of them. \
Taking part is voluntary: you may stop at any time, and you can ask for everything you entered to be deleted with the \
button “Withdraw” below each page. Your entries are stored under a number, not under your name. If a crowd \
platform sent you here, its number for you is kept with them, so that you can be paid; it goes too when you \
withdraw."""


@dataclass(frozen=True)
class StudyPlan:
    """What is studied, with how many raters, and what they are told.

    `overlap` raters judge each item; `items_per_rater` 0 means no limit; `gold_every` puts a checking item after so
    many others; `release_after_minutes` gives an item that nobody works on to someone else.
    """

    name: str
    form: str
    items: str = ""
    database: str = ""
    overlap: int = 3  # the fewest whose majority decides
    seed: int = 0
    items_per_rater: int = 0
    open_join: bool = True
    gold_every: int = 10  # a tenth of the work is checking, which raters are paid for too
    exam_pass: float = 0.8  # one slip in five is allowed
    checks_pass: float = 0.5  # who fails more than half of the checks did not read
    release_after_minutes: int = 20  # no item takes as long; who comes back later finds it again all the same
    pay_per_hour: float = 0.0
    currency: str = "USD"
    completion_code: str = ""
    base_url: str = ""
    corpus: str = ""
    title: str = ""
    consent: str = CONSENT
    instructions: str = ""
    design: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = field(default=Path(), compare=False)

    @property
    def items_path(self) -> Path:
        return self.folder / (self.items or f"{self.name}.items.jsonl")

    @property
    def database_url(self) -> str:
        """The address of the database for SQLAlchemy; a plain path is an SQLite file."""
        where = self.database or f"{self.name}.db"
        scheme, found, rest = where.partition("://")
        if not found:
            return f"sqlite:///{self.folder / where}"
        if scheme in ("postgresql", "postgres"):
            return f"postgresql+pg8000://{rest}"
        if scheme == "sqlite":
            return where
        raise UserError(f"database = {where!r}: give a path for SQLite, or postgresql://USER:PASSWORD@HOST/NAME")


def read_plan(path: Path) -> StudyPlan:
    """The plan in a TOML file; unknown keys and wrong types are named."""
    hint = f"make one with: expound study new {path} --form FORM …"
    content = read_toml(path, missing=f"no such study: {path}; {hint}")
    known = {item.name: item for item in fields(StudyPlan) if item.name != "folder"}
    for key, value in content.items():
        _check(key, value, known, str(path))
    if "form" not in content:
        raise BadInput(f'{path}: which form? Write form = "asqa-pairwise"')
    return StudyPlan(**{"name": path.stem, **content}, folder=path.parent)


def write_plan(path: Path, plan: StudyPlan) -> None:
    """The plan as TOML, options last; what has its default is left out, except what one is likely to change."""
    defaults = StudyPlan(plan.name, plan.form)
    always = ("name", "form", "overlap", "seed", "consent", "instructions")
    names = [item.name for item in fields(StudyPlan) if item.name not in ("options", "folder")]
    with write_whole(path) as file:
        for name in names:
            value = getattr(plan, name)
            if name in always or value != getattr(defaults, name):
                file.write(f"{name} = {_toml(value)}\n")
        if plan.options:
            file.write("\n[options]\n")
            file.writelines(f"{name} = {_toml(value)}\n" for name, value in plan.options.items())


def _check(key: str, value: object, known: Mapping[str, Any], where: str) -> None:
    if key not in known:
        raise BadInput(f"{where}: no setting named {key!r}; {nearest(key, known)}")
    kind = {"str": str, "int": int, "bool": bool, "float": float}.get(str(known[key].type), dict)
    # A whole number will do for a share; true and false are whole numbers to Python, and are none here.
    is_right = isinstance(value, int | float) if kind is float else isinstance(value, kind)
    if not is_right or (kind is not bool and isinstance(value, bool)):
        raise BadInput(f"{where}: {key} must be {_KINDS[kind]}, found {value!r:.40}")
    least = 1 if key in ("overlap", "gold_every", "release_after_minutes") else 0
    if isinstance(value, int | float) and value < least:
        raise BadInput(f"{where}: {key} must be at least {least}, found {value}")


_KINDS: Mapping[type, str] = {str: "a text", int: "a whole number", bool: "true or false", float: "a number",
                              dict: "a table"}  # fmt: skip


def _toml(value: object) -> str:
    """A value in TOML; its strings are those of JSON, and long ones stand over several lines."""
    if isinstance(value, str) and "\n" in value:
        # Consent and instructions are edited by hand: as one line with \n in it nobody would.
        lines = json.dumps(value, ensure_ascii=False)[1:-1].replace("\\n", "\n")
        return f'"""\n{lines}"""'
    # The one character that JSON leaves as it is and TOML forbids.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
