"""A study that is open: its plan, its form, its items and its database."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from expound.errors import BadInput
from expound.files import sha256_of
from expound.study.design.expected import check_expected
from expound.study.design.form import Form
from expound.study.design.form_table import find_form
from expound.study.design.items import KINDS, Placed, View, read_items, view_of
from expound.study.design.study_plan import StudyPlan, read_plan
from expound.study.engine.study_store import StudyStore, load_items, open_store, put_setting, setting, stored_items


@dataclass(frozen=True)
class Study:
    """Everything the pages and the commands work with; items may join, and do not change once they are there."""

    plan: StudyPlan
    form: Form
    store: StudyStore
    items: dict[int, Placed]

    @cached_property
    def by_kind(self) -> dict[str, list[Placed]]:
        """The items of each kind, in their order."""
        return {kind: [one for one in self.items.values() if one.item.kind == kind] for kind in KINDS}

    def take(self, added: Mapping[int, Placed]) -> None:
        """Let items in that joined while the study runs: a new table at once, so that no page sees half of it."""
        # Frozen but for this: pages hold on to the study, and see either all of the new items or none.
        object.__setattr__(self, "items", {**self.items, **added})
        self.__dict__.pop("by_kind", None)

    def place(self, number: int, shown: str) -> Placed:
        """An item as one rater saw it."""
        return replace(self.items[number], shown=shown)

    def view(self, placed: Placed) -> View:
        """What raters see of an item."""
        return view_of(placed.item, placed.shown, evidence=self.form.shows_evidence)

    def secret(self, name: str) -> str:
        with self.store.reading() as connection:
            return setting(connection, name)


def open_study(path: Path) -> Study:
    """The study of a plan; its database is made and filled at the first opening."""
    plan = read_plan(path)
    form = find_form(plan.form, plan.options, folder=plan.folder)
    store = open_store(plan.database_url)
    # The file is read at every opening: judgments belong to the items as they were.
    digest = sha256_of(_check_exists(plan.items_path, path))
    with store.writing() as connection:
        known = setting(connection, "items_sha256")
        if not known:
            items = read_items(plan.items_path)
            # Here with the options of the plan, which may change what a form asks.
            check_expected(form, items, str(plan.items_path))
            load_items(connection, items, seed=plan.seed, digest=digest)
        elif known != digest:
            raise BadInput(
                f"{plan.items_path} changed after the study began, and its judgments belong to the items as they were; "
                "put the file back, or make a new study"
            )
        if not setting(connection, "api_token"):
            put_setting(connection, "api_token", secrets.token_urlsafe(24))
        placed = {number: Placed(number, *pair) for number, pair in stored_items(connection).items()}
    return Study(plan, form, store, placed)


def _check_exists(items: Path, plan: Path) -> Path:
    if not items.is_file():
        raise BadInput(f"{plan} names the items {items}, and there is no such file")
    return items
