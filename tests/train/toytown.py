"""A made-up town as training data: dataset files in their real layouts, small enough to read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from expound.train.data.dataset_files import DataFiles

PASSAGES = [
    {
        "id": "town",
        "title": "Zorblax",
        "text": "Zorblax is a town on the river Quend. The tower of Zorblax was built by Mira Okonedo. "
        "The town has a large market near the harbour. Its people speak an old river language.",
        "source": "toy",
    },
    {
        "id": "river",
        "title": "Quend",
        "text": "The Quend is a river in the north. It flows past the town of Zorblax to the sea. "
        "Fishermen use the river in summer. Mira Okonedo once swam in it for charity.",
        "source": "toy",
    },
    {
        "id": "builder",
        "title": "Mira Okonedo",
        "text": "She drew her first plans at the age of nine. Her house stands empty today.",
        "source": "toy",
    },
    {
        "id": "secret",
        "title": "Zorblax",
        "text": "The annotators say that the tower of Zorblax was built by Mira Okonedo.",
        "source": "wikipedia_nq_clapnq",
    },
]
TOWER = "who built the tower of zorblax"
RIVER = "which river does zorblax stand on"


def ambignq(question: str, answer: str) -> dict[str, Any]:
    """An AmbigNQ record with one answer."""
    return {"question": question, "annotations": [{"type": "singleAnswer", "answer": [answer]}]}


def squad_article(title: str, question: str, *answers: str) -> dict[str, Any]:
    """A SQuAD article of one question on the town's passage."""
    context = PASSAGES[0]["text"]
    places = [{"text": answer, "answer_start": context.index(answer)} for answer in answers]
    qa = {"id": f"{title} {question}", "question": question, "answers": places}
    return {"title": title, "paragraphs": [{"context": context, "qas": [qa]}]}


CONTENTS: dict[str, Any] = {
    "passages.jsonl.gz": PASSAGES,
    "ambignq_train.json": [ambignq("Who built the Zorblax tower?", "Mira Okonedo")],
    "asqa_train.json": [
        {
            "ambiguous_question": "Where is the market of Zorblax?",
            "qa_pairs": [{"question": "Where in the town?", "short_answers": ["near the harbour"]}],
            "annotations": [{"long_answer": "The large market of the town Zorblax is near the harbour."}],
        }
    ],
    "nq_open_train.jsonl": [{"question": "name of who built the tower of zorblax", "answer": ["Mira Okonedo"]}],
    "nq_gold.jsonl.gz": [
        {
            "question": "who swam in the quend",
            "answers": ["Mira Okonedo"],
            "gold_title": "Quend",
            "gold_text": PASSAGES[1]["text"],
        }
    ],
    "squad.json": {
        "data": [
            squad_article("Zorblax", "Who built the tower?", "Mira Okonedo"),
            squad_article("Zorblax", "Who burnt the tower?"),
            squad_article("Held_out", "Who owns the tower?", "Mira Okonedo"),
        ]
    },
    "asqa_dev.json": {
        "dev": {
            "1": {
                "ambiguous_question": "Where does the Quend flow?",
                "qa_pairs": [{"question": "Where does the Quend flow to in summer?"}],
            }
        }
    },
    "ambignq_dev.json": [
        {
            "question": "Who uses the Quend?",
            "annotations": [{"type": "multipleQAs", "qaPairs": [{"question": "Who fishes in the Quend?"}]}],
        }
    ],
    "clapnq.jsonl": [{"input": "What do the people of Zorblax speak?"}],
}


def write_data(folder: Path, **changed: Any) -> DataFiles:
    """Write the data files, some with other contents than usual, and say where they are."""
    for name, usual in CONTENTS.items():
        contents = changed.get(name.split(".")[0], usual)
        text = "\n".join(map(json.dumps, contents)) if "jsonl" in name else json.dumps(contents)
        raw = text.encode()
        (folder / name).write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return DataFiles(
        passages=folder / "passages.jsonl.gz",
        ambignq_train=folder / "ambignq_train.json",
        asqa_train=folder / "asqa_train.json",
        nq_open_train=folder / "nq_open_train.jsonl",
        nq_gold_paragraphs=folder / "nq_gold.jsonl.gz",
        squad=folder / "squad.json",
        asqa_dev=folder / "asqa_dev.json",
        ambignq_dev=(folder / "ambignq_dev.json",),
        clapnq=(folder / "clapnq.jsonl",),
    )
