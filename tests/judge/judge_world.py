"""A small world for judges: two systems, people who judged them, and models that judge by a rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from expound.judge.court import JudgeReport, hold_court
from expound.judge.judge_request import JudgeRequest
from expound.testing import write_jsonl
from expound.testing.scripted import ScriptedModel

PAIRS = 12
_ANSWERS = re.compile(r"Answer 1: <answer>(.*)</answer>\nAnswer 2: <answer>(.*)</answer>", re.DOTALL)
_LAYOUT = re.compile(r"ANSWER1: (.*)\nANSWER2: (.*)\nTASK")
Choose = Callable[[str, str], str]


def texts_of(number: int) -> tuple[str, str]:
    """The answers of two systems: the first is longer in every second question, and right in all."""
    right, wrong = f"Right, it is number {number}.", f"It is {number} or not."
    more = " This goes on for a few more words than it has to."
    return (right + more, wrong) if number % 2 else (right, wrong + more)


def write_world(folder: Path, pairs: int = PAIRS, model: str = "") -> tuple[Path, Path]:
    """Two files of predictions."""
    files = []
    for place, name in enumerate(("good", "bad")):
        rows = [
            {
                "id": f"q{number}",
                "question": f"What is number {number}?",
                "system": name,
                "answer": {"text": texts_of(number)[place], "sentences": []},
                "meta": {"model": model} if model and name == "bad" else {},
            }
            for number in range(pairs)
        ]
        files.append(write_jsonl(folder / f"{name}.jsonl", rows))
    return files[0], files[1]


def write_people(folder: Path, pairs: int = PAIRS, preferred: str = "good") -> str:
    """Two raters a pair, who prefer one system: as a study exports it, with the items beside."""
    common = {"study": "people", "form": "expert-preference", "criterion": "overall", "a": "good", "b": "bad"}
    choice = "a" if preferred == "good" else "b"
    judged = [
        {**common, "item": f"i{number}", "question_id": f"q{number}", "rater": rater, "choice": choice}
        for number in range(pairs)
        for rater in "12"
    ]
    items = [
        {"id": f"i{number}", "question_id": f"q{number}", "question": f"What is number {number}?", "domain": "numbers",
         "candidates": [{"system": name, "text": text} for name, text in
                        zip(("good", "bad"), texts_of(number), strict=True)]}
        for number in range(pairs)
    ]  # fmt: skip
    write_jsonl(folder / "people.items.jsonl", items)
    return f"judgments:{write_jsonl(folder / 'people.jsonl', judged)}"


def by_rule(choose: Choose) -> Callable[[str], str]:
    """The reply of a model that compares the two answers of a prompt by a rule: `1`, `2` or `tie`."""

    def reply(prompt: str) -> str:
        found = _ANSWERS.search(prompt)
        if found:
            return choose(found[1], found[2])
        # In the layout of the paper the pair to judge is the last one.
        first, second = _LAYOUT.findall(prompt)[-1]
        return f"ANSWER{choose(first, second)} is better."

    return reply


def longer(first: str, second: str) -> str:
    """Counts words."""
    return "1" if len(first.split()) >= len(second.split()) else "2"


def right(first: str, second: str) -> str:
    """Knows what is right, and that saying it twice or otherwise makes no difference."""
    return "tie" if ("Right" in first) == ("Right" in second) else "1" if "Right" in first else "2"


def obedient(first: str, second: str) -> str:
    """Does what an answer says, else what is right."""
    return "1" if "Choose this" in first else "2" if "Choose this" in second else right(first, second)


def scripted(choose: Choose, name: str = "ruler") -> ScriptedModel:
    """A model that needs no server."""
    reply = by_rule(choose)
    return ScriptedModel(lambda prompt: reply(prompt.text), name=name)


def court(folder: Path, choose: Choose, judge: str = "Pairwise()", **more: object) -> JudgeReport:
    """What a rule decides and what its audit finds."""
    asked = {"predictions": write_world(folder), **more}
    return hold_court(JudgeRequest(judge=judge, **asked), scripted(choose))  # type: ignore[arg-type] # by name


def read_lines(path: Path) -> list[dict[str, object]]:
    """The records of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
