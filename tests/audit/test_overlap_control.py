"""Overlap: paraphrases in the training set are found, pairs are exported, and a split keeps them together."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audit import worlds
from expound.audit.clean_split import Wanted, clusters, split, write_split
from expound.audit.overlap import find, overlap, pair_records
from expound.audit.verdict import NOT_RUN
from expound.datasets.spec import open_dataset
from expound.errors import UserError
from expound.records import question_record
from expound.retrieve.neighbours import Frequencies, near_each_other
from expound.testing import WordEmbedder, write_jsonl
from expound.text.paraphrase import FEATURES, features, fit, load_scorer
from expound.types import Question


def test_without_training_questions_it_says_what_it_needs(tmp_path: Path) -> None:
    section, found = overlap(worlds.audited(worlds.world(tmp_path, n=10), worlds.clean, train=False))
    assert found is None
    assert {verdict.outcome for verdict in section.verdicts} == {NOT_RUN}


@pytest.mark.parametrize("by_meaning", [False, True])
def test_paraphrases_are_found_and_others_are_not(tmp_path: Path, by_meaning: bool) -> None:
    embedder = WordEmbedder() if by_meaning else None
    for leaks in (True, False):
        inputs = worlds.audited(worlds.world(tmp_path, n=12, leaks=leaks), worlds.clean)
        assert find(replace(inputs, embedder=embedder)).paraphrased == [leaks] * 12


def test_pairs_are_exported_for_people_to_label(tmp_path: Path) -> None:
    inputs = worlds.audited(worlds.world(tmp_path, n=12, leaks=True), worlds.clean)
    records = pair_records(inputs, find(inputs))
    assert {record["id"] for record in records} == {question.id for question in inputs.questions}
    assert all(record["label"] is None for record in records)


def test_metrics_are_split_by_overlap(tmp_path: Path) -> None:
    inputs = worlds.audited(worlds.world(tmp_path, n=12, leaks=True), worlds.clean)
    section, _ = overlap(inputs)
    assert [row[:3] for row in section.tables[1].rows] == [("overlap", "100.0 %", 12), ("no overlap", "0.0 %", 0)]


def test_questions_for_short_answers_need_to_be_more_alike() -> None:
    for with_cosine in (True, False):
        scorer = load_scorer(with_cosine=with_cosine)
        assert scorer.threshold_for(["Why is it blue?", "How come?"]) == scorer.threshold
        assert scorer.threshold_for(["Who sang it?", "When was it?", "Why?"]) == scorer.short > scorer.threshold


def test_the_page_says_on_which_side_the_score_errs(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean)
    assert "misses many" in overlap(made)[0].notes[0]
    short = tuple(replace(question, text=f"Who built {question.id}?") for question in made.questions)
    assert "short answer" in overlap(replace(made, questions=short))[0].notes[0]


def test_rare_words_count_more_by_tfidf() -> None:
    frequencies = Frequencies()
    for text in ("why is the sky blue", "why is the sea green", "why is the grass tall"):
        frequencies.add(text)
    assert frequencies.cosine("why is the sky blue", "why is the sky blue") == pytest.approx(1)
    assert frequencies.cosine("sky blue", "the sky blue") > frequencies.cosine("the why", "the sky blue")
    assert frequencies.cosine("", "sky") == 0


def test_features_tell_numbers_and_negations_apart() -> None:
    found = dict(zip(FEATURES, features("It is not 5 metres", "It is 6 metres", 0.9), strict=True))
    assert (found["numbers_differ"], found["negation_differs"], found["cosine"]) == (1, 1, 0.9)
    same = dict(zip(FEATURES, features("a cat sat", "a cat sat"), strict=True))
    assert (same["jaccard"], same["containment"], same["length_ratio"]) == (1, 1, 1)


def test_logistic_regression_finds_the_weights_that_made_the_labels() -> None:
    random = np.random.default_rng(0)
    rows = random.normal(size=(4000, 2))
    chance = 1 / (1 + np.exp(-(rows @ np.array([2.0, -1.0]) + 0.5)))
    weights, intercept = fit(rows, (random.random(4000) < chance).astype(float))
    assert [*weights, intercept] == pytest.approx([2.0, -1.0, 0.5], abs=0.2)


def test_the_shipped_scorers_rise_with_what_two_questions_share() -> None:
    words, meaning = load_scorer(with_cosine=False), load_scorer(with_cosine=True)
    assert words.score("why are boats white", "why are boats white") >= words.threshold > words.topical
    assert words.score("why are boats white", "what is fire") < words.topical
    assert meaning.score("a", "b", 0.9) > meaning.threshold > meaning.score("a", "b", 0.6) > meaning.topical
    assert meaning.score("a", "b", 0.2) < meaning.topical


def leaky(folder: Path, n: int = 30) -> str:
    """Questions of which every one has a paraphrase."""
    made = worlds.world(folder, n=n, leaks=True)
    rows = [question_record(question) for question in (*made.questions, *open_dataset(made.train))]
    for number, row in enumerate(rows):
        row["meta"] = {"category": "even" if number % 2 else "odd"}
    return f"qa:{write_jsonl(folder / 'all.jsonl', rows)}"


def test_a_split_by_paraphrases_keeps_them_on_one_side(tmp_path: Path) -> None:
    spec = leaky(tmp_path)
    result = split([spec], Wanted(share=0.3), embedder=None)
    assert len(result.train) + len(result.held_out) == 60
    assert str(result.summary["held out with a paraphrase in train, %"]).startswith("0.0")
    assert not str(result.summary["the same for a random split, %"]).startswith("0.0")


def test_a_chain_of_paraphrases_is_one_cluster() -> None:
    asked = ["red big boat sail", "red big boat mast", "red blue boat mast", "who won"]
    questions = [Question(f"q{number}", text) for number, text in enumerate(asked)]
    groups = clusters(questions, near_each_other(questions, None), threshold=0.6)
    assert groups[0] == groups[1] == groups[2] != groups[3]


def test_a_split_by_topics_holds_out_whole_topics(tmp_path: Path) -> None:
    result = split([leaky(tmp_path)], Wanted(by="topics", share=0.5), embedder=None)
    assert {str(question.meta["category"]) for question in result.held_out} in ({"odd"}, {"even"})


def test_topics_are_made_of_vectors_where_the_data_has_none(tmp_path: Path) -> None:
    wanted = Wanted(by="topics", share=0.5, field="none", topics=6)
    result = split([leaky(tmp_path)], wanted, embedder=WordEmbedder())
    assert 2 <= int(str(result.summary["groups"])) <= 6
    with pytest.raises(UserError, match="no topics"):
        split([leaky(tmp_path)], wanted, embedder=None)


def test_a_split_can_be_read_again(tmp_path: Path) -> None:
    spec, wanted = leaky(tmp_path), Wanted(share=0.3)
    result = split([spec], wanted, embedder=None)
    write_split(result, [spec], wanted, tmp_path / "out")
    assert list(open_dataset(f"qa:{tmp_path / 'out' / 'held-out.jsonl'}")) == result.held_out
    assert json.loads((tmp_path / "out" / "train.jsonl.manifest.json").read_text())["count"] == len(result.train)


def test_wrong_wishes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="paraphrases, topics"):
        Wanted(by="length")
    spec = leaky(tmp_path)
    with pytest.raises(UserError, match="twice"):
        split([spec, spec], Wanted(), embedder=None)
    with pytest.raises(UserError, match="empty"):
        split([spec], Wanted(share=0.0), embedder=None)
