"""What judges ask, how their replies are read, and what becomes of them; bad specs and bad input get one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from commands import Capture, fail
from expound import plugins
from expound.errors import UserError
from expound.judge.court import hold_court, rows_of
from expound.judge.courtroom import Heard, Hearing
from expound.judge.judge_items import JudgeItem, JudgeSide
from expound.judge.judge_request import JudgeRequest
from expound.judge.judge_screen import rows_table
from expound.judge.judge_shape import FIRST, SECOND
from expound.judge.replies import read_better, read_choice, read_ticks
from expound.judge.rubric import ASPECTS, Rubric
from expound.judge.rulings import decide
from expound.judge.two_shot import TwoShot
from expound.testing import write_jsonl
from expound.testing.scripted import ScriptedModel
from expound.types import Interpretation, Prompt, Question
from judge.judge_world import court, right, scripted, write_people, write_world

ITEM = JudgeItem("i", Question("q", "Why?"), (JudgeSide("x", "One.\nTwo."), JudgeSide("y", "Three.")))


def test_two_shot_asks_in_the_layout_of_the_paper() -> None:
    example = JudgeItem("e", Question("p", "How?"), (JudgeSide("x", "So."), JudgeSide("y", "Not so.")),
                        votes={"overall": {"b": 2}})  # fmt: skip
    assert TwoShot().prompt(ITEM, "overall", [example]).text == (
        "QUESTION: How?\nANSWER1: So.\nANSWER2: Not so.\nTASK: Choose the better answer.\n"
        "BETTER ANSWER: ANSWER2 is better.\n\n"
        "QUESTION: Why?\nANSWER1: One. Two.\nANSWER2: Three.\nTASK: Choose the better answer.\nBETTER ANSWER:"
    )


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("ANSWER1 is better.", "first"),
        ("ANSWER2", "second"),
        (" BETTER ANSWER: ANSWER2 is better.\n\nQUESTION: Who?", "second"),
        ("Answer 1 is better", "first"),
        ("ANSWER3 is better.", None),
        ("ANSWER1 is better than ANSWER2.", None),
        ("Neither ANSWER1 nor ANSWER2.", None),
        ("", None),
    ],
)
def test_a_choice_in_the_papers_words_is_read_and_nothing_is_guessed(reply: str, said: str | None) -> None:
    assert read_better(reply) == said


@pytest.mark.parametrize(
    ("reply", "said"),
    [("1", "first"), ("2.", "second"), ("Tie", "tie"), ("Answer 2", "second"), ("1 or 2", None), ("12", None),
     ("1. 1\n\nThe answer", None), ("The first one", None)],
)  # fmt: skip
def test_one_word_is_read_and_nothing_is_guessed(reply: str, said: str | None) -> None:
    assert read_choice(reply) == said


def test_ticks_are_numbers_of_readings() -> None:
    assert read_ticks("2,3.", 3) == (False, True, True)
    assert read_ticks("0", 3) is None
    assert read_ticks("all of them", 3) is None


@pytest.mark.parametrize(
    "spec",
    ["TwoShot(examples=2)", "TwoShot(examples=0, samples=5)", "Pairwise()", "Pairwise(swap=False)",
     "Rubric(by='aspects')", "Rubric(by='easy grammar')"],
)  # fmt: skip
def test_a_judge_prints_as_its_spec(spec: str) -> None:
    assert repr(plugins.build("judge", spec)) == spec


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("TwoShot(samples=0)", "1 to 100 times"),
        ("Pairwise(samples=3)", "give a temperature"),
        ("Pairwise(temperature=9.0)", "between 0 and 2"),
        ("Pairwise(top_p=0.0)", "above 0"),
        ("TwoShot(examples=-1)", "fewer than none"),
        ("Rubric(by='beauty')", "no criterion named 'beauty'"),
        ("Rubric(by=' ')", "names no criterion"),
        ("Pairwise(swap='yes')", "must be True or False"),
        ("Judge()", "no judge plug-in named 'Judge'"),
    ],
)
def test_a_bad_spec_is_refused_in_words(spec: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        plugins.build("judge", spec)


def test_most_samples_decide_and_differences_are_counted(tmp_path: Path) -> None:
    # All first samples are asked together, then all second ones: the script is the dice.
    turns = iter(["ANSWER1", "ANSWER2", "ANSWER1"])

    class Dicey(ScriptedModel):
        def complete(self, prompts: Sequence[Prompt], **_more: object) -> list[str]:
            return [next(turns)] * len(prompts)

    request = JudgeRequest(judge="TwoShot(examples=0)", predictions=write_world(tmp_path), probes=0)
    found = hold_court(request, Dicey())
    [consistent] = [one for one in found.checks if one.name == "samples that all say the same"]
    assert (consistent.figure.value, consistent.outcome) == (0.0, "fail")
    assert {one.heard[0].value == one.heard[0].trial.shown[0] for one in found.decisions} == {True}


def test_two_systems_have_one_row_whichever_stands_first_in_a_pair() -> None:
    better, worse = JudgeSide("good", "Right."), JudgeSide("bad", "Wrong.")
    pairs = [
        JudgeItem(f"{n}", Question(f"{n}", "What?"), sides)
        for n, sides in enumerate([(better, worse), (worse, better)])
    ]
    heard = [Heard(Hearing(item, "overall"), ("",), (FIRST if item.sides[0] is better else SECOND,)) for item in pairs]
    [row] = rows_of(decide(heard))
    assert (row.a, row.b, row.share.value, row.share.n) == ("good", "bad", 1.0, 2)


def test_what_cannot_be_read_is_recorded_as_such_and_never_guessed(tmp_path: Path) -> None:
    found = court(tmp_path, lambda first, second: "Both have their merits", people=write_people(tmp_path))
    [row] = found.rows
    assert (row.unread, row.share.n) == (12, 0)
    [undecided] = [one for one in found.checks if one.name == "undecided"]
    assert undecided.outcome == "fail"
    assert found.verdict == "fails: undecided"


def test_a_prompt_without_room_is_not_asked(tmp_path: Path) -> None:
    model = ScriptedModel(lambda prompt: "1", context=20)
    found = hold_court(JudgeRequest(judge="Pairwise()", predictions=write_world(tmp_path)), model)
    assert model.calls == []
    assert found.rows[0].unread == 12
    assert "no room" in found.decisions[0].unread


def test_a_rubric_asks_one_criterion_at_a_time(tmp_path: Path) -> None:
    model = scripted(right)
    request = JudgeRequest(judge="Rubric()", predictions=write_world(tmp_path), limit=2, probes=0)
    found = hold_court(request, model)
    assert [row.criterion for row in found.rows] == list(ASPECTS)
    assert len(ASPECTS) == 9
    # Both orders of two pairs by nine aspects.
    assert len(model.calls) == 36
    assert all(sum(asked in prompt.text for asked in ASPECTS.values()) == 1 for prompt in model.calls)


def test_a_criterion_that_finds_nothing_to_judge_keeps_its_row_and_says_why(tmp_path: Path) -> None:
    found = court(tmp_path, right, "Rubric(by='asqa')", probes=0)
    assert {row.criterion for row in found.rows} == {"resolving", "fluency"}
    assert list(found.unasked) == list(found.record()["unasked"]) == ["captured"]
    _, rows = rows_table(found)
    [captured] = [row for row in rows if row[0] == "captured"]
    assert captured[4] == 0
    assert "no question has readings" in str(captured[-1])


def test_answers_that_are_rated_alone_are_not_blamed_for_flips(tmp_path: Path) -> None:
    model = ScriptedModel(lambda prompt: "2" if "Meanings" in prompt.text else "1")
    request = JudgeRequest(
        judge="Rubric(by='asqa')", predictions=write_world(tmp_path), dataset=write_readings(tmp_path, 12), probes=0
    )
    found = hold_court(request, model)
    # Whatever stands first is chosen, in both orders.
    verdicts = {row["criterion"]: row["verdict"] for row in found.record()["rows"]}
    assert "order flips" in verdicts["fluency"]
    assert "order flips" in verdicts["resolving"]
    assert verdicts["captured"].startswith("fails none")
    # A reply that cannot be read is a fault of theirs, too.
    speechless = hold_court(request, ScriptedModel(lambda prompt: "No." if "Meanings" in prompt.text else "tie"))
    said = {row["criterion"]: row["verdict"] for row in speechless.record()["rows"]}
    assert said["captured"] == "fails: undecided"


def write_readings(folder: Path, count: int) -> str:
    """A dataset of questions with two readings each."""
    rows = [
        {
            "id": f"q{number}",
            "question": f"What is number {number}?",
            "interpretations": [
                {"question": "The one?", "answers": ["one"]},
                {"question": "The other?", "answers": ["two", "2"]},
            ],
        }
        for number in range(count)
    ]
    return f"qa:{write_jsonl(folder / 'qa.jsonl', rows)}"


def test_asqas_rubric_ticks_the_readings_of_each_answer(tmp_path: Path) -> None:
    dataset = write_readings(tmp_path, 3)
    model = ScriptedModel(lambda prompt: "2" if "Meanings" in prompt.text else "tie")
    request = JudgeRequest(judge="Rubric(by='asqa')", predictions=write_world(tmp_path), dataset=dataset, probes=0)
    found = hold_court(request, model)
    captured = [row for row in found.rows if row.criterion == "captured"]
    assert [(row.a, row.b, row.share.value, row.share.n) for row in captured] == [
        ("good", "", 0.5, 3),
        ("bad", "", 0.5, 3),
    ]
    assert {row.criterion for row in found.rows} == {"captured", "resolving", "fluency"}
    reading = Rubric("asqa").prompt(
        JudgeItem("i", Question("q", "Which?", interpretations=(Interpretation("One?", ("a", "b")),)), ITEM.sides[:1]),
        "captured", [],
    )  # fmt: skip
    assert "1. One? — a / b" in reading.text


def test_examples_are_what_people_chose_and_are_not_judged(tmp_path: Path) -> None:
    request = JudgeRequest(judge="TwoShot(examples=2, samples=1)", people=write_people(tmp_path), probes=0)
    model = scripted(right)
    found = hold_court(request, model)
    assert len(found.examples) == 2
    assert len(found.decisions) == 10
    assert not {one.item.id for one in found.decisions} & set(found.examples)
    assert all(prompt.text.count("TASK") == 3 for prompt in model.calls)


def test_without_people_two_pairs_of_our_own_are_shown_and_everything_is_judged(tmp_path: Path) -> None:
    request = JudgeRequest(judge="TwoShot(examples=2, samples=1)", predictions=write_world(tmp_path), probes=0)
    model = ScriptedModel(lambda prompt: "ANSWER1 is better.")
    found = hold_court(request, model)
    assert found.examples == ("expound:own-1", "expound:own-2")
    assert len(found.decisions) == 12
    # One ends in the first answer and one in the second: no place is learnt.
    assert all(prompt.text.count("ANSWER1 is better.") == 1 for prompt in model.calls)
    assert all(prompt.text.count("ANSWER2 is better.") == 1 for prompt in model.calls)


def test_only_pairs_on_which_all_agree_are_judged_if_wanted(tmp_path: Path) -> None:
    spec = write_people(tmp_path)
    lines = (tmp_path / "people.jsonl").read_text(encoding="utf-8").splitlines()
    lines[0] = lines[0].replace('"choice": "a"', '"choice": "b"')
    (tmp_path / "people.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert len(JudgeRequest(judge="Pairwise()", people=spec).items) == 12
    assert len(JudgeRequest(judge="Pairwise()", people=spec, agreed=True).items) == 11


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--judge", "Pairwise()"), "what is to be judged"),
        (("{good}", "--judge", "Pairwise()"), "two or more files"),
        (("{good}", "{good}"), "named twice"),
        (("{good}", "{bad}", "--judge", "Fair()"), "no judge plug-in named 'Fair'"),
        (("{good}", "{bad}", "--judge", "TwoShot(examples=3)"), "name others with --people"),
        (("{good}", "{bad}", "--agreed"), "leave out --agreed"),
        (("{good}", "{other}"), "no question is answered by all"),
        (("{good}", "{bad}", "--people", "asqa:{good}"), "not pairwise judgments"),
        (("{good}", "{bad}", "--people", "judgments:{alone}"), "put the items of the study beside it"),
        (("{good}", "{bad}", "--judge", "Rubric(by='captured')"), "no question has readings"),
        (("{good}", "{missing}"), "no such file"),
        (("{good}", "{repeated}"), "two predictions have the id 'q0'"),
        (("{nameless}", "{nameless2}"), "name the questions with --dataset"),
        (("{good}", "{bad}", "--model", "none"), "needs a text model"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line(capsys: Capture, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    good, bad = write_world(tmp_path)
    other = write_jsonl(tmp_path / "other.jsonl", [{"id": "z", "question": "Who?", "answer": "I."}])
    judged = {"study": "s", "form": "f", "item": "i", "question_id": "q0", "rater": "1", "criterion": "overall",
              "a": "good", "b": "bad", "choice": "a"}  # fmt: skip
    files = {
        "good": good, "bad": bad, "other": other, "missing": tmp_path / "missing.jsonl",
        "alone": write_jsonl(tmp_path / "alone.jsonl", [judged]),
        "repeated": write_jsonl(tmp_path / "r.jsonl", [{"id": "q0", "question": "Who?", "answer": "I."}] * 2),
        "nameless": write_jsonl(tmp_path / "n1.jsonl", [{"id": "q0", "answer": "I."}]),
        "nameless2": write_jsonl(tmp_path / "n2.jsonl", [{"id": "q0", "answer": "You."}]),
    }  # fmt: skip
    words = [word.format(**files) for word in arguments]
    model = [] if "--model" in words else ["--model", "http://127.0.0.1:9#m"]
    assert said in fail(capsys, "judge", *words, *model, "--out", str(tmp_path / "out.jsonl"))
    assert not (tmp_path / "out.jsonl").exists()


def test_other_judgments_are_never_overwritten(capsys: Capture, tmp_path: Path) -> None:
    good, bad = write_world(tmp_path)
    write_people(tmp_path)
    line = fail(capsys, "judge", str(good), str(bad), "--model", "http://127.0.0.1:9#m", "--out",
                str(tmp_path / "people.jsonl"))  # fmt: skip
    assert "holds other judgments" in line
    assert "JSON Lines" in fail(capsys, "judge", str(good), str(bad), "--model", "http://127.0.0.1:9#m", "--out",
                                str(tmp_path / "out.json"))  # fmt: skip
