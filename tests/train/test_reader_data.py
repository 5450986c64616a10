"""The reader's training files: answers where they say, nothing of the evaluation sets, and the same files each time."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import BadInput
from expound.records import read_json, read_lines
from expound.train.data.answer_spans import find_answers, mentions, without_answers
from expound.train.data.dataset_files import DataFiles
from expound.train.data.label_texts import clean_question
from expound.train.data.near_misses import near_miss
from expound.train.data.reader_data import ReaderData, ReaderRules, build_reader_data, guard_against
from expound.train.data.squad_layout import Gold, SpanExample, read_squad, write_squad
from golden import SHARED
from train.toytown import TOWER, squad_article, write_data

RULES = ReaderRules(held_out_articles=1, dev_articles=1, dev_asqa=0, coverage=0.1, near_misses=1.0, other_passages=1.0)
CONTEXT = "The Quend flows past Zorblax. Mira Okonedo built the tower in 1830."


def test_every_place_of_an_answer_is_found_as_whole_words() -> None:
    assert find_answers("Rome, romeo and ROME", ["rome"]) == (Gold("Rome", 0), Gold("ROME", 16))
    assert find_answers("built by Mira\n Okonedo", ["Mira Okonedo"]) == (Gold("Mira\n Okonedo", 9),)
    assert find_answers("nothing", ["", " "]) == ()


@given(st.text(), st.lists(st.text(max_size=8), max_size=4))
def test_an_answer_stands_where_it_is_said_to(context: str, answers: list[str]) -> None:
    for gold in find_answers(context, answers):
        assert context[gold.start : gold.start + len(gold.text)] == gold.text


def test_the_sentences_without_the_answer_are_left() -> None:
    assert without_answers(CONTEXT, ["mira okonedo"]) == "The Quend flows past Zorblax."
    assert without_answers(CONTEXT, ["Petra"]) == ""
    assert without_answers("Mira built it.", ["Mira"]) == ""


def test_one_word_of_an_answer_is_a_mention() -> None:
    assert mentions("the okonedo family", ["Mira Okonedo"])
    assert not mentions("the town", ["Mira Okonedo"])


@pytest.mark.parametrize(
    ("question", "missed"),
    [
        ("What did Quend pass?", {"What did Zorblax pass?"}),
        ("Who came in 1820?", {"Who came in 1830?"}),
        ("Which was the first tower?", {"Which was the last tower?"}),
        ("Who was there?", {"Who was not there?"}),
    ],
)
def test_a_near_miss_changes_one_word(question: str, missed: set[str]) -> None:
    example = SpanExample(question, CONTEXT, (Gold("Mira Okonedo", 30),), "town")
    made = {miss.question for seed in range(30) if (miss := near_miss(example, rng=random.Random(seed)))}
    assert missed <= made
    assert all(miss.count("not") <= 1 for miss in made)


def test_a_near_miss_has_no_answer_and_names_none() -> None:
    example = SpanExample("Who was Quend?", CONTEXT, (Gold("Mira Okonedo", 30),), "town")
    for seed in range(30):
        miss = near_miss(example, rng=random.Random(seed))
        assert miss is not None
        assert (miss.answers, miss.context) == ((), CONTEXT)
        assert "Mira" not in miss.question


def test_a_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    examples = [
        SpanExample("who?", CONTEXT, (Gold("Mira", 30),), "b", "1"),
        SpanExample("why?", CONTEXT, (), "b", "2"),
        SpanExample("when?", "other", (), "a", "3"),
    ]
    write_squad(tmp_path / "x.json", examples)
    assert sorted(read_squad(tmp_path / "x.json"), key=lambda example: example.id) == examples
    write_squad(tmp_path / "y.json", [replace(example, id="") for example in examples])
    assert len({example.id for example in read_squad(tmp_path / "y.json")}) == 3


def test_a_file_of_another_layout_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"data": [{"title": "a"}]}')
    with pytest.raises(BadInput, match=r"x\.json is not in the layout of SQuAD 2\.0: data: item 1"):
        read_squad(tmp_path / "x.json")


ARTICLES = [
    squad_article("Zorblax", "Who built the Tower?", "Mira Okonedo"),
    squad_article("Dev", "What is near the harbour?", "large market"),
    squad_article("Test", "Which river is it on?", "Quend"),
]


@pytest.fixture
def data(tmp_path: Path) -> ReaderData:
    """The files of the made-up town, of whose SQuAD articles one each is for dev and test."""
    return build_reader_data(write_data(tmp_path, squad={"data": ARTICLES}), RULES, seed=1)


def test_every_answer_stands_in_its_context(data: ReaderData) -> None:
    examples = [example for part in data.files().values() for example in part]
    assert any(example.answers for example in examples)
    assert any(not example.answers for example in examples)
    for example in examples:
        for gold in example.answers:
            assert example.context[gold.start : gold.start + len(gold.text)] == gold.text


def test_held_out_articles_are_in_no_training_file(data: ReaderData) -> None:
    assert {example.title for example in data.dev_squad} == {"Dev"}
    assert {example.title for example in data.test_squad} == {"Test"}
    assert {example.title for example in data.squad} == {"Zorblax"}
    held_out = {example.context for example in data.test_squad}
    # The Wikipedia passages have them too.
    assert not [example for example in data.distant if example.context in held_out]


def test_no_evaluation_question_is_in_a_training_file(tmp_path: Path) -> None:
    evaluated = ("Where does the Quend flow?", "Where does the Quend flow to in summer?", "Who fishes in the Quend?")
    files = write_data(
        tmp_path,
        squad={"data": [squad_article("A", asked, "Mira Okonedo") for asked in (*evaluated, "dev", "test")]},
        nq_open_train=[{"question": asked, "answer": ["Mira Okonedo"]} for asked in (*evaluated, TOWER)],
        ambignq_train=[
            {
                "question": "Who?",
                "annotations": [{"qaPairs": [{"question": q, "answer": ["Quend"]} for q in evaluated]}],
            }
        ],
    )
    data = build_reader_data(files, RULES, seed=1, keep_out=[TOWER])
    trained = {r.question.lower() for part in (data.squad, data.asqa, data.nq_gold, data.distant) for r in part}
    guard = guard_against(files, [TOWER])
    assert trained
    assert not [asked for asked in trained if guard.blocks(asked)]
    assert not [example for example in data.squad if example.answers]


def test_several_wordings_in_one_text_are_each_kept_out(tmp_path: Path) -> None:
    guard = guard_against(write_data(tmp_path), ["who won|who was the winner"])
    assert guard.blocks("Who was the winner?")


def test_the_same_seed_makes_the_same_files(tmp_path: Path, data: ReaderData) -> None:
    assert build_reader_data(write_data(tmp_path, squad={"data": ARTICLES}), RULES, seed=1) == data


def shared_files() -> tuple[DataFiles, list[str]]:
    """The dataset files the shipped reader was made of, and the questions that were kept out besides."""
    data = SHARED / "data"
    if not data.exists():
        pytest.skip("needs ../shared/data")
    files = DataFiles(
        passages=data / "wikipedia/wikipedia_passages_59460.jsonl.gz",
        ambignq_train=data / "ambignq/ambignq_train_light_10036.json.gz",
        asqa_train=data / "asqa/asqa_train_subset_1275.json.gz",
        nq_open_train=data / "nq_open/nq_open_train_subset_49800.jsonl.gz",
        nq_gold_paragraphs=data / "nq_open/nq_open_dev_gold_paragraph_2655.jsonl.gz",
        squad=data / "squad/squad2_dev_half_6078_questions.json.gz",
        asqa_dev=data / "asqa/asqa_dev_748.json.gz",
        ambignq_dev=tuple(sorted(data.glob("ambignq/ambignq_dev_*"))),
        clapnq=tuple(sorted(data.glob("clapnq/*.gz"))),
    )
    known = {clean_question(record["ambiguous_question"]) for record in read_json(files.asqa_train)}
    judged = (record for _, record in read_lines(data / "asqa/asqa_train_faithful_vs_corrupted_1742.jsonl.gz"))
    return files, [record["question"] for record in judged if clean_question(record["question"]) not in known]


@pytest.mark.slow
def test_the_real_training_files_hold_no_dev_question() -> None:
    files, keep_out = shared_files()
    data = build_reader_data(files, ReaderRules(passages=3), seed=13, keep_out=keep_out)
    guard = guard_against(files, keep_out)
    trained = [r for part in (data.squad, data.asqa, data.nq_gold, data.distant) for r in part]
    assert len(trained) > 20_000
    # A near miss may have become another question, but must not have become an evaluated one either.
    assert not [example.question for example in trained if guard.blocks(example.question)]
    held_out = {example.context for example in (*data.dev_squad, *data.test_squad)}
    assert not [example for example in trained if example.context in held_out]
    dev = {example.title for example in data.dev_asqa}
    assert not [example for example in data.asqa if example.title in dev]
