"""From `asqa:dev.json` to the questions in it: a dataset spec is a layout and a path, or the name of an import.

The path may also name a dataset of the hub: `asqa:hub://din0s/asqa@dev`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from expound import plugins
from expound.datasets import hub
from expound.datasets.imported import Imported, import_file, imported_datasets, name_for
from expound.errors import UnknownName, UserError, nearest
from expound.files import user_path
from expound.protocols import Dataset
from expound.types import Preference, Rating

QUESTIONS, PREFERENCES, RATINGS = "dataset", "preferences", "ratings"
"""The kinds of layouts: files of questions, of pairwise judgments, and of judgments of single answers."""
_KINDS = {QUESTIONS: "questions", PREFERENCES: "pairwise judgments", RATINGS: "judgments of single answers"}


def open_dataset(spec: str) -> Dataset:
    """The questions a spec names; they are read when they are asked for."""
    layout, path = split_spec(spec)
    if (kind := kind_of(layout)) != QUESTIONS:
        raise UserError(f"{spec} holds {_KINDS[kind]}, not questions to answer")
    dataset: Dataset = plugins.load(QUESTIONS, layout)(user_path(path))
    return dataset


def open_preferences(spec: str) -> Iterable[Preference]:
    """The pairwise judgments a spec names, such as `xu2023:judgments.jsonl`."""
    layout, path = split_spec(spec)
    if (kind := kind_of(layout)) != PREFERENCES:
        raise UserError(
            f"{spec} holds {_KINDS[kind]}, not pairwise judgments; layouts with these: "
            f"{', '.join(plugins.names(PREFERENCES))}"
        )
    preferences: Iterable[Preference] = plugins.load(PREFERENCES, layout)(user_path(path))
    return preferences


def open_judged(spec: str) -> Iterable[Preference] | Iterable[Rating]:
    """The judgments a spec names, pairwise or of single answers, such as `wikieval:judgments.jsonl`."""
    layout, path = split_spec(spec)
    if kind_of(layout) == QUESTIONS:
        judged = (*plugins.names(PREFERENCES), *plugins.names(RATINGS))
        raise UserError(f"{spec} holds questions, not judgments; layouts with judgments: {', '.join(sorted(judged))}")
    found: Iterable[Preference] | Iterable[Rating] = plugins.load(kind_of(layout), layout)(user_path(path))
    return found


def split_spec(spec: str) -> tuple[str, str]:
    """The layout and the path of a dataset spec; without a path, those of the imported dataset it names."""
    # At the first colon: a path may have more of them, as those of Windows and of the hub do.
    layout, _, path = (part.strip() for part in spec.partition(":"))
    if not path:
        found = _find_import(layout)
        return found.layout, str(found.path)
    kind_of(layout)
    return layout, str(hub.fetch(layout, path)) if path.startswith(hub.PREFIX) else path


def kind_of(layout: str) -> str:
    """What a file of this layout holds: one of the kinds above."""
    for kind in _KINDS:
        if layout in plugins.names(kind):
            return kind
    raise UnknownName(
        f"no dataset layout named {layout!r}; write LAYOUT:PATH, where LAYOUT is one of: {', '.join(layouts())}"
    )


def layouts() -> list[str]:
    """All layouts by name."""
    return sorted({name for kind in _KINDS for name in plugins.names(kind)})


def import_dataset(spec: str, *, name: str = "") -> tuple[Imported, bool]:
    """Keep a copy of a dataset, and whether it is new; from then on its name alone is a spec."""
    layout, path = split_spec(spec)
    # Such a name alone would be a spec of two meanings. Of its own layout it is none: `asqa` then is the imported one.
    if name in layouts() and name != layout:
        raise UserError(f"{name!r} is the name of a layout; choose another --name")
    file = user_path(path)
    return import_file(file, layout, name=name or name_for(file), count=lambda path: _count(layout, path))


def _count(layout: str, path: Path) -> int:
    return sum(1 for _ in plugins.load(kind_of(layout), layout)(path))


def _find_import(name: str) -> Imported:
    """The import of that name, or the only one of that layout."""
    known = imported_datasets()
    for item in known:
        if item.name == name:
            return item
    of_layout = [item for item in known if item.layout == name]
    if len(of_layout) == 1:
        return of_layout[0]
    raise _not_found(name, known, of_layout)


def _not_found(name: str, known: list[Imported], of_layout: list[Imported]) -> UserError:
    names = [item.name for item in of_layout or known]
    if of_layout:
        return UserError(f"several imported datasets are of the layout {name}; name one of them: {', '.join(names)}")
    if name in layouts():
        return UserError(f"where is the file? Write {name}:PATH, or once: expound datasets import {name}:PATH")
    hint = nearest(name, names, otherwise=f"imported: {', '.join(names) or 'none'}")
    return UnknownName(f"no dataset named {name!r}; {hint}; otherwise write LAYOUT:PATH")


def without_folders(spec: str) -> str:
    """A spec for people elsewhere: the layout and the name of the file.

    >>> without_folders("asqa:/home/me/data/dev.json")
    'asqa:dev.json'
    """
    layout, _, path = spec.partition(":")
    return f"{layout}:{Path(path).name}" if path else layout
