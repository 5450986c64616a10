"""Masked justifications: models and people fill the masks, with the right answers, exchanged ones and others."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from expound.errors import UserError
from expound.study import ItemSources, make_published, make_study, masked_test, open_study, read_earlier
from expound.study.engine.opened import Study
from expound.study.forms.masking import masked_comments, pair_answers
from expound.study.out.exports import export_text
from expound.study.out.judgments import judgments_of
from expound.testing.scripted import ScriptedModel
from expound.types import Prompt
from golden import SHARED
from study.study_helpers import Browse, Make, action_of, fill, join

MATERIAL = SHARED / "data" / "human_judgments" / "xu2023_expert_pairwise_130.jsonl.gz"


def row(number: int) -> dict[str, str]:
    """A line of Xu et al. 2023 of our own making: the good answer is A in even ones."""
    good, bad = f"Kings ruled, {number} of them.", "Nobody knows."
    texts = (good, bad) if number % 2 == 0 else (bad, good)
    better, worse = "AB" if number % 2 == 0 else "BA"
    return {
        "q_id": str(number), "id": str(number), "question_text": f"Who ruled in 18{number}0?", "answer1": texts[0],
        "answer2": texts[1], "answer1_label": "HMH[3]", "BetterAnswer": f"Answer {better}", "DifficultToChoose": "No.",
        "comments": f"Answer {better} names kings. Answer {worse} says nothing, so {better} is better.",
        "annotator": "1", "lead_time": "20", "domain": "History", "annotator_file": "History_1",
    }  # fmt: skip


@pytest.fixture
def experts(tmp_path: Path) -> Study:
    path = tmp_path / "xu2023.jsonl"
    path.write_text("".join(json.dumps(row(number)) + "\n" for number in range(6)), encoding="utf-8")
    return make_published(tmp_path / "experts.toml", f"xu2023:{path}").study


def test_published_preferences_become_a_study_that_others_continue(experts: Study) -> None:
    overall = [one for one in judgments_of(experts) if one.criterion == "overall"]
    assert [one.choice for one in overall] == ["a", "b"] * 3
    assert {one.shown for one in overall} == {"ab"}
    assert "names kings" in overall[0].comment


def reads(prompt: Prompt) -> str:
    """A model that understands: whoever names kings is the answer that has them."""
    kings = "A" if "Answer A: Kings" in prompt.text else "B"
    other = "B" if kings == "A" else "A"
    gap = re.findall(r"\[gap \d+\]", prompt.text)[-1]
    after = prompt.text.partition("Comment: ")[2].partition(gap)[2]
    return other if after.startswith(" says nothing") else kings


def test_a_model_that_understands_is_right_with_its_own_answers_and_wrong_with_exchanged_ones(experts: Study) -> None:
    found = masked_test(experts, ScriptedModel(reads))
    assert (found.comments, found.masks) == (6, 18)
    values = {pairing: one.value for pairing, one in found.exact_match.items()}
    assert (values["original"], values["flipped"]) == (1, 0)
    assert 0 < values["random"] < 1
    assert found.rows[-1] == ["T5-11B (paper)", "259", "0.76", "0.28", "0.47"]
    assert not found.is_cut


def test_when_the_time_is_up_whole_comments_are_scored_and_a_longer_run_asks_the_same_first(experts: Study) -> None:
    hurried, patient, said = ScriptedModel(reads), ScriptedModel(reads), list[tuple[float, float]]()
    found = masked_test(experts, hurried, seconds=1e-9, report=lambda _title, done, of: said.append((done, of)))
    assert (found.comments, found.of, found.masks) == (2, 6, 6)
    assert found.is_cut
    assert said == [(0, 6), (1, 6), (2, 6)]
    assert found.exact_match["original"].value == 1
    masked_test(experts, patient)
    assert patient.calls[: len(hurried.calls)] == hurried.calls
    limited = ScriptedModel(reads)
    masked_test(experts, limited, limit=2)
    assert limited.calls == hurried.calls


class Narrow(ScriptedModel):
    """A model that has no room for one of the questions."""

    def fits(self, prompt: Prompt) -> bool:
        return "1830" not in prompt.text


def test_comments_without_room_in_the_context_count_in_no_pairing(experts: Study) -> None:
    found = masked_test(experts, Narrow(reads))
    assert (found.too_long, found.comments) == (2, 4)  # its own comment, and the one that gets it at random
    assert not found.is_cut
    with pytest.raises(UserError, match="longer context"):
        masked_test(experts, ScriptedModel(reads, context=5))


def test_a_model_without_an_opinion_gets_nothing(experts: Study) -> None:
    found = masked_test(experts, ScriptedModel(weigh=lambda _prompt, _options: (0.5, 0.5)))
    assert {one.value for one in found.exact_match.values()} == {0}
    assert {one.value for one in found.above_own_mean.values()} == {0}


def test_a_model_that_likes_one_letter_is_read_by_its_own_mean(experts: Study) -> None:
    def weigh(prompt: Prompt, _options: Sequence[str]) -> tuple[float, float]:
        return (0.4, 0.1) if reads(prompt) == "A" else (0.3, 0.1)

    found = masked_test(experts, ScriptedModel(weigh=weigh))
    assert {one.value for one in found.exact_match.values()} == {0.5}  # it says A to all of them
    assert found.mean_share_of_a == pytest.approx((0.8 + 0.75) / 2)
    assert (found.above_own_mean["original"].value, found.above_own_mean["flipped"].value) == (1, 0)
    assert found.rows[1][:3] == ["scripted, by its own mean", "6", "1.00 [1.00, 1.00]"]


def shared_words(one: Prompt, other: Prompt) -> int:
    """Words at the beginning that two prompts have in common."""
    pairs = zip(one.text.split(), other.text.split(), strict=False)
    return next(place for place, (a, b) in enumerate(pairs) if a != b)


def test_prompts_that_follow_each_other_begin_alike(experts: Study) -> None:
    model = ScriptedModel(reads)
    masked_test(experts, model)
    pairings = [model.calls[start : start + 3] for start in range(0, len(model.calls), 3)]
    for masks in pairings:
        # Only the number of the gap and "A or B?" are new to a model that keeps what it has read.
        assert all(len(b.text.split()) - shared_words(a, b) == 4 for a, b in pairwise(masks))
    # What a comment gets at random belongs to the one that is asked about next.
    for at_random, original in zip(pairings[2::3], pairings[3::3], strict=False):
        until_comment = at_random[0].text.partition("Comment: ")[0]
        assert original[0].text.startswith(until_comment)


def test_nobody_is_paired_with_their_own_answers_at_random(experts: Study) -> None:
    comments = masked_comments(read_earlier(experts.plan.folder / "experts.toml").collected)
    for one, other in zip(comments, pair_answers(comments, "random", seed=0), strict=True):
        assert one.question != other.question
        assert one.masked == other.masked


def test_other_studies_have_no_masks(make: Make) -> None:
    with pytest.raises(UserError, match="this is a study of hurdles-ab"):
        masked_test(make("hurdles-ab"), ScriptedModel())


def test_a_person_fills_the_masks_and_is_scored(experts: Study, browse: Browse) -> None:
    folder = experts.plan.folder
    before = read_earlier(folder / "experts.toml")
    make_study(folder / "masks.toml", "masked-justification", ItemSources(before=before), overlap=1, seed=1)
    study = open_study(folder / "masks.toml")
    assert len(study.items) == 18
    browser = browse(study)
    page = join(browser, study)
    assert "[gap 1]" in page
    assert "original" not in page
    assert "extra_id" not in page
    while 'id="answers"' in page:
        page = browser.post(action_of(page), data=fill(page, mask_0="A", mask_1="A", mask_2="A")).text
    scores = json.loads(export_text(study, "masked-scores.json"))
    assert {pairing: one["masks"] for pairing, one in scores.items()} == dict.fromkeys(
        ("original", "flipped", "random"), 18
    )
    assert scores["original"]["exact_match"] == pytest.approx(0.5)


def test_figure_2_stands_beside_what_the_paper_prints(experts: Study, browse: Browse) -> None:
    folder = experts.plan.folder
    before = read_earlier(folder / "experts.toml")
    make_study(folder / "aspects.toml", "justification-aspects", ItemSources(before=before), overlap=1, seed=1)
    study = open_study(folder / "aspects.toml")
    browser = browse(study)
    page = join(browser, study)
    page = browser.post(action_of(page), data=fill(page, mentioned=["factuality", "easy"], decisive=["easy"])).text
    browser.post(action_of(page), data=fill(page, mentioned=["factuality"]))
    figure = export_text(study, "figure-2.html")
    assert re.search(
        r"Factuality</td><td>mentioned</td><td[^>]*>2</td><td[^>]*>50.0</td><td>36</td><td>20</td>", figure
    )
    assert figure.count("<svg") == 2


@pytest.mark.skipif(not MATERIAL.is_file(), reason="the published justifications are not here")
def test_the_shared_justifications_are_masked_as_the_paper_did(tmp_path: Path) -> None:
    made = make_published(tmp_path / "study.toml", f"xu2023:{MATERIAL}")
    comments = masked_comments(read_earlier(tmp_path / "study.toml").collected)
    assert made.answers == 130
    assert len(comments) >= 128  # the paper keeps 259 of 260
    assert 4 < sum(len(one.targets) for one in comments) / len(comments) < 6  # the paper: 5
