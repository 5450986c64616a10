"""The analysis of a study, or of judgments from elsewhere: a page and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from expound.agreement.analysis import Analysis, analysis_record, analyze
from expound.agreement.analysis_page import analysis_page
from expound.agreement.criterion import Settings
from expound.agreement.labels import system_order
from expound.agreement.marked_spans import is_marked
from expound.agreement.published import judgments_from, lengths_of
from expound.datasets.spec import open_judged
from expound.errors import BadInput, UnknownName, UserError, nearest
from expound.files import write_whole
from expound.records import read_judgments
from expound.study.design.form import TIE
from expound.study.design.items import Placed
from expound.study.engine.looks import record_look
from expound.study.engine.opened import Study, open_study
from expound.study.out.judgments import judgments_of
from expound.types import Preference, Rating

DEFAULT_SAMPLES = 1000  # the bounds of a 95 % interval then rest on 25 samples at each end


def analyze_study(
    study: Study, *, systems: Sequence[str] = (), seed: int = 0, samples: int = DEFAULT_SAMPLES
) -> Analysis:
    """What the judgments of a study say so far, by the rules of its form; `systems` come first, in that order."""
    known = [candidate.system for placed in study.items.values() for candidate in placed.item.candidates]
    settings = Settings(
        systems=_order_systems(systems, known),
        lengths={
            (placed.item.id, candidate.system): float(len(candidate.text.split()))
            for placed in study.items.values()
            for candidate in placed.item.candidates
        },
        collapse=study.form.collapse,
        columns=study.form.columns,
        has_ties=_criteria_with_ties(study, study.items.values()),
        seed=seed,
        samples=samples,
    )
    judgments = list(judgments_of(study))
    # What was written is there to be read; only where there is nothing else does it show who wrote how long.
    counted = [one for one in judgments if not isinstance(one.value, dict) or is_marked(one)]
    return replace(analyze(counted or judgments, settings), look=record_look(study))


def analyze_source(
    source: str, *, systems: Sequence[str] = (), seed: int = 0, samples: int = DEFAULT_SAMPLES
) -> Analysis:
    """The analysis of a study's plan, of a file of judgments, or of published ones such as `xu2023:FILE`."""
    path = Path(source)
    if path.suffix == ".toml":
        return analyze_study(open_study(path), systems=systems, seed=seed, samples=samples)
    # A spec has a colon, and so may a path.
    if ":" in source and not path.exists():
        found: list[Preference | Rating] = list(open_judged(source))
        pairs = [one for one in found if isinstance(one, Preference)]
        study = Path(source.partition(":")[2]).name.partition(".")[0]
        judgments = list(judgments_from(found, study=study))
        settings = Settings(
            _order_systems(systems, system_order(judgments)), lengths_of(pairs), seed=seed, samples=samples
        )
        return analyze(judgments, settings)
    if ".jsonl" in path.suffixes:
        judgments = list(read_judgments(path))
        if not judgments:
            raise BadInput(f"{path} has no judgments")
        settings = Settings(_order_systems(systems, system_order(judgments)), seed=seed, samples=samples)
        return analyze(judgments, settings)
    raise UserError(f"{source}: give the plan of a study (.toml), judgments (.jsonl), or a spec such as xu2023:FILE")


def _order_systems(first: Sequence[str], known: Sequence[str]) -> list[str]:
    """All systems, those that were named first; a name that nobody has is refused."""
    for name in first:
        if name not in known:
            raise UnknownName(f"no system named {name!r}; {nearest(name, sorted(set(known)))}")
    return list(dict.fromkeys([*first, *known]))


def write_analysis(analysis: Analysis, out: Path) -> tuple[Path, Path]:
    """The page and, beside it, all figures as JSON; their paths."""
    page, figures = out.with_suffix(".html"), out.with_suffix(".json")
    # The figures first: whoever finds the page finds what it was made of.
    with write_whole(figures) as file:
        json.dump(analysis_record(analysis), file, ensure_ascii=False, indent=1)
        file.write("\n")
    with write_whole(page) as file:
        file.write(analysis_page(analysis))
    return page, figures


def _criteria_with_ties(study: Study, items: Iterable[Placed]) -> frozenset[str]:
    return frozenset(
        field.name for placed in items for field in study.form.fields(study.view(placed)) if TIE in field.values
    )
