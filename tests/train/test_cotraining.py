"""Algorithm 1 of AmbigQA: what more than half of the models add is believed, disagreement is left out."""

from __future__ import annotations

import contextlib
import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from expound.clarify.written_answers import WrittenAnswers
from expound.cli import execute
from expound.errors import BadRecord, UserError
from expound.models.answer_lister import AnswerLister, ListRequest, split_list
from expound.text.normal import normalize_answer
from expound.train.cotrain_request import CotrainRequest, cotrain, rehearse_cotrain
from expound.train.cotraining import label_partial, vote
from expound.train.data.answer_data import AnswerSources, write_answer_data
from expound.train.data.answer_lists import AnswerList, read_answer_lists, write_answer_lists
from expound.train.description import TrainingFiles
from expound.train.loop import TrainingRun
from expound.train.training_settings import WRITER, WriterSettings
from expound.train.writer_request import WriterRequest
from expound.types import Evidence, Passage
from train.test_loop import Interrupted

ROW = AnswerList("Who played Simba?", ("Matthew Broderick",))


@pytest.mark.parametrize(
    ("ballots", "expected"),
    [
        ([["Donald Glover"], ["Donald Glover"], []], ["Donald Glover"]),  # two of three
        ([["Donald Glover"], [], []], None),  # one of three: not most, and not none
        ([["Donald Glover"], ["Donald Glover"], [], []], None),  # half is not more than half
        ([[], [], []], []),  # all add none: one answer
        ([["matthew broderick"], ["The Matthew Broderick"], []], []),  # the known answer is no further one
        ([["Donald Glover", "donald glover!"], [], []], None),  # a model has one vote
        ([["donald glover"], ["Donald Glover"], ["DONALD GLOVER"]], ["donald glover"]),  # spelt as the first
        ([["A1", "B2"], ["B2", "A1"], ["B2"]], ["B2", "A1"]),  # most votes first
        ([["A1"], ["A1"], ["C3"]], ["A1"]),  # what one model adds does not spoil what two agree on
    ],
)
def test_votes_are_counted_as_in_the_algorithm(ballots: list[list[str]], expected: list[str] | None) -> None:
    assert vote(ROW, ballots) == expected


def test_every_question_of_the_partial_set_has_one_fate() -> None:
    rows = [ROW, AnswerList("Who wrote it?", ("Ada",)), AnswerList("Where is it?", ("Rome",))]
    ballots: list[list[list[str]]] = [
        [["Donald Glover"], [], ["Paris"]],
        [["Donald Glover"], [], ["Oslo"]],
        [[], [], []],
    ]
    labelled = label_partial(rows, ballots)
    assert labelled.several == (AnswerList(ROW.question, ("Matthew Broderick", "Donald Glover")),)
    assert [row.question for row in labelled.single] == ["Who wrote it?"]
    assert labelled.counts() == {"several": 1, "single": 1, "dropped": 1}


# --- files and runs -------------------------------------------------------------------------------


def test_a_list_comes_back_as_it_was_written(tmp_path: Path) -> None:
    rows = [AnswerList("Who won?", ("Ann", "Bo"), (Passage("1", "Ann won, and Bo.", "Cup"),))]
    write_answer_lists(tmp_path / "full.jsonl", rows)
    assert read_answer_lists(tmp_path / "full.jsonl") == rows
    assert rows[0].as_row().answer == "Ann | Bo"
    assert split_list(rows[0].as_row().answer) == ["Ann", "Bo"]


def test_an_answer_that_has_the_mark_between_answers_stays_one() -> None:
    row = AnswerList("Which operator is it?", ("a|b", "both"))
    assert split_list(row.as_row().answer) == ["a/b", "both"]
    assert normalize_answer("a/b") == normalize_answer("a|b")


@pytest.mark.parametrize(
    "line", ['{"question": "Who?"}', '{"question": "Who?", "answers": []}', '{"question": "Who?", "answers": "Ann"}']
)
def test_a_line_without_answers_is_refused_with_its_place(tmp_path: Path, line: str) -> None:
    path = tmp_path / "full.jsonl"
    path.write_text('{"question": "Who won?", "answers": ["Ann"]}\n' + line + "\n")
    with pytest.raises(BadRecord, match=r"full\.jsonl, line 2: a line has"):
        read_answer_lists(path)


def test_a_partial_question_with_two_answers_is_refused(tmp_path: Path) -> None:
    request = new_request(tmp_path)
    write_answer_lists(tmp_path / "partial.jsonl", [AnswerList("Who won?", ("Ann", "Bo"))])
    with pytest.raises(BadRecord, match=r"partial\.jsonl, line 1: 2 answers; in a partial file each question has one"):
        rehearse_cotrain(request, tmp_path / "out")


def new_request(folder: Path) -> CotrainRequest:
    """Two tiny models from nothing, one round."""
    built = [AnswerList(f"who built the {thing} ?", ("mira", "olan")) for thing in ("tower", "bridge", "mill", "wall")]
    write_answer_lists(folder / "full.jsonl", built)
    write_answer_lists(folder / "partial.jsonl", [AnswerList("who built the inn ?", ("mira",))])
    settings = replace(WRITER, steps=60, learning_rate=3e-3, batch=4, threads=1)
    writing = WriterSettings(lora=0, most_tokens=64, answer_words=12)
    writer = WriterRequest(TrainingFiles((), ()), settings, writing, scratch="tiny")
    return CotrainRequest(folder / "full.jsonl", folder / "partial.jsonl", writer, models=2, rounds=1)


def test_what_tiny_models_find_together_is_learnt_in_the_last_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    figures = cotrain(new_request(tmp_path), tmp_path / "run")
    assert figures["rounds"] == [{"several": 1, "single": 0, "dropped": 0}]
    grown = read_answer_lists(tmp_path / "run/round-1/grown.jsonl")
    assert grown[-1] == AnswerList("who built the inn ?", ("mira", "olan"))
    assert len(figures["models"]) == 2
    kept = json.loads((tmp_path / "run/round-1/model-1/ballot.json").read_text())
    assert kept["ballot"] == [["olan"]]
    lister = AnswerLister(str(tmp_path / "run/final/model-1/model"))
    assert lister.list_answers("who built the tower ?", []) == ["mira", "olan"]
    # Several at once are as one after the other, whatever is known of each.
    several = [ListRequest("who built the tower ?", []), ListRequest("who built the inn ?", [], ("mira",))]
    assert lister.list_together(several) == [["mira", "olan"], ["olan"]]
    # Finished models are not trained again, and the same is found.
    with monkeypatch.context() as stopped:
        stopped.setattr(AnswerLister, "list_together", None)  # no question is asked twice
        assert cotrain(new_request(tmp_path), tmp_path / "run")["rounds"] == figures["rounds"]
    clarifier = WrittenAnswers(folder=lister.folder)
    evidence = [Evidence(Passage("1", "In 1990 mira built the tower. In 2001 olan built the tower.", "Tower"), 1, 1.0)]
    found = clarifier.clarify("who built the tower ?", evidence)
    assert [reading.answers for reading in found] == [("mira",), ("olan",)]
    assert all(reading.citations == (1,) for reading in found)
    # What stands nowhere in the evidence is no reading.
    assert clarifier.clarify("who built the tower ?", [Evidence(Passage("1", "It rained.", "Tower"), 1, 1.0)]) == []


def test_as_many_models_are_trained_at_the_end_as_are_asked_for(tmp_path: Path) -> None:
    request = replace(new_request(tmp_path), models=6, rounds=2)
    assert rehearse_cotrain(request, tmp_path / "run")["models"] == 18
    assert rehearse_cotrain(replace(request, final=4), tmp_path / "run")["models"] == 16


def test_co_training_that_was_stopped_ten_times_ends_with_the_same_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    request = new_request(tmp_path)
    settings = replace(request.writer.settings, steps=6, checkpoint_every=1)
    request = replace(request, writer=replace(request.writer, settings=settings))
    cotrain(request, tmp_path / "whole")
    stops = 0
    while not (tmp_path / "run/final/model-2/figures.json").is_file():
        with monkeypatch.context() as patch:
            # Two steps or ballots are got done in a call, and the third ends it.
            _stop_at_the_third(patch, TrainingRun, "take_step")
            _stop_at_the_third(patch, AnswerLister, "list_together")
            with contextlib.suppress(Interrupted):
                cotrain(request, tmp_path / "run")
        stops += 1
    assert stops > 10
    for file in (
        "round-1/grown.jsonl",
        "final/model-1/model/model.safetensors",
        "final/model-2/model/model.safetensors",
    ):
        assert (tmp_path / "run" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


def _stop_at_the_third(patch: pytest.MonkeyPatch, owner: type, name: str) -> None:
    """Let a method be called twice, and end the work at the next call."""
    method, calls = getattr(owner, name), itertools.count(1)

    def stop_or_go_on(self: Any, given: Any) -> Any:
        if next(calls) > 2:
            raise Interrupted
        return method(self, given)

    patch.setattr(owner, name, stop_or_go_on)


def test_a_smoke_run_of_co_training_needs_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    assert execute(["train", "answers", "--smoke", "--dry-run", "--out", str(tmp_path / "dry")]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["full"], plan["partial"], plan["models"]) == (24, 12, 4)
    assert execute(["train", "answers", "--smoke", "--threads", "1", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert sum(figures["rounds"][0].values()) == 12
    logged = map(json.loads, (tmp_path / "run/final/model-1/log.jsonl").read_text().splitlines())
    losses = [record["loss"] for record in logged if "loss" in record]
    assert losses[-1] < losses[0]
    assert execute(["train", "answers", "--out", str(tmp_path / "none")]) == 2
    assert "--full FILE, or try it on a made-up town: --smoke" in capsys.readouterr().err


def test_lists_are_made_of_datasets_without_what_is_kept_out(tmp_path: Path) -> None:
    won = {"1990": "Ann", "2001": "Bo"}
    several = [{"question": f"Who won the cup in {year}?", "answer": [name]} for year, name in won.items()]
    annotation = {"type": "multipleQAs", "qaPairs": several}
    row = {"id": "1", "question": "Who won the cup?", "annotations": [annotation]}
    (tmp_path / "ambig.json").write_text(json.dumps([row]))
    asked = [{"question": text, "answer": ["Cy", "Cyril"]} for text in ("who won the cup", "who lost the cup")]
    (tmp_path / "open.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    ambig, known = f"ambignq:{tmp_path / 'ambig.json'}", f"nq-open:{tmp_path / 'open.jsonl'}"
    counts = write_answer_data(AnswerSources((ambig,), (known,)), tmp_path / "data")
    assert counts == {"full.jsonl": 1, "partial.jsonl": 2}
    assert read_answer_lists(tmp_path / "data/full.jsonl")[0].answers == ("Ann", "Bo")
    assert read_answer_lists(tmp_path / "data/partial.jsonl")[0].answers == ("Cy",)
    assert write_answer_data(AnswerSources((known,), keep_out=(ambig,)), tmp_path / "kept") == {"full.jsonl": 1}
    with pytest.raises(UserError, match="is not kept out"):
        write_answer_data(AnswerSources((ambig,), keep_out=(ambig,)), tmp_path / "nothing")


def test_only_answers_that_stand_in_the_passages_are_listed_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "cup.md").write_text("# The cup\n\nAnn won the cup in 1990, a year of rain and wind in all the land.\n")
    asked = {"Who won the cup?": ["Ann"], "Who lost the cup?": ["Bo"]}
    lines = [json.dumps({"question": question, "answer": answer}) for question, answer in asked.items()]
    (tmp_path / "open.jsonl").write_text("\n".join(lines) + "\n")
    sources = AnswerSources(
        (f"nq-open:{tmp_path / 'open.jsonl'}",), corpora=(str(tmp_path / "cup.md"),), must_be_found=True
    )
    assert write_answer_data(sources, tmp_path / "data") == {"full.jsonl": 1}
    assert read_answer_lists(tmp_path / "data/full.jsonl")[0].answers == ("Ann",)
