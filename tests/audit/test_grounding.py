"""Grounding: overlaps are right by hand, random passages are other questions', and what is shared is marked."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import worlds
from expound.audit.content import content_by, content_share, rule_content
from expound.audit.grounded import facts, support_rate, unknown_share
from expound.audit.grounding import Overlaps, grounding
from expound.audit.inputs import Inputs
from expound.audit.ngrams import mark_copied, overlap
from expound.audit.random_retrieval import compare_random, random_retrieval
from expound.audit.swap import RandomPassages, of_others
from expound.audit.verdict import CANNOT_TELL, NOT_RUN, PASS
from expound.errors import UserError
from expound.score.results import Scorer
from expound.testing import evidence_of
from expound.types import Answer, Evidence, Passage, Prediction, Question

TEXT = st.text(alphabet="ab c.", max_size=40)


def test_overlap_counts_the_answers_n_grams() -> None:
    assert overlap("the cat sat", ["a cat sat down"], 1) == pytest.approx(200 / 3)
    assert overlap("the cat sat", ["a cat sat down"], 2) == 50
    assert math.isnan(overlap("", ["a cat"], 1))


@given(TEXT)
def test_a_text_stands_wholly_in_itself(text: str) -> None:
    share = overlap(text, [text], 1)
    assert math.isnan(share) or share == 100


@given(TEXT, TEXT)
def test_marking_loses_no_character(text: str, other: str) -> None:
    assert "".join(run for run, _ in mark_copied(text, [other])) == text


def test_what_is_shared_is_marked_unless_it_is_only_small_words() -> None:
    runs = mark_copied("It is of the nerve net, of the sea.", ["A nerve net runs; most of the time."])
    assert [run for run, is_marked in runs if is_marked] == ["nerve net"]


def test_rules_find_nouns_names_and_numbers() -> None:
    found = rule_content(
        "The quick engine of the Aurora slowly burned 14,000 tons because it was built to reduce costs."
    )
    assert {"engine", "aurora", "14000", "ton", "cost"} <= set(found)
    assert not {"slowly", "burned", "reduce", "built", "because"} & set(found)


def test_content_by_an_unknown_name_is_refused() -> None:
    with pytest.raises(UserError, match="spacy, rules"):
        content_by("wordnet")


def test_spacy_finds_the_same_kinds_where_it_is_installed() -> None:
    try:
        content = content_by("spacy")
    except UserError as error:
        pytest.skip(str(error))
    assert set(content("The Danube flows through ten old cities.")) == {"danube", "ten", "city"}


def test_content_of_the_question_does_not_count() -> None:
    share = content_share(
        rule_content, "The nerve net of jellyfish.", ["A nerve net, in jellyfish."], "Do jellyfish think?"
    )
    assert share == pytest.approx(200 / 3)


def test_a_sentence_that_no_passage_supports_lowers_the_rate() -> None:
    passages = ["The Danube flows through ten countries."]
    assert support_rate("The Danube flows through ten countries. Elephants remember everything.", passages) == 50
    assert math.isnan(support_rate("", passages))


def test_names_and_numbers_from_nowhere_are_counted() -> None:
    said = "In 1830 King Charles left, and Ostrand fell."
    assert facts(said) == ["King Charles", "Ostrand", "1830"]
    assert unknown_share(said, ["King Charles ruled until 1830."]) == pytest.approx(100 / 3)


@given(st.integers(2, 30), st.integers(0, 5))
def test_everyone_gets_somebody_elses(n: int, seed: int) -> None:
    given_out = of_others(list(range(n)), seed=seed)
    assert sorted(given_out) == list(range(n))
    assert all(place != item for place, item in enumerate(given_out))


def predictions(n: int) -> list[Prediction]:
    return [
        Prediction(f"q{i}", f"Q {i}?", "s", Answer(""), evidence=tuple(evidence_of(f"a{i}", f"b{i}"))) for i in range(n)
    ]


def test_random_passages_are_other_questions_and_as_many() -> None:
    retriever = RandomPassages.of(predictions(6), seed=3)
    found = retriever.retrieve("Q 2?", k=20)
    assert len(found) == 2
    assert not {item.passage.text for item in found} & {"a2", "b2"}
    assert found == RandomPassages.of(predictions(6), seed=3).retrieve("Q 2?", k=20)


def test_one_question_has_no_random_passages() -> None:
    with pytest.raises(UserError, match="two or more questions"):
        RandomPassages.of(predictions(1), seed=0)


def test_without_passages_the_controls_say_what_they_need(tmp_path: Path) -> None:
    question = Question("q", "Why?", ("Because.",))
    inputs = Inputs((question,), {"q": Prediction("q", "Why?", "s", Answer("Because."))}, Scorer("eli5"))
    section = grounding(inputs)
    assert {verdict.outcome for verdict in section.verdicts} == {NOT_RUN}
    assert "--retrievals" in section.verdicts[-1].sentence


def test_references_are_measured_beside_the_answers(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=20), worlds.clean)
    table = Overlaps(made).ngram_table()
    assert [row[0] for row in table.rows] == ["answers", "references"]
    assert str(table.rows[0][1]).startswith("100.0")


def test_questions_with_a_right_page_get_rows_of_their_own(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean)
    first = made.questions[0]
    right = replace(first, meta={"provenance": [["12"]]})
    page = Evidence(Passage("p", "A page.", meta={"wikipedia_id": "12"}), 1, 1.0)
    evidence = (page, *made.predictions[first.id].evidence)
    changed = replace(made.predictions[first.id], evidence=evidence)
    inputs = replace(made, questions=(right, *made.questions[1:]), predictions={**made.predictions, first.id: changed})
    section = grounding(inputs)
    assert "answers, right passage" in [row[0] for row in section.tables[1].rows]
    assert [plot.title for plot in section.plots][1].endswith("right passage")


def test_every_metric_is_tested_with_random_passages(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=20), worlds.clean)
    both = replace(made, scorer=Scorer(["Eli5Rouge(kind='l')", "Eli5Rouge(kind='1')"]))
    found = compare_random(both)
    assert [item.metric for item in found] == ["rouge_l", "rouge_1"]
    assert all(item.p_holm >= item.p_value for item in found)
    assert all(item.difference > 10 for item in found)


def test_silence_to_random_passages_is_no_content_from_the_others(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean)
    silent = {id: replace(item, answer=Answer("")) for id, item in made.random.items()}
    verdicts, _ = random_retrieval(replace(made, random=silent))
    assert [verdict.outcome for verdict in verdicts] == [PASS, PASS]


def test_questions_without_an_answer_to_random_passages_are_left_out(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean)
    few = dict(list(made.random.items())[:3])
    verdicts, _ = random_retrieval(replace(made, random=few))
    assert [verdict.estimate.n for verdict in verdicts if verdict.estimate] == [3, 3]
    assert [verdict.outcome for verdict in verdicts] == [CANNOT_TELL, CANNOT_TELL]


def test_one_question_has_no_random_passages_to_be_compared_with(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean)
    found = {verdict.check: verdict for verdict in grounding(replace(made, questions=made.questions[:1])).verdicts}
    assert "cannot be measured" in found["passages-over-chance"].sentence


def test_two_prediction_files_are_compared_without_passages_too(tmp_path: Path) -> None:
    made = worlds.audited(worlds.world(tmp_path, n=12), worlds.clean)
    bare = {id: replace(item, evidence=()) for id, item in made.predictions.items()}
    outcomes = {verdict.check: verdict.outcome for verdict in grounding(replace(made, predictions=bare)).verdicts}
    assert outcomes["random-retrieval"] == PASS
    assert outcomes["random-words"] == outcomes["supported-sentences"] == NOT_RUN
