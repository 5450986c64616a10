"""Making a study: the items file and its manifest first, then the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from expound.datasets.spec import split_spec
from expound.errors import UserError
from expound.records import write_records
from expound.study.deriving import SOURCES, derived_items
from expound.study.design import PAIRINGS, answered, make_items
from expound.study.forms import form_named
from expound.study.forms.form import Form
from expound.study.items import Item, check_unique, item_record, read_items
from expound.study.plan import Plan, write_plan


@dataclass(frozen=True)
class Sources:
    """What the items are made of."""

    dataset: str = ""
    systems: Mapping[str, Path] = field(default_factory=dict)
    references: bool = False
    pairing: str = "random"
    items: Path | None = None
    study: Path | None = None
    checks: Mapping[str, Path] = field(default_factory=dict)
    limit: int = 0


def make_study(
    path: Path, form_name: str, sources: Sources, *, overlap: int, seed: int, database: str = "", corpus: str = ""
) -> tuple[Plan, int]:
    """Write a study, its plan last; how many items raters will judge. An existing study is never overwritten."""
    if path.suffix != ".toml":
        raise UserError(f"{path}: the plan of a study is a TOML file, such as study.toml")
    if path.exists():
        raise UserError(f"{path} exists already; give the new study another name")
    form = form_named(form_name, folder=path.parent)
    if sources.pairing not in PAIRINGS:
        raise UserError(f"--pairs {sources.pairing}: choose one of {', '.join(PAIRINGS)}")
    items = _items(form, sources, seed)
    plan = Plan(
        name=path.stem,
        form=form_name,
        overlap=overlap,
        seed=seed,
        database=database,
        corpus=corpus,
        instructions=form.instructions,
        design=_design(form, sources, items),
        folder=path.parent,
    )
    everything = [*items, *(one for kind, file in sources.checks.items() for one in read_items(file, kind=kind))]
    check_unique(everything, str(plan.items_path))
    spec = {"form": form_name, "dataset": sources.dataset, "pairs": sources.pairing, "overlap": overlap}
    write_records(plan.items_path, map(item_record, everything), spec=spec, seed=seed, inputs=_inputs(sources))
    write_plan(path, plan)
    return plan, len(items)


def _items(form: Form, sources: Sources, seed: int) -> list[Item]:
    if sources.items:
        return read_items(sources.items)
    if form.makes in SOURCES:
        if not sources.study:
            raise UserError(f"the form {form.name} continues a study of {SOURCES[form.makes]}: give it with --from")
        return derived_items(form.makes, sources.study)
    if not sources.dataset:
        raise UserError("which questions? Give --dataset LAYOUT:PATH, or --items FILE")
    found = answered(sources.dataset, sources.systems, references=sources.references, limit=sources.limit, seed=seed)
    items = make_items(form.makes, found, pairing=sources.pairing, seed=seed)
    if not items:
        raise UserError(f"{sources.dataset} gives no item for the form {form.name}")
    return items


def _design(form: Form, sources: Sources, items: list[Item]) -> str:
    """The design in a sentence, for whoever reads the plan."""
    systems = sorted({candidate.system for item in items for candidate in item.candidates})
    questions = len({item.question_id for item in items})
    how = f", pairs drawn: {sources.pairing}" if form.makes == "pairs" else ""
    return f"{len(items)} items from {questions} questions, systems: {', '.join(systems) or 'none'}{how}"


def _inputs(sources: Sources) -> list[Path]:
    single = [path for path in (sources.items, sources.study) if path]
    files = [*sources.systems.values(), *sources.checks.values(), *single]
    return [*files, Path(split_spec(sources.dataset)[1]).expanduser()] if sources.dataset else files
