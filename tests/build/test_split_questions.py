"""`build split`: no validation question is near to a training question, by words or by meaning; the audit agrees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import as_json, fail
from expound.audit.inputs import Inputs
from expound.audit.overlap import find
from expound.build import SplitRequest, SplitRules, build_split
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.score.results import Scorer
from expound.testing import WordEmbedder, write_jsonl
from expound.types import Answer, Prediction

ASKED = [
    {"id": "same", "question": "Why is the sea salt near the coast?", "references": ["Rivers bring it."]},
    {"id": "meant", "question": "Salt sea: why is it so?", "references": ["Rivers bring it."]},
    {"id": "new", "question": "How do turbines make current?", "references": ["They turn magnets."]},
]
KNOWN = [
    {"id": "t1", "question": "Why is the sea salt near the coast today?", "references": ["Rivers bring it."]},
    {"id": "t2", "question": "What do herrings eat?", "references": ["Plankton."]},
    {"id": "t3", "question": "Why, is it so? Salt sea", "references": ["Rivers."]},
]


def files(tmp_path: Path) -> tuple[str, str]:
    asked = write_jsonl(tmp_path / "asked.jsonl", ASKED)
    return f"qa:{asked}", f"qa:{write_jsonl(tmp_path / 'known.jsonl', KNOWN)}"


def ids(path: Path) -> list[str]:
    return [question.id for question in open_dataset(f"qa:{path}")]


def test_what_training_asks_is_set_aside_with_its_reason(tmp_path: Path) -> None:
    asked, known = files(tmp_path)
    rules = SplitRules(threshold=0.8)
    sizes = build_split(SplitRequest(asked, [known], rules), tmp_path / "out", embedder=WordEmbedder())
    assert sizes == {"valid": 1, "close by words": 2}
    assert ids(tmp_path / "out" / "valid.jsonl") == ["new"]
    aside = [json.loads(line) for line in (tmp_path / "out" / "aside.jsonl").read_text().splitlines()]
    assert aside[0]["meta"]["aside"].startswith("close by words to t1 (0.")


def test_a_training_file_without_a_layout_has_that_of_the_dataset(tmp_path: Path) -> None:
    asked, known = files(tmp_path)
    named = build_split(SplitRequest(asked, [known]), tmp_path / "named")
    assert build_split(SplitRequest(asked, [known.removeprefix("qa:")]), tmp_path / "alone") == named


def test_by_meaning_the_same_words_in_other_forms_are_found(tmp_path: Path) -> None:
    asked, known = files(tmp_path)
    rules = SplitRules(threshold=1.0)
    sizes = build_split(SplitRequest(asked, [known], rules), tmp_path / "out", embedder=WordEmbedder())
    assert sizes["close by meaning"] >= 1
    assert "new" in ids(tmp_path / "out" / "valid.jsonl")


def many(tmp_path: Path) -> str:
    topics = "sea herring magnet violin glacier comet yeast bridge engine cloud river engine".split()
    forms = ("Why does a {} behave like that?", "How does a {} work in {} winter?", "What makes any {} go {} wrong?")
    rows = [
        {"id": f"{form}-{n}-{m}", "question": text.format(topic, other), "references": ["So."]}
        for form, text in enumerate(forms)
        for n, topic in enumerate(topics)
        for m, other in enumerate(topics[:4])
    ]
    return f"qa:{write_jsonl(tmp_path / 'many.jsonl', rows)}"


def test_the_audit_finds_no_training_question_among_those_that_validate(tmp_path: Path) -> None:
    dataset, out, embedder = many(tmp_path), tmp_path / "out", WordEmbedder()
    rules = SplitRules(valid=0.2, test=0.1, threshold=0.99)
    sizes = build_split(SplitRequest(dataset, rules=rules), out, embedder=embedder)
    assert sizes["train"] > 0
    for side in ("valid", "test"):
        questions = tuple(open_dataset(f"qa:{out / side}.jsonl")) if (out / f"{side}.jsonl").exists() else ()
        nothing = {q.id: Prediction(id=q.id, question=q.text, system="", answer=Answer()) for q in questions}
        train = f"qa:{out / 'train.jsonl'}"
        found = find(Inputs(questions, nothing, Scorer("eli5"), train=train, embedder=embedder)) if questions else None
        assert found is None or not any(found.paraphrased)


def test_every_question_is_on_one_side_and_the_seed_decides(tmp_path: Path) -> None:
    rows = [{"id": f"q{n}", "question": f"Why does thing{n} do deed{n}?", "references": ["So."]} for n in range(60)]
    dataset = f"qa:{write_jsonl(tmp_path / 'apart.jsonl', rows)}"
    wanted = {question.id for question in open_dataset(dataset)}
    drawn: list[list[str]] = []
    for seed in (0, 0, 1):
        out = tmp_path / f"out-{len(drawn)}"
        build_split(SplitRequest(dataset, rules=SplitRules(valid=0.1, test=0.1, threshold=0.99, seed=seed)), out)
        sides = {file.stem: ids(file) for file in out.glob("*.jsonl")}
        assert sorted(id for side in sides.values() for id in side) == sorted(wanted)
        drawn.append(sides["valid"])
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_command_splits_by_words_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked, known = files(tmp_path)
    given = ["--dataset", asked, "--train", known, "--threshold", "0.8", "--out", str(tmp_path / "out")]
    assert as_json(capsys, "build", "split", *given, "--no-vectors")["valid"] == 1


def test_bad_wishes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked, _ = files(tmp_path)
    empty = write_jsonl(tmp_path / "empty.jsonl", [])
    out = str(tmp_path / "out")
    for given, said in (
        (["--dataset", f"qa:{empty}"], "no questions"),
        (["--dataset", asked, "--train", f"qa:{empty}"], "no questions"),
        (["--dataset", asked, "--threshold", "0"], "threshold"),
    ):
        assert said in fail(capsys, "build", "split", *given, "--out", out, "--no-vectors")
    with pytest.raises(UserError, match="nothing to train on"):
        SplitRules(valid=0.5, test=0.5)
