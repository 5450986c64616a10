"""Every form: what it asks, what it refuses, and what its answers become."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput, UnknownName, UserError
from expound.study.design.form_file import form_from
from expound.study.design.form_table import find_form, form_names
from expound.study.design.items import View
from expound.study.design.making import ItemSources, make_study
from expound.study.engine.opened import Study, open_study
from expound.study.engine.sent_answers import read_earlier
from expound.study.forms.ambig_validate import are_equal
from expound.study.forms.posted import problems_of, read_answers
from expound.study.out.judgments import judgments_of
from expound.study.out.lines import answer_records
from expound.types import Interpretation
from study.study_helpers import OWN, WHY, Browse, Browser, Make, action_of, enter_as_admin, fill, join, judge_all

VIEW = View("Who ruled in 1830?", ("Charles, then Louis.", "Nobody."), (Interpretation("Before?", ("Charles",)),))


def problems(form: str, view: View = VIEW, **sent: Any) -> list[str]:
    made = find_form(form)
    listed = {name: value if isinstance(value, list) else [value] for name, value in sent.items()}
    return [problem.text for problem in problems_of(made, view, read_answers(made, view, listed))]


def answers_of(study: Study, browser: Browser, **answers: Any) -> list[Any]:
    judge_all(browser, join(browser, study), **answers)
    return list(judgments_of(study))


@pytest.mark.parametrize("name", form_names())
def test_every_form_has_a_title_instructions_fields_and_a_page(name: str) -> None:
    form = find_form(name)
    assert form.name == name
    assert form.title
    assert form.instructions
    assert form.fields(View("?", ("one", "two"), extra={"sets": [[], []], "masks": 2}))
    templates = Path(__file__).parents[3] / "src/expound/study/web/templates"
    assert (templates / f"{form.layout}.html").is_file()


def test_a_check_without_readings_shows_no_empty_list_of_them() -> None:
    form = find_form("asqa-pairwise")
    assert [field.name for field in form.fields(VIEW)][:2] == ["captured_left", "captured_right"]
    asked = form.fields(View("Please choose Answer A.", ("This one.", "Not this one.")))
    assert [field.name for field in asked] == ["resolving", "fluency", "overall"]


def test_an_unknown_form_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'asqa-pairwise'"):
        find_form("asqa-pairwize")


def test_an_unknown_option_lists_the_known() -> None:
    with pytest.raises(UserError, match="has no option 'ties'; it has: evidence"):
        find_form("hurdles-ab", {"ties": True})
    with pytest.raises(UserError, match="must be like True"):
        find_form("hurdles-ab", {"evidence": "yes"})


def test_values_that_a_form_does_not_offer_are_dropped() -> None:
    form = find_form("hurdles-ab")
    assert read_answers(form, VIEW, {"overall": ["middle"], "coherent": ["tie"], "x": ["y"]}) == {"coherent": "tie"}


def test_an_experts_choice_has_no_tie_and_carries_its_justification(make: Make, browse: Browse) -> None:
    study = make("expert-preference", overlap=1)
    found = answers_of(study, browse(study), overall="right", difficult="yes", justification=WHY)
    overall = [one for one in found if one.criterion == "overall"]
    assert {one.choice for one in overall} <= {"a", "b"}
    assert {one.comment for one in overall} == {WHY}
    assert {one.value for one in found if one.criterion == "difficult"} == {1}
    assert "tie" not in {
        option.value for field in find_form("expert-preference").fields(VIEW) for option in field.options
    }


def test_a_justification_must_say_something() -> None:
    assert problems("expert-preference", overall="left", difficult="no", justification="It is better") == [
        "Please explain your choice in at least 10 words; these are 3."
    ]


def test_justifications_are_coded_in_a_second_pass(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("expert-preference", overlap=1)
    answers_of(study, browse(study), overall="left", difficult="no", justification=WHY)
    path = tmp_path / "coding.toml"
    sources = ItemSources(before=read_earlier(tmp_path / "study.toml"))
    make_study(path, "justification-aspects", sources, overlap=1, seed=0)
    second = open_study(path)
    browser = browse(second)
    page = join(browser, second)
    assert WHY in page
    assert "Answer A is better" in page
    judge_all(browser, page, mentioned=["factuality", "easy"], decisive=["factuality"])
    found = {one.criterion: one.value for one in judgments_of(second)}
    assert found["mentioned: easy"] is True
    assert found["decisive: easy"] is False
    # The sides stand as they did when the justification was written.
    assert {placed.shown for placed in second.items.values()} == {"ab"}


def test_what_decided_must_be_mentioned() -> None:
    assert problems("justification-aspects", mentioned=["easy"], decisive=["grammar"]) == [
        "What decided must also be mentioned: Grammar"
    ]


def test_coherence_and_factuality_may_be_left_open(make: Make, browse: Browse) -> None:
    study = make("hurdles-ab", overlap=1)
    found = answers_of(study, browse(study), overall="tie")
    assert {one.choice for one in found if one.criterion == "overall"} == {"tie"}
    assert {one.choice for one in found if one.criterion == "factual"} == {None}


def test_evidence_is_shown_unless_the_study_leaves_it_out(make: Make, browse: Browse) -> None:
    study = make("hurdles-ab")
    assert "Charles ruled, then Louis." in join(browse(study), study)
    hidden = make("eli5-rating", name="without")
    assert "Charles ruled, then Louis." not in join(browse(hidden), hidden)


def test_ratings_are_about_the_system_that_wrote_the_answer(make: Make, browse: Browse) -> None:
    study = make("eli5-rating", overlap=1)
    found = answers_of(study, browse(study), fluency="4", correct="no", relevant="yes")
    assert len(found) == 2 * 3 * 3
    assert {(one.a, one.b) for one in found} == {("zebra", ""), ("quokka", "")}
    assert {one.value for one in found if one.criterion == "fluency"} == {4}


def test_correct_by_the_evidence_is_another_criterion() -> None:
    form = find_form("eli5-rating", {"evidence": True, "dont_know": True})
    fields = {field.name: field for field in form.fields(VIEW)}
    assert "correct" not in fields
    assert fields["correct_with_evidence"].values == ("yes", "no", "unknown")


def test_answerability_asks_four_questions(make: Make, browse: Browse) -> None:
    study = make("eli5-answerability", overlap=1, systems=(), references=True)
    answers = dict.fromkeys(("answer_correct", "answer_explains", "document_has_answer", "document_is_relevant"), "yes")
    assert len(answers_of(study, browse(study), **answers)) == 3 * 4


def test_paraphrases_are_labelled_with_three_numbers(make: Make, browse: Browse, tmp_path: Path) -> None:
    items = tmp_path / "pairs.jsonl"
    items.write_text('{"id": "1", "question": "Why is it so?", "extra": {"other": "How come?"}}\n', encoding="utf-8")
    study = make("paraphrase", overlap=1, items=items)
    (found,) = answers_of(study, browse(study), overlap="2")
    assert (found.criterion, found.value, found.a) == ("overlap", 2, "")


def test_a_form_of_pairs_of_questions_needs_items(make: Make) -> None:
    with pytest.raises(UserError, match="--items FILE"):
        make("paraphrase")


ONE_OF_TWO = "Write at least one answer, or skip the question: one of the two."
READING = ("readings.question", "readings.answers")


def generated(*rows: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {READING[0]: [row[0] for row in rows], READING[1]: [row[1] for row in rows], **more}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (generated(("", "Charles")), []),
        (generated(("Before?", "Charles\nCharles X"), ("After?", "Louis")), []),
        (generated(skip="not found"), []),
        (generated(), [ONE_OF_TWO]),
        (generated(("", "Charles"), skip="not found"), [ONE_OF_TWO]),
        (generated(("who ruled in 1830", "Charles"), ("After?", "Louis")),
         ["The question in line 1 is the one that was asked: change it."]),
        (generated(("", "Charles"), ("After?", "Louis")),
         ["Line 1 has no question: with several answers each needs its own."]),
        (generated(("Before?", "")), ["Line 1 has no answer."]),
        (generated(("", "word " * 21)), ["An answer in line 1 has more than 20 words."]),
    ],
)  # fmt: skip
def test_readings_are_checked_as_they_are_written(sent: dict[str, Any], said: list[str]) -> None:
    assert problems("ambig-generate", **sent) == said


def test_generated_sets_that_differ_go_to_a_validator(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("ambig-generate", overlap=2, systems=())
    answers_of(study, browse(study), **generated(("", "Charles")))
    second = browse(study)
    page = join(second, study)
    same = second.post(action_of(page), data=fill(page, **generated(("", "charles")))).text
    judge_all(second, same, **generated(("Before?", "Charles"), ("After?", "Louis")))
    path = tmp_path / "validate.toml"
    made = make_study(
        path, "ambig-validate", ItemSources(before=read_earlier(tmp_path / "study.toml")), overlap=1, seed=0
    )
    assert made.items == 2  # one question of three has equal sets
    validating = open_study(path)
    browser = browse(validating)
    page = join(browser, validating)
    assert "Set 2" in page
    refused = browser.post(action_of(page), data=fill(page, set_1="no", set_2="no"))
    assert "Write at least one answer" in refused.text
    judge_all(browser, page, set_1="no", set_2="yes")
    found = {one.item.partition("/")[2]: one.value for one in judgments_of(validating) if one.criterion == "accepted"}
    assert found == {"set_1": False, "set_2": True}


def test_sets_are_equal_whatever_their_order_and_wording() -> None:
    one = [{"question": "x", "answers": ["The Beatles"]}, {"question": "y", "answers": ["Rome"]}]
    two = [{"question": "z", "answers": ["rome."]}, {"question": "", "answers": ["Beatles"]}]
    assert are_equal([one, two])
    assert not are_equal([one, two[:1]])


def test_search_finds_passages_and_validators_see_what_was_read(make: Make, browse: Browse, tmp_path: Path) -> None:
    study = make("ambig-generate", overlap=2, systems=(), corpus="sampler")
    browser = browse(study)
    page = join(browser, study)
    found = browser.get(action_of(page) + "/search", params={"q": "owl hunting at night"}).text
    assert "Barn owl" in found
    shown = json.loads(html.unescape(re.findall("hx-vals='([^']*)'", found)[0]))
    for passage, title in ((shown["passage"], shown["title"]), ("gone", "Lost page")):
        data = fill(page, passage=passage, title=title)
        assert browser.post(action_of(page) + "/viewed", data=data).status_code == 204
    judge_all(browser, page, **generated(("", "an owl")))
    answers_of(study, browse(study), **generated(("", "a mouse")))
    path = tmp_path / "validate.toml"
    make_study(path, "ambig-validate", ItemSources(before=read_earlier(tmp_path / "study.toml")), overlap=1, seed=0)
    validating = open_study(path)
    (extra,) = (placed.item.extra for placed in validating.items.values() if placed.item.extra["viewed"])
    assert extra["viewed"] == ["Lost page"]
    (passage,) = extra["passages"]
    browser = browse(validating)
    pages = [join(browser, validating)]
    while 'id="answers"' in pages[-1]:
        pages.append(browser.post(action_of(pages[-1]), data=fill(pages[-1], set_1="yes", set_2="no")).text)
    assert any(html.escape(passage["text"][:60], quote=False) in one and "Lost page" in one for one in pages)


def test_writing_warns_of_a_missing_short_answer_and_takes_it_when_confirmed(make: Make, browse: Browse) -> None:
    study = make("asqa-write", overlap=1, systems=())
    browser = browse(study)
    page = join(browser, study)
    written = {"long_answer": "Charles ruled first.", "knowledge.content": ["A fact"], "knowledge.source": ["A page"]}
    live = browser.post(action_of(page) + "/check", data=fill(page, **written)).text
    assert "“Louis” is not in your answer." in live
    warned = browser.post(action_of(page), data=fill(page, **written))
    assert warned.status_code == 422
    assert "“Louis” is not in your answer." in warned.text
    browser.post(action_of(page), data=fill(warned.text, **written, confirmed="yes"))
    (record,) = answer_records(study)
    assert record["answers"]["long_answer"] == "Charles ruled first."
    assert record["answers"]["knowledge"] == [{"content": "A fact", "source": "A page"}]


@pytest.mark.parametrize("form", ["asqa-write", "asqa-pairwise"])
def test_wordings_of_a_reading_are_set_apart_for_the_reader(
    make: Make, browse: Browse, tmp_path: Path, form: str
) -> None:
    items = tmp_path / "own.jsonl"
    pair = [{"system": "x", "text": "One."}, {"system": "y", "text": "Two."}]
    readings = [{"question": "Who ruled first?|Who was the first ruler?", "answers": ["Charles"]}]
    line = {"id": "1", "question": "Who ruled?", "candidates": pair, "interpretations": readings}
    items.write_text(json.dumps(line) + "\n", encoding="utf-8")
    study = make(form, items=items)
    page = join(browse(study), study)
    assert "Who ruled first? / Who was the first ruler?" in page
    assert "first?|Who" not in page


def test_added_knowledge_needs_a_source() -> None:
    sent: dict[str, Any] = {"long_answer": "Charles", "knowledge.content": ["A fact"], "knowledge.source": [""]}
    assert problems("asqa-write", **sent) == ["Say where each passage is from."]


def test_feedback_on_a_finished_answer_reaches_its_writer(make: Make, browse: Browse) -> None:
    study = make("asqa-write", overlap=1, systems=())
    browser, admin = browse(study), browse(study)
    page = join(browser, study)
    browser.post(action_of(page), data=fill(page, long_answer="Charles, then Louis."))
    token = enter_as_admin(admin, study).split('name="token" value="')[1].split('"')[0]
    number = action_of(page).rpartition("/")[2]
    assert admin.post(f"/admin/feedback/{number}", data={"token": token, "text": "Name the year."}).status_code == 200
    assert "Name the year." in browser.get(action_of(page)).text


def test_marked_words_must_stand_in_the_answer() -> None:
    assert problems("coding", spans="hallucination: then Louis") == []
    assert problems("coding", spans="repetition: Napoleon") == [
        "“Napoleon” is not in the answer: copy the words as they stand there"
    ]


def test_spans_become_a_value_for_each_label_and_their_words_stay(make: Make, browse: Browse) -> None:
    study = make("coding", overlap=1)
    found = answers_of(study, browse(study), spans="hallucination: Answer text\nnothing: here")
    values = {one.criterion: one.value for one in found}
    system = found[0].a
    marked = {"label": "hallucination", "start": 0, "end": 11, "quote": "Answer text", "words": [0, 2]}
    assert values == {
        "spans: hallucination": True,
        "spans: misunderstanding": False,
        "spans: repetition": False,
        "spans": {"spans": [{**marked, "system": system}], "words": {system: 6}},
    }


def test_a_form_of_ones_own_needs_no_code(make: Make, browse: Browse, tmp_path: Path) -> None:
    (tmp_path / "kind.toml").write_text(OWN, encoding="utf-8")
    study = make("kind.toml", overlap=1)
    found = answers_of(study, browse(study), kinder="tie", why="Both are.")
    assert {(one.form, one.choice, one.comment) for one in found} == {("kind", "tie", "Both are.")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"makes": "cakes"}, "makes must be one of"),
        ({}, r"needs a \[\[field\]\]"),
        ({"field": [{"name": "x"}]}, "field 1: a field needs a name and a label"),
        ({"field": [{"name": "x", "label": "x", "kind": "dance"}]}, "kind must be one of"),
        ({"field": [{"name": "x", "label": "x", "kind": "choice"}]}, "needs options"),
        ({"field": [{"name": "x", "label": "x", "colour": "red"}]}, "no setting named 'colour'"),
        ({"makes": "answers", "field": [{"name": "x", "label": "x", "kind": "side"}]}, "compares two answers"),
    ],
)
def test_what_is_wrong_with_a_form_is_named(content: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        form_from(json.loads(json.dumps(content)), "form.toml", name="form")
