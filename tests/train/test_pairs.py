"""Training groups and held-out pools, built from the toy files."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from toytown import PASSAGES, TOWER, write_data

from expound.train.candidates import PassageIndex
from expound.train.groups import Group, build_group, choose_negatives, squad_group
from expound.train.labels import Judged, Labelling, judge
from expound.train.pairs import TrainingData, build_training_data, thin
from expound.train.pools import build_pool
from expound.train.sources import Example, iter_examples

EXAMPLE = Example(TOWER, ("Mira Okonedo",), "nq_open")
BUILT = "Zorblax. The tower of Zorblax was built by Mira Okonedo."


@pytest.fixture
def data(tmp_path: Path) -> TrainingData:
    return build_training_data(write_data(tmp_path), Labelling(), seed=1, dev_per_origin=0, dev_articles=1)


def candidates(index: PassageIndex) -> Judged:
    return judge(EXAMPLE, index.retrieved_sentences(f"{TOWER} river", 15), index, Labelling())


def test_every_source_gives_its_groups(data: TrainingData) -> None:
    origins = ("asqa", "ambignq", "nq_open", "nq_gold", "squad", "squad_unanswerable")
    assert Counter(group.origin for group in data.groups) == Counter(origins)


def test_a_right_sentence_holds_the_answer_and_a_wrong_one_does_not(data: TrainingData) -> None:
    for group in data.groups:
        answer = "harbour" if group.origin == "asqa" else "Mira Okonedo"
        assert all(answer in text for text in group.positives)
        if group.origin != "squad_unanswerable":
            assert group.positives
            assert not any(answer in text for text in group.negatives)


def test_an_unanswerable_question_has_wrong_sentences_only(data: TrainingData) -> None:
    group = next(group for group in data.groups if group.origin == "squad_unanswerable")
    assert group.positives == ()
    assert len(group.negatives) == Labelling().near_misses


def test_the_last_squad_articles_are_held_out(data: TrainingData) -> None:
    assert "who owns the tower" not in [group.question for group in data.groups]


def test_the_same_seed_gives_the_same_data(tmp_path: Path, data: TrainingData) -> None:
    again = build_training_data(write_data(tmp_path), Labelling(), seed=1, dev_per_origin=0, dev_articles=1)
    assert again == data


def test_held_out_questions_come_as_pools(tmp_path: Path) -> None:
    held = build_training_data(write_data(tmp_path), Labelling(), seed=1, dev_per_origin=1, dev_articles=1)
    assert sorted(pool.origin for pool in held.dev) == ["ambignq", "nq_open"]
    assert not {pool.question for pool in held.dev} & {group.question for group in held.groups}


def test_a_question_keeps_its_richest_annotation(tmp_path: Path) -> None:
    assert [example.origin for example in iter_examples(write_data(tmp_path))] == ["asqa", "ambignq", "nq_open"]


def test_a_question_without_a_right_sentence_gives_no_group(index: PassageIndex) -> None:
    judged = candidates(index)
    rng = random.Random(1)
    assert build_group(EXAMPLE, Judged(negatives=judged.negatives), Labelling(), rng=rng) is None
    assert build_group(EXAMPLE, Judged(positives=judged.positives), Labelling(), rng=rng) is None


def test_wrong_sentences_are_distinct_and_some_are_neighbours(index: PassageIndex) -> None:
    judged = candidates(index)
    positive = judged.positives[0][1]
    chosen = choose_negatives(positive, judged.negatives, Labelling(negatives=4), rng=random.Random(1))
    near = {s.text for _, s in judged.negatives if s.passage_id == positive.passage_id}
    assert len(set(chosen)) == len(chosen) == 4
    assert near.issuperset(chosen[:2])


def test_a_squad_answer_outside_any_whole_sentence_gives_no_group(index: PassageIndex) -> None:
    qa = {"question": "Who?", "answers": [{"text": "Nobody at all"}]}
    assert squad_group(qa, index.passages[0].sentences, index, Labelling()) is None


def test_a_pool_holds_all_candidates_in_reading_order_with_both_labels(index: PassageIndex) -> None:
    pool = build_pool(EXAMPLE, index, Labelling())
    assert pool is not None
    first = PASSAGES[0]["title"]
    assert pool.texts[0].startswith(first)
    assert [text for text, right in zip(pool.texts, pool.is_positive, strict=True) if right] == [BUILT]
    assert sum(pool.holds_answer) == 2
    assert pool.passage_texts[0] == f"{first}. {PASSAGES[0]['text']}"
    assert len(pool.texts) == len(pool.passage_texts) == len(pool.coverage)


def test_a_question_that_nothing_answers_gives_no_pool(index: PassageIndex) -> None:
    assert build_pool(Example(TOWER, ("Nobody",), "nq_open"), index, Labelling()) is None


def test_thinning_keeps_a_share_of_the_named_origins_only() -> None:
    groups = [Group(str(n), (), ("x",), origin) for n in range(500) for origin in ("squad", "asqa")]
    kept = Counter(group.origin for group in thin(groups, {"squad": 0.4}, seed=2))
    assert kept["asqa"] == 500
    assert 150 < kept["squad"] < 250
    assert thin(groups, {"squad": 0.4}, seed=2) == thin(groups, {"squad": 0.4}, seed=2)
