"""The extractive reader's training: which questions and passages it learns from, and that a model comes out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expound.cli import execute
from expound.errors import UserError
from expound.train.data.span_groups import SpanFiles, add_evidence, find_span_groups
from expound.train.kinds.sentences_kind import describe_sentences
from expound.train.training_settings import RankerSettings
from expound.types import Evidence, Passage, Question

PASSAGE = (
    "The tower stands in the old town. The tower was built by Mira. Mira is in the old town. The wall was built by "
    "Olan. The market is near the bridge. The harbour is old."
)
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, *questions: str, evidence: bool = True) -> str:
        shown = [{"id": "p", "text": PASSAGE, "title": "The town"}] if evidence else []
        lines = [
            {"id": str(n), "question": text, "references": ["It was built by Mira"], "evidence": shown}
            for n, text in enumerate(questions)
        ]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        return f"qa:{tmp_path / name}"

    return written


def test_every_question_with_evidence_gives_a_group_of_titled_sentences(write: Write, tmp_path: Path) -> None:
    files = SpanFiles((write("train.jsonl", "Who built the tower?", "Who built the wall?"),), (), ())
    groups = find_span_groups(files, seed=1)
    assert [group.question for group in groups] == ["who built the tower", "who built the wall"]
    assert groups[0].positives == ("The town. The tower was built by Mira.",)


def test_questions_to_keep_out_and_those_beyond_the_limit_are_left_out(write: Write, tmp_path: Path) -> None:
    train = write("train.jsonl", "Who built the tower?", "Who built the wall?", "Who built the market?")
    kept_out = write("test.jsonl", "who built THE tower")
    files = SpanFiles((train,), (kept_out,), (), most=1)
    assert [group.question for group in find_span_groups(files, seed=1)] == ["who built the wall"]


class Finds:
    """A retriever that always finds the same."""

    def retrieve(self, question: str, *, k: int) -> list[Evidence]:
        return [Evidence(Passage("found", "Found."), 1, 1.0)]


def test_what_is_found_follows_the_question_s_own_evidence() -> None:
    asked = Question("q", "Why?", evidence=(Passage("own", "Own."),))
    [question] = add_evidence([asked], Finds())
    assert [passage.id for passage in question.evidence] == ["own", "found"]
    assert list(add_evidence([asked], None)) == [asked]


def test_without_evidence_a_corpus_is_asked_for(write: Write, tmp_path: Path) -> None:
    files = SpanFiles((write("train.jsonl", "Who built the tower?", evidence=False),), (), ())
    with pytest.raises(UserError, match="--corpus NAME"):
        describe_sentences(files, tmp_path, RankerSettings(), seed=1)


def test_without_questions_a_spec_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--train LAYOUT:PATH"):
        describe_sentences(SpanFiles((), (), ()), tmp_path, RankerSettings(), seed=1)


def test_a_base_that_is_no_model_is_named(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("expound.train.request.require_extra", lambda: None)
    monkeypatch.setattr("expound.train.request.quieten", lambda: None)
    train, nowhere = write("train.jsonl", "Who built the tower?"), str(tmp_path / "nowhere")
    assert execute(["train", "sentences", "--train", train, "--base", nowhere, "--out", str(tmp_path / "run")]) == 2
    assert "nowhere is no folder of a model to start from: it has no tokenizer.json" in capsys.readouterr().err


def test_a_reader_comes_out_beside_its_tokenizer(
    write: Write, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = write("train.jsonl", *(f"Who built the {thing}?" for thing in ("tower", "wall", "market", "bridge")))
    arguments = ["--train", train, "--base", str(base), "--steps", "2", "--threads", "1"]
    assert execute(["train", "sentences", *arguments, "--out", str(tmp_path / "run"), "--quiet"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["groups"], figures["held_out"]) == (figures["train"], figures["dev"]) == (3, 1)
    assert figures["span_first"] in (0, 1)
    assert 0 < figures["by_chance"] < 1
    assert figures == json.loads((tmp_path / "run" / "figures.json").read_text())
    assert (tmp_path / "run" / "ranker.onnx").exists()
    assert (tmp_path / "run" / "tokenizer.json").exists()
