"""The files that the legal lines name: a small world in which every command has something to do."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from expound.cli import execute
from expound.testing import write_jsonl, write_toy_folder

QUESTIONS = [
    {
        "id": f"q{number}",
        "question": f"Who won cup {number}?",
        "references": [f"Ann won cup {number}.", f"It was Ann who won cup {number}."],
        "interpretations": [{"question": f"Who won cup {number} of 1990?", "answers": ["Ann"]}],
    }
    for number in range(4)
]
_ASQA = {
    "dev": {
        "1": {
            "ambiguous_question": "Who won?",
            "qa_pairs": [{"question": "Who won in 1990?", "short_answers": ["Ann"], "context": ""}],
            "annotations": [{"long_answer": "Ann won in 1990.", "knowledge": []}] * 2,
            "wikipages": [],
        }
    }
}
_SQUAD_QA = {"id": "s1", "question": "Who won?", "answers": [{"text": "Ann", "answer_start": 0}]}
_DOCUMENT = {"id": "toy/kettle.md", "title": "Kettle", "text": "# Kettle\n\nThe kettle boils water in three minutes.\n"}
_ABOUT_KETTLE = {"question": "How long does the kettle take?", "kind": "value"}
_GOLD = {"gold_sentences": ["The kettle boils water in three minutes."], "answer": None, "short_answers": None}
_VOTES = [{"answer": said, "labels": [vote] * 3} for said, vote in (("So.", "supported"), ("No.", "not_supported"))]
_KILT = {"id": "k", "input": "Why?", "output": [{"answer": "So.", "provenance": [{"wikipedia_id": 12}]}]}
_CATEGORY = {
    "q_id": "c", "title": "Why?", "selftext": "", "category": "Physics", "answers": {"text": ["So."], "score": [3]}
}  # fmt: skip

JSON_LINES: Mapping[str, Sequence[dict[str, Any]]] = {
    "qa.jsonl": QUESTIONS,
    "a.jsonl": [{"id": one["id"], "answer": f"Ann won, says {one['id']}."} for one in QUESTIONS],
    "b.jsonl": [{"id": one["id"], "answer": f"Bo won, says {one['id']}."} for one in QUESTIONS],
    "kilt.jsonl": [_KILT],
    "nq-open.jsonl": [{"question": "who won", "answer": ["Ann", "Bo"]}],
    "eli5-category.jsonl": [_CATEGORY],
    "clapnq.jsonl": [
        {"id": "1", "input": "Who won?", "passages": [{"title": "Cup", "text": "Ann won."}],
         "output": [{"answer": "Ann won."}]},
    ],
    "passages.jsonl": [{"id": "p1", "title": "Cup", "text": "Ann won the cup.", "source": "toy"}],
    "nq_gold.jsonl": [{"question": "who won", "answers": ["Ann"], "gold_title": "Cup", "gold_text": "Ann won."}],
    "groups.jsonl": [{"question": "Who won?", "positives": ["Ann won."], "negatives": ["Rain fell."]}] * 4,
    "nli.jsonl": [
        {"premise": "Ann won.", "hypothesis": "Ann lost.", "label": "contradiction"},
        {"premise": "Ann won.", "hypothesis": "Somebody won.", "label": "entailment"},
    ]
    * 2,
    "answers.jsonl": [{"question": "Who won?", "documents": ["Ann won."], "answers": ["Ann", "Bo"]}] * 4,
    "known.jsonl": [{"question": "Who lost?", "documents": ["Cy lost."], "answers": ["Cy"]}] * 2,
    "rows.jsonl": [{"question": "Who won?", "documents": ["Ann won."], "answer": "Ann did."}] * 4,
    "rewrites.jsonl": [
        {
            "question": "Who ruled?",
            "rewritten": "Who ruled in 1830?",
            "answer": "Ann",
            "title": "Rulers",
            "sentence": "Ann ruled in 1830.",
            "elsewhere": ["rome"],
        }
    ]
    * 4,
    "tags.jsonl": [{"words": ["Ann", "won"], "tags": ["B-PER", "O"]}] * 4,
    "altered.jsonl": [{"question": "Who won?", "context": "- (Cup) Ann won.", "answer": "Bo won.", "faithful": 0}],
    "outputs-of-people.jsonl": [{"input": "Why?", "outputs": ["So it is.", "It is so."]}],
    "outputs.jsonl": [{"id": "1", "system": "same", "output": "Ann"}],
    "retrievals.jsonl": [
        {"id": one["id"], "evidence": [{"id": "p1", "number": 1, "text": "Ann won."}]} for one in QUESTIONS
    ],
    "judgments.jsonl": [
        {"study": "s", "form": "f", "item": f"i{n}", "question_id": f"q{n}", "rater": rater, "criterion": "overall",
         "a": "one", "b": "two", "choice": "a", "value": None, "shown": "ab", "seconds": 3.0, "domain": "",
         "comment": "", "at": "2026-01-01T00:00:00"}
        for n in range(4) for rater in ("r1", "r2")
    ],
    "xu2023.jsonl": [
        {"q_id": f"x{n}", "question_text": f"Why {n}?", "answer1": "So it is.", "answer2": "It is so.", "id": n,
         "answer1_label": "HMM[8]", "lead_time": 12.5, "BetterAnswer": "Answer B", "DifficultToChoose": "No.",
         "comments": "Answer B says why.", "domain": "Law", "annotator_file": "one"}
        for n in range(4)
    ],
    "qa-feedback.jsonl": [
        {"question": f"Who won {n}?", "prediction 1": "Ann.", "prediction 2": "Bo.", "prediction 3": "Cy.",
         "prediction 4": "Di.", "gold": "Ann won.", "passages": [["Cup", "Ann won."]],
         "feedback": {"errors": []}, "preference": [0, 1, 2, 1, 2, 0]}
        for n in range(4)
    ],
    "forum-category.jsonl": [
        {**_CATEGORY, "q_id": f"f{n}", "answers": {"text": ["So it is, and it has always been so."], "score": [3]}}
        for n in range(4)
    ],
    "posts.jsonl": [
        {"id": f"f{n}", "subreddit": "explainlikeimfive", "title": f"Why {n}?", "selftext": "", "score": 3}
        for n in range(4)
    ],
    "comments.jsonl": [
        {"id": f"g{n}", "link_id": f"t3_f{n}", "parent_id": f"t3_f{n}", "score": 3,
         "body": "So it is, and it has always been so."}
        for n in range(4)
    ],
    "haluquestqa.jsonl": [
        {"question_text": "Why?", "ans1_text": "Because.", "ans2_text": "So.", "ans1_label": "model_answer",
         "ans2_label": "human_answer", "ans_preference": "Answer 1", "category": "law"},
    ],
    "ragchecker.jsonl": [
        {"instance_id": 1, "query": "How?", "gt_answer": "So.", "model1": {"model_name": "a", "response": "Thus."},
         "model2": {"model_name": "b", "response": "So."}, "correctness_label": 2, "completeness_label": 0,
         "overall_label": -1},
    ],
    "alce.jsonl": [
        {"id": "8", "question": "When?", "output": f"In {n}.", "utility_score": n, "dataset": "asqa", "system": f"s{n}",
         "automatic_correctness_scores": []}
        for n in (1, 4)
    ],
    "wikieval.jsonl": [
        {"id": 7, "answer": f"It is {n}.", "context": "It is tall.", "question": "How tall?", "model": f"m{n}",
         "gt_answer": "120 m.", "Human Accuracy": n, "Human Informativeness": n, "Human": 2 * n}
        for n in (2, 4)
    ],
    "labels.jsonl": [{"question_id": 1, "system": "gpt3_wdoc", "annotations": _VOTES}],
    "mrpc.jsonl": [{"sentence1": "A b.", "sentence2": f"A c {n}.", "label": n % 2} for n in range(4)],
    "suite/questions.jsonl": [
        {"id": "k1", "collection": "kettle", "answerable": True, "keys": ["three"], **_ABOUT_KETTLE},
    ],
}  # fmt: skip
_VIEWED = {
    **_ASQA["dev"]["1"],
    "qa_pairs": [{"question": f"Who won in {year}?", "short_answers": ["Ann"]} for year in (1990, 1991)],
    "wikipages": [{"title": "Cup", "url": ""}],
}
JSON_FILES: Mapping[str, Any] = {
    "viewed.json": {"dev": {"1": _VIEWED}},
    "asqa.json": _ASQA,
    "asqa_train.json": list(_ASQA["dev"].values()),
    "squad2.json": {"data": [{"title": "T", "paragraphs": [{"context": "Ann won.", "qas": [_SQUAD_QA]}]}]},
    "ambignq.json": [{"id": "1", "question": "Who won?", "annotations": [{"type": "singleAnswer", "answer": ["Ann"]}]}],
    "eli5.json": [{"id": "e", "question": "Why?", "document": "One . <P> Two .", "answer": "It is ."}],
    "readings.json": {"1": ["Ann"]},
    "short.json": {f"{one['id']}_0": "Ann" for one in QUESTIONS},
    "chances.json": {str(one["id"]): 0.5 for one in QUESTIONS},
    "logs.json": {str(one["id"]): [-1.0] for one in QUESTIONS},
    "fills.json": {str(one["id"]): [{"gold": "a", "predicted": "a"}] for one in QUESTIONS},
    "asqa-train.json": {"train": _ASQA["dev"]},
    "answers.json": [{"question_id": 1, "question": "Why?", "human_answer": "So."}],
    "documents.json": {
        kind: [{"question_id": 1, "docs": [{"text": "So it is."}]}] for kind in ("webgpt", "bing", "human", "random")
    },
    "base/config.json": {},
    "base/tokenizer.json": {},
    "base/model.safetensors": {},
}
TEXTS: Mapping[str, str] = {
    "crawl.warc": "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 5\r\n\r\n"
    "Holm.\r\n\r\n",
    "dump.xml": "<mediawiki><page><title>Holm</title><ns>0</ns><id>1</id><revision><id>2</id><text>Holm is an island."
    "</text></revision></page></mediawiki>",
    "letter.txt": "The lighthouse at Holm was built in 1843 by nine masons.\n",
    "plan.toml": 'dataset = "qa:qa.jsonl"\nretrieve = "Nothing"\nclarify = "AsAsked"\nmodel = "none"\n'
    'answer = "RepeatQuestion(times=1)"\nscore = ["nq-open"]\n',
    "suite/collections.toml": '[kettle]\nhalf = "choose"\n',
    "documents/kettle/manual.md": str(_DOCUMENT["text"]),
}


def build_world(folder: Path) -> None:
    """Write everything; the current folder must be this one, and its home empty."""
    for name, rows in JSON_LINES.items():
        write_jsonl(folder / name, list(rows))
    for name, content in JSON_FILES.items():
        _write(folder / name, json.dumps(content).encode())
    for name, text in TEXTS.items():
        _write(folder / name, text.encode())
    _write_set(folder / "sets")
    _write(folder / "data/ambignq_dev_light_1.json", json.dumps(JSON_FILES["ambignq.json"]).encode())
    write_toy_folder(folder / "toys")
    _make_what_commands_make()


def _make_what_commands_make() -> None:
    """A corpus, two runs and a study, made as their users would."""
    pair = "-p a.jsonl -p b.jsonl --dataset qa:qa.jsonl"
    for line in (
        "corpus add toys --name toys",
        "run plan.toml --out runs/a",
        "run plan.toml --out runs/b",
        f"study new study.toml --form asqa-pairwise {pair}",
        "study export study.toml --out sheet.csv",
        "search Danube --corpus toys",
    ):
        assert execute(["--quiet", *line.split()]) == 0, line


def _write_set(folder: Path) -> None:
    """A set of documents and questions to them."""
    question: dict[str, Any] = {
        "id": "toy-1",
        "documents": [{"id": _DOCUMENT["id"]}],
        "meta": {},
        **_ABOUT_KETTLE,
        **_GOLD,
    }
    for name, record in (("docfaq", question), ("docfaq_documents", _DOCUMENT)):
        _write(folder / f"{name}.jsonl.gz", gzip.compress(json.dumps(record).encode()))


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
