"""The rewriter: which words of its evidence people would add to a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expound.errors import BadRecord, UserError
from expound.train.data.rewrite_data import PARTS, iter_rewritten, part_of, rows_of
from expound.train.data.rewrite_files import RewrittenPair, read_rewritten, write_rewritten
from expound.train.description import TrainingFiles
from expound.train.kinds.rewriter_kind import average_precision, describe_rewriter
from expound.train.request import TrainingRequest, fulfil, rehearse
from expound.train.smoke import iter_rewritten as iter_town
from expound.train.training_settings import REWRITER, RewriterSettings
from expound.types import Evidence, Interpretation, Passage, Question

SMOKE = TrainingRequest("rewriter", TrainingFiles((), ()), "shipped-reader", REWRITER, 128, is_smoke=True)


def test_pairs_come_back_as_they_were_written(tmp_path: Path) -> None:
    pairs = list(iter_town())
    write_rewritten(tmp_path / "pairs.jsonl", pairs)
    assert read_rewritten([tmp_path / "pairs.jsonl"]) == pairs


@pytest.mark.parametrize("record", [{}, {"question": "who?", "rewritten": 1, "answer": "a"}, {"question": "who?"}])
def test_a_line_without_its_texts_is_named(tmp_path: Path, record: dict[str, object]) -> None:
    (tmp_path / "pairs.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(BadRecord, match=r"pairs\.jsonl, line 1: a rewritten question has the texts"):
        read_rewritten([tmp_path / "pairs.jsonl"])


def test_pairs_without_evidence_teach_nothing_alone(tmp_path: Path) -> None:
    write_rewritten(tmp_path / "pairs.jsonl", [RewrittenPair("who ruled?", "who ruled in 1830?", "Ann")])
    with pytest.raises(UserError, match="needs pairs with evidence"):
        describe_rewriter(TrainingFiles((tmp_path / "pairs.jsonl",), ()), None, RewriterSettings())


def test_both_groups_of_pairs_are_counted(tmp_path: Path) -> None:
    told = RewrittenPair("who ruled?", "who ruled in 1830?", "Ann", "Rulers", "Ann ruled in 1830.")
    untold = RewrittenPair("who ruled?", "who ruled in Rome?", "Ann", "Rulers", "Ann ruled in 1830.")
    write_rewritten(tmp_path / "pairs.jsonl", [told, untold, RewrittenPair("who ruled?", "who ruled in 1830?", "Bo")])
    counts = describe_rewriter(TrainingFiles((tmp_path / "pairs.jsonl",), ()), None, RewriterSettings()).counts()
    assert counts == {"train": 2, "without_evidence": 1, "told_by_evidence": 1, "dev": 0}


def test_every_reading_gets_its_own_sentence_and_the_words_of_the_others() -> None:
    readings = (
        Interpretation("Who ruled in Oslo?", ("Ann",)),
        Interpretation("Who ruled in Rome?", ("Bo",)),
        Interpretation("Who ruled at sea?", ("Cleo",)),
    )
    text = "Ann ruled in Oslo for years. Bo ruled in Rome for a day."
    found = [Evidence(Passage("1", text, "Rulers"), 1, 1.0)]
    [[pairs]] = iter_rewritten([Question("1", "Who ruled?", annotations=(readings,))], lambda _: found)
    assert [pair.sentence for pair in pairs] == ["Ann ruled in Oslo for years.", "Bo ruled in Rome for a day.", ""]
    assert {"rome", "bo", "cleo"} <= set(pairs[0].elsewhere)
    assert "oslo" not in pairs[0].elsewhere


def test_a_question_with_one_answer_is_not_searched_for() -> None:
    single = Question("1", "Who ruled?", annotations=((Interpretation("Who ruled?", ("Ann",)),),))

    def find(question: str) -> list[Evidence]:
        raise AssertionError(question)

    assert list(iter_rewritten([single], find)) == [[]]


def test_a_row_for_a_writer_has_all_rewritten_questions_together() -> None:
    told = RewrittenPair("who ruled?", "who ruled in 1830?", "Ann", "Rulers", "Ann ruled in 1830.")
    [row] = rows_of([[told, RewrittenPair("who ruled?", "who ruled in Rome?", "Bo")]])
    assert row.answer == "who ruled in 1830? | who ruled in Rome?"
    assert [document.text for document in row.documents] == ["Ann (Rulers: Ann ruled in 1830.)", "Bo"]


def test_an_annotation_without_evidence_makes_no_row() -> None:
    assert not list(rows_of([[RewrittenPair("who ruled?", f"who ruled in {year}?", "Bo") for year in (1830, 1848)]]))


def test_a_question_is_always_of_the_same_part() -> None:
    parts = [part_of(f"who ruled in {year}?") for year in range(200)]
    assert set(parts) == set(PARTS)
    assert parts.count("dev") < parts.count("learn") / 4
    assert part_of("who ruled in 7?") == parts[7]


def test_average_precision_is_perfect_where_all_wanted_come_first() -> None:
    assert average_precision([3.0, 2.0, 1.0], [1.0, 1.0, 0.0]) == 1.0
    assert average_precision([3.0, 2.0, 1.0], [0.0, 0.0, 1.0]) == pytest.approx(1 / 3)
    assert average_precision([1.0], [0.0]) == 0.0


def test_a_rehearsal_reads_the_town(tmp_path: Path) -> None:
    plan = rehearse(SMOKE, tmp_path)
    assert plan["train"] == plan["told_by_evidence"] == 24
    assert plan["dev"] == 12


def test_the_town_is_learnt_in_seconds_and_exported(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    figures = fulfil(SMOKE, tmp_path)
    assert figures["average_precision"] > 0.9
    assert figures["largest_logit_difference"] < 0.1
    assert (tmp_path / "rewriter.onnx").stat().st_size < 2_000_000
