"""Training groups and held-out questions, built from the toy files."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from expound.train.data.dataset_files import Factoid, iter_factoids
from expound.train.data.distant_labels import Labelling, SortedSentences, sort_sentences
from expound.train.data.group_files import Group
from expound.train.data.passage_index import PassageIndex
from expound.train.data.ranker_data import RankerData, RankerRules, build_ranker_data, group_of_all, thin
from expound.train.data.ranker_groups import build_group, choose_negatives, squad_group
from train.toytown import TOWER, write_data

TOWER_FACTOID = Factoid(TOWER, ("Mira Okonedo",), "nq_open")
BUILT = "Zorblax. The tower of Zorblax was built by Mira Okonedo."


@pytest.fixture
def data(tmp_path: Path) -> RankerData:
    return build_ranker_data(write_data(tmp_path), Labelling(), RankerRules(0, dev_articles=1), seed=1)


def candidates(index: PassageIndex) -> SortedSentences:
    return sort_sentences(TOWER_FACTOID, index.retrieved_sentences(f"{TOWER} river", 15), index, Labelling())


def test_every_source_gives_its_groups(data: RankerData) -> None:
    origins = ("asqa", "ambignq", "nq_open", "nq_gold", "squad", "squad_unanswerable")
    assert Counter(group.origin for group in data.groups) == Counter(origins)


def test_a_right_sentence_holds_the_answer_and_a_wrong_one_does_not(data: RankerData) -> None:
    for group in data.groups:
        answer = "harbour" if group.origin == "asqa" else "Mira Okonedo"
        assert all(answer in text for text in group.positives)
        if group.origin != "squad_unanswerable":
            assert group.positives
            assert not any(answer in text for text in group.negatives)


def test_an_unanswerable_question_has_wrong_sentences_only(data: RankerData) -> None:
    group = next(group for group in data.groups if group.origin == "squad_unanswerable")
    assert group.positives == ()
    assert len(group.negatives) == Labelling().near_misses


def test_the_last_squad_articles_are_held_out(data: RankerData) -> None:
    assert "who owns the tower" not in [group.question for group in data.groups]


def test_the_same_seed_gives_the_same_data(tmp_path: Path, data: RankerData) -> None:
    again = build_ranker_data(write_data(tmp_path), Labelling(), RankerRules(0, dev_articles=1), seed=1)
    assert again == data


def test_held_out_questions_are_not_trained_on(tmp_path: Path) -> None:
    held = build_ranker_data(write_data(tmp_path), Labelling(), RankerRules(1, dev_articles=1), seed=1)
    assert sorted(group.origin for group in held.dev) == ["ambignq", "nq_open"]
    assert not {group.question for group in held.dev} & {group.question for group in held.groups}


def test_a_question_keeps_its_richest_annotation(tmp_path: Path) -> None:
    assert [factoid.origin for factoid in iter_factoids(write_data(tmp_path))] == ["asqa", "ambignq", "nq_open"]


def test_a_question_without_a_right_sentence_gives_no_group(index: PassageIndex) -> None:
    found = candidates(index)
    rng = random.Random(1)
    assert build_group(TOWER_FACTOID, SortedSentences(negatives=found.negatives), Labelling(), rng=rng) is None
    assert build_group(TOWER_FACTOID, SortedSentences(positives=found.positives), Labelling(), rng=rng) is None


def test_wrong_sentences_are_distinct_and_some_are_neighbours(index: PassageIndex) -> None:
    found = candidates(index)
    positive = found.positives[0][1]
    chosen = choose_negatives(positive, found.negatives, Labelling(negatives=4), rng=random.Random(1))
    near = {s.text for _, s in found.negatives if s.passage_id == positive.passage_id}
    assert len(set(chosen)) == len(chosen) == 4
    assert near.issuperset(chosen[:2])


def test_a_squad_answer_outside_any_whole_sentence_gives_no_group(index: PassageIndex) -> None:
    qa = {"question": "Who?", "answers": [{"text": "Nobody at all"}]}
    assert squad_group(qa, index.passages[0].sentences, index, Labelling()) is None


def test_a_held_out_question_has_all_its_candidates_and_those_with_the_answer_are_right(index: PassageIndex) -> None:
    group = group_of_all(TOWER_FACTOID, index, Labelling())
    assert group is not None
    assert BUILT in group.positives
    # A sentence about something else that holds the answer is right here, though it is never trained on.
    assert len(group.positives) == 2
    assert all("Okonedo" in text for text in group.positives)
    candidates = index.retrieved_sentences(TOWER, Labelling().passages)
    assert {*group.texts} == {sentence.text for sentence in candidates}


def test_a_question_that_nothing_answers_is_not_held_out(index: PassageIndex) -> None:
    assert group_of_all(Factoid(TOWER, ("Nobody",), "nq_open"), index, Labelling()) is None


def test_thinning_keeps_a_share_of_the_named_origins_only() -> None:
    groups = [Group(str(n), (), ("x",), origin) for n in range(500) for origin in ("squad", "asqa")]
    kept = Counter(group.origin for group in thin(groups, {"squad": 0.4}, seed=2))
    assert kept["asqa"] == 500
    assert 150 < kept["squad"] < 250
    assert thin(groups, {"squad": 0.4}, seed=2) == thin(groups, {"squad": 0.4}, seed=2)
