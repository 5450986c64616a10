"""Making a study: the items file and its manifest first, then the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from expound.datasets.spec import split_spec
from expound.errors import UserError
from expound.files import user_path
from expound.records import write_records
from expound.study.design.collected import Earlier
from expound.study.design.expected import check_candidates, check_expected
from expound.study.design.form import Form
from expound.study.design.form_table import find_form, form_options
from expound.study.design.items import Item, check_unique, item_record, read_items
from expound.study.design.pairing import PAIRINGS, gather_answers, make_items
from expound.study.design.study_plan import StudyPlan, write_plan


@dataclass(frozen=True)
class ItemSources:
    """What the items are made of."""

    dataset: str = ""
    systems: Mapping[str, Path] = field(default_factory=dict)
    references: bool = False
    pairing: str = "random"
    items: Path | None = None
    before: Earlier | None = None
    checks: Mapping[str, Path] = field(default_factory=dict)
    limit: int = 0


@dataclass(frozen=True)
class MadeStudy:
    """A study that was written: how many items raters will judge, and of how many questions."""

    items: int
    questions: int


def make_study(
    path: Path, form_name: str, sources: ItemSources, *, overlap: int, seed: int, database: str = "", corpus: str = ""
) -> MadeStudy:
    """Write a study, its plan last. An existing study is never overwritten."""
    # Before anything is read: minutes of work would end in a refusal.
    check_free(path)
    _check_corpus(corpus)
    form = find_form(form_name, folder=path.parent)
    items = _items(form, sources, seed)
    plan = StudyPlan(
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
    # Their kind comes from the option and not from the file: a list of questions becomes an exam by being named as one.
    checks = [one for kind, file in sources.checks.items() for one in read_items(file, kind=kind)]
    everything = [*items, *checks]
    check_unique(everything, str(plan.items_path))
    check_candidates(form, items, str(sources.items or plan.items_path))
    for kind, file in sources.checks.items():
        check_candidates(form, [one for one in checks if one.kind == kind], str(file))
    # Forms with options may ask other things; they are checked when the study is opened with its plan.
    if not form_options(form_name):
        check_expected(form, everything, str(plan.items_path))
    spec = {"form": form_name, "dataset": sources.dataset, "pairs": sources.pairing, "overlap": overlap}
    write_records(plan.items_path, map(item_record, everything), spec=spec, seed=seed, inputs=_inputs(sources))
    # Last: a plan that is there means that its items are.
    write_plan(path, plan)
    return MadeStudy(len(items), len({item.question_id for item in items}))


def _check_corpus(spec: str) -> None:
    if spec:
        from expound.corpus import library  # half a second, which a study without one does not need

        library.check_corpus(spec)


def check_free(path: Path) -> None:
    if path.suffix != ".toml":
        raise UserError(f"{path}: the plan of a study is a TOML file, such as study.toml")
    if path.exists():
        raise UserError(f"{path} exists already; give the new study another name")


def _items(form: Form, sources: ItemSources, seed: int) -> list[Item]:
    if sources.pairing not in PAIRINGS:
        raise UserError(f"--pairs {sources.pairing}: choose one of {', '.join(PAIRINGS)}")
    if sources.items:
        return read_items(sources.items)
    if form.derive:
        return _derive(form, form.derive, sources.before)
    if not sources.dataset:
        raise UserError("which questions? Give --dataset LAYOUT:PATH, or --items FILE")
    found = gather_answers(
        sources.dataset,
        sources.systems,
        references=sources.references,
        pairing=sources.pairing if form.makes == "pairs" else "",
        limit=sources.limit,
        seed=seed,
    )
    items = make_items(form.makes, found, pairing=sources.pairing, seed=seed)
    if not items:
        raise UserError(f"{sources.dataset} gives no item for the form {form.name}")
    return items


def _derive(form: Form, derive: Callable[[Earlier], Iterable[Item]], before: Earlier | None) -> list[Item]:
    """The items of a second pass, made of what another study collected."""
    if before is None:
        raise UserError(f"the form {form.name} continues a study of {form.continues}: give it with --from")
    if before.form != form.continues:
        raise UserError(f"{before.path} is a study of {before.form}; this form continues one of {form.continues}")
    items = list(derive(before))
    if not items:
        raise UserError(f"{before.path} has nothing to go on with yet")
    return items


def _design(form: Form, sources: ItemSources, items: list[Item]) -> str:
    """The design in a sentence, for whoever reads the plan."""
    systems = sorted({candidate.system for item in items for candidate in item.candidates})
    questions = len({item.question_id for item in items})
    how = f", pairs drawn: {sources.pairing}" if form.makes == "pairs" else ""
    return f"{len(items)} items from {questions} questions, systems: {', '.join(systems) or 'none'}{how}"


def _inputs(sources: ItemSources) -> list[Path]:
    single = [path for path in (sources.items, sources.before and sources.before.path) if path]
    files = [*sources.systems.values(), *sources.checks.values(), *single]
    return [*files, user_path(split_spec(sources.dataset)[1])] if sources.dataset else files
