"""Pairs of texts as JSON Lines: a premise, a hypothesis, and whether the first entails the second."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadInput, BadRecord
from expound.files import write_whole
from expound.models.nli_model import LABELS
from expound.records import read_lines

NOT_ENTAILED = "not_entailment"
"""Of files with two classes, such as RTE: neutral or contradiction, nobody knows which."""
# As SNLI, RTE and SICK call them.
_PREMISES = ("premise", "sentence1", "sentence_A")
_HYPOTHESES = ("hypothesis", "sentence2", "sentence_B")
_LABELS = ("label", "gold_label", "entailment_judgment")
_UNDECIDED = "-"  # SNLI's mark where five people have no majority


@dataclass(frozen=True)
class NliPair:
    """Two texts, and what people say of them."""

    premise: str
    hypothesis: str
    label: str


def read_nli(paths: Sequence[Path]) -> list[NliPair]:
    """The pairs of files in the layout of SNLI, RTE or SICK; those without a label are left out."""
    return [pair for path in paths for pair in _pairs_of(path)]


def write_nli(path: Path, pairs: Iterable[NliPair]) -> None:
    """Write a file of pairs."""
    with write_whole(path) as file:
        for pair in pairs:
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")


def _pairs_of(path: Path) -> list[NliPair]:
    pairs = [_pair_from(record, path, number) for number, record in read_lines(path)]
    decided = [pair for pair in pairs if pair.label != _UNDECIDED]
    if not decided:
        raise BadInput(f"{path} has no pairs with a label")
    return decided


def _pair_from(record: Mapping[str, Any], path: Path, number: int) -> NliPair:
    premise, hypothesis, label = (_first(record, names) for names in (_PREMISES, _HYPOTHESES, _LABELS))
    if premise is None or hypothesis is None or label is None:
        raise BadRecord(f"{path}, line {number}: a pair has the texts `premise`, `hypothesis` and `label`")
    if (known := label.strip().lower()) not in (*LABELS, NOT_ENTAILED, _UNDECIDED):
        raise BadRecord(
            f"{path}, line {number}: the label is {label!r}, not one of {', '.join((*LABELS, NOT_ENTAILED))}"
        )
    return NliPair(premise.strip(), hypothesis.strip(), known)


def _first(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((record[name] for name in names if isinstance(record.get(name), str)), None)
