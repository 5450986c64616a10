"""Every control in turn, and what is written of them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.audit.answer_checks import answers
from expound.audit.bounds import bounds
from expound.audit.gaming import gaming
from expound.audit.grounding import grounding
from expound.audit.inputs import Inputs
from expound.audit.length_control import length
from expound.audit.overlap import Copies, overlap, pair_records
from expound.audit.repetition import repetition
from expound.audit.section import Section
from expound.audit.verdict import Verdict
from expound.audit.verdict_page import audit_page
from expound.errors import UserError
from expound.files import write_whole
from expound.records import without_nan, write_records
from expound.version import __version__

PAGE, RECORD, PAIRS = "audit.html", "audit.json", "pairs.jsonl"

_CONTROLS: Mapping[str, Callable[[Inputs], Section]] = {
    "answers": answers,
    "grounding": grounding,
    "bounds": bounds,
    "length": length,
    "gaming": gaming,
    "repetition": repetition,
}
# In the order of the page: what spoils the later controls is told first. `overlap` alone also gives pairs to label.
CONTROLS = ("answers", "grounding", "overlap", "bounds", "length", "gaming", "repetition")


@dataclass(frozen=True)
class Audit:
    """What all controls found."""

    about: Mapping[str, object]
    sections: tuple[Section, ...]
    found: Copies | None = None
    """The nearest training questions, to be labelled."""

    @property
    def verdicts(self) -> list[Verdict]:
        return [verdict for section in self.sections for verdict in section.verdicts]


def run_controls(inputs: Inputs, *, skip: Collection[str] = ()) -> Audit:
    """Run every control but those to skip."""
    unknown = [name for name in skip if name not in CONTROLS]
    if unknown:
        raise UserError(f"no control named {unknown[0]!r}; there are: {', '.join(CONTROLS)}")
    sections, found = [], None
    for name in CONTROLS:
        if name in skip:
            continue
        if name == "overlap":
            section, found = overlap(inputs)
        else:
            section = _CONTROLS[name](inputs)
        sections.append(section)
    return Audit(about(inputs), tuple(sections), found)


def about(inputs: Inputs) -> dict[str, object]:
    """What was audited: names, sizes, metric, seed."""
    system = next((item.system for item in inputs.predictions.values() if item.system), "")
    return {
        "system": system,
        # Without its folders: the page may be published.
        "dataset": Path(inputs.dataset).name if inputs.dataset else "",
        "questions": len(inputs.questions),
        "metric": inputs.primary,
        "signature": inputs.quality[inputs.primary].signature if inputs.quality else "",
        "seed": inputs.seed,
        "expound": __version__,
    }


# The page comes last but one and the record last: a reader who finds the record finds all of it.
def write_audit(result: Audit, inputs: Inputs, out: Path) -> None:
    """The page, the record, and the pairs to label."""
    if result.found is not None:
        records = pair_records(inputs, result.found)
        write_records(out / PAIRS, records, spec={"train": inputs.train, "dataset": inputs.dataset}, seed=inputs.seed)
    with write_whole(out / PAGE) as file:
        file.write(audit_page(result.about, result.sections))
    with write_whole(out / RECORD) as file:
        json.dump(audit_record(result), file, ensure_ascii=False, indent=1)
        file.write("\n")


def audit_record(result: Audit) -> dict[str, Any]:
    """The whole audit as JSON values; numbers that do not exist are null."""
    sections = [dataclasses.asdict(section) for section in result.sections]
    plain: dict[str, Any] = without_nan({**result.about, "sections": sections})
    return plain
