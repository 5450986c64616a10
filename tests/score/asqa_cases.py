"""The questions and predictions of the reference cases of ASQA's own scorer."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from dataclasses import replace
from functools import cache
from typing import Any

from expound.datasets.asqa import Asqa
from expound.types import Question
from golden import SHARED

DATA = SHARED / "data" / "asqa"


def question_of(case: dict[str, Any], id: str) -> Question:
    """The question as the case scores it."""
    question = _questions()[id]
    if case["options"]["regime"] == "train":
        return replace(question, references=(question.references[case["options"]["target_idx"]],))
    return question


def answer_of(case: dict[str, Any], id: str) -> str:
    """The prediction that the case's recipe describes."""
    if "predictions" in case:
        return str(case["predictions"][id])
    if "system" in case:
        return _system_outputs()[case["system"]][id]
    question = _questions()[id]
    first, second = question.references
    if case["case"] == "contexts_joined":
        return " ".join(dict.fromkeys(_contexts(id)))
    return {
        "all_empty": "",
        "question_x8": " ".join([question.text] * 8),
        "ref1_first_30_words": " ".join(first.split()[:30]),
        "ref1_in_eval": first,
        "ref1_vs_ref2_four_rouge": first,
        "ref2_twice": f"{second}\n{second}",
        "ref2_vs_ref1": second,
        "target_keys_subset": second,
    }[case["case"]]


def _contexts(id: str) -> list[str]:
    pairs = _raw()["dev"][id]["qa_pairs"]
    return [pair["context"] for pair in pairs if pair.get("context") not in (None, "", "No context provided")]


@cache
def _questions() -> dict[str, Question]:
    return {question.id: question for question in Asqa(DATA / "asqa_dev_748.json.gz")}


@cache
def _raw() -> Any:
    return json.loads(gzip.decompress((DATA / "asqa_dev_748.json.gz").read_bytes()))


@cache
def _system_outputs() -> dict[str, dict[str, str]]:
    outputs: dict[str, dict[str, str]] = defaultdict(dict)
    for line in gzip.decompress((DATA / "asqa_dev_system_outputs_3384.jsonl.gz").read_bytes()).splitlines():
        row = json.loads(line)
        outputs[row["system"]][row["id"]] = row["output"]
    return outputs
