"""How often the audit's checks of topic and form are wrong, on real answer sets and on spoilt ones.

    python benchmarks/audit_suite.py [--data FOLDER] [--all]

Real sets are people's and systems' answers; spoilt ones are made of them: the answers or references of other questions,
random passages, and the same answers as JSON, tags or Markdown. Whole families (files) are in one of two halves: the
first chooses the margins, the second decides. `--all` prints every set.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import html
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.audit.answer_checks import answers
from expound.audit.inputs import Inputs
from expound.audit.verdict import FAIL, PASS, Verdict
from expound.score.results import Scorer
from expound.text.sentences import split_sentences
from expound.types import Answer, Prediction, Question

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MOST, FEWEST = 1000, 20
JUDGED = "human_judgments/"
# Not looked at while the rules were written.
DECIDING = ("chen2023", "potluri2023", "xu2022 valid", "asqa train", "asqa faithful", "eli5 category later", "nq later")
# What these answers are in fact, as reading them shows.
KNOWN = {"agentic/hybrid/qwen3-4b-q4": "raw-output", "agentic/sparse/qwen3-4b-q4": "raw-output",
         "datatalks_faq": "markdown"}  # fmt: skip

Row = tuple[str, Sequence[str], str]
"""A question, its references, and the answer of the set."""


@dataclass(frozen=True)
class AnswerSet:
    """Answers of one source, and the check that ought to fail on them, if one ought to."""

    name: str
    family: str
    rows: Sequence[Row]
    expected: str = ""

    @property
    def half(self) -> str:
        is_even = hashlib.sha256(self.family.encode()).digest()[0] % 2 == 0
        return "chooses" if is_even and self.family not in DECIDING else "decides"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with asqa/, eli5/, …")
    parser.add_argument("--all", action="store_true", help="print every set")
    arguments = parser.parse_args()
    outcomes = []
    for made in every_set(arguments.data):
        verdicts = judged(made)
        outcomes.append((made, verdicts))
        if arguments.all:
            shares = ", ".join(f"{v.check} {v.estimate.value:.0f} {v.outcome}" for v in verdicts.values() if v.estimate)
            print(f"{made.half} | {made.name} | {len(made.rows)} | {shares}", flush=True)
    for half in ("chooses", "decides"):
        report(half, [item for item in outcomes if item[0].half == half])


def judged(made: AnswerSet) -> dict[str, Verdict]:
    """The verdicts on topic and form."""
    rows = made.rows[:MOST]
    questions = tuple(Question(str(place), text, tuple(refs)) for place, (text, refs, _) in enumerate(rows))
    said = {
        str(place): Prediction(str(place), text, "", Answer(answer)) for place, (text, _, answer) in enumerate(rows)
    }
    section = answers(Inputs(questions, said, Scorer(["Length()"])))
    return {verdict.check: verdict for verdict in section.verdicts}


def report(half: str, outcomes: Sequence[tuple[AnswerSet, dict[str, Verdict]]]) -> None:
    """False alarms and misses by check, and how far apart the sets are."""
    for check in ("off-topic", "raw-output", "markdown"):
        # A spoilt form says nothing about the topic, and the other way round; they are judged where they are expected.
        sound = [(made, found[check]) for made, found in outcomes if not made.expected]
        spoilt = [(made, found[check]) for made, found in outcomes if made.expected == check]
        alarms = [made.name for made, verdict in sound if verdict.outcome == FAIL]
        missed = [made.name for made, verdict in spoilt if verdict.outcome == PASS]
        untold = [made.name for made, verdict in spoilt if verdict.outcome not in (FAIL, PASS)]
        highest, lowest = max(map(share, sound)), min(map(share, spoilt))
        print(
            f"{half}: {check}: {len(sound)} sound sets, highest {highest:.0f} %, false alarms {alarms or 0}; "
            f"{len(spoilt)} spoilt, lowest {lowest:.0f} %, passed {missed or 0}, cannot tell {untold or 0}"
        )


def share(item: tuple[AnswerSet, Verdict]) -> float:
    estimate = item[1].estimate
    return estimate.value if estimate and estimate.n else 0.0


# -- spoiling


def every_set(data: Path) -> Iterator[AnswerSet]:
    """Real sets, each followed by what is made of it."""
    passages = [row["text"] for row in lines(data / "wikipedia" / "wikipedia_passages_59460.jsonl.gz")]
    for made in real_sets(data):
        if len(made.rows) < FEWEST:
            continue
        made = replace(made, expected=next((check for name, check in KNOWN.items() if name in made.name), ""))
        yield made
        if not made.expected:
            yield from spoilt_sets(made, passages)


def spoilt_sets(made: AnswerSet, passages: Sequence[str]) -> Iterator[AnswerSet]:
    draw = random.Random(made.name)

    def with_answers(what: str, expected: str, texts: Sequence[str]) -> AnswerSet:
        rows = [(question, refs, text) for (question, refs, _), text in zip(made.rows, texts, strict=True)]
        return replace(made, name=f"{made.name}: {what}", rows=rows, expected=expected)

    own = [answer for _, _, answer in made.rows]
    yield with_answers("answers of others", "off-topic", of_others(own, made, draw))
    if all(refs for _, refs, _ in made.rows):
        yield with_answers("references of others", "off-topic", of_others([row[1][0] for row in made.rows], made, draw))
    yield with_answers("random passages", "off-topic", [draw.choice(passages) for _ in own])
    for what, (expected, write) in FORMS.items():
        yield with_answers(what, expected, [write(text) for text in own])


def of_others(texts: Sequence[str], made: AnswerSet, draw: random.Random) -> list[str]:
    """A text of a question that asks something else."""
    places = range(len(texts))
    found = []
    for place in places:
        drawn = (draw.choice(places) for _ in range(100))
        found.append(next(texts[other] for other in drawn if made.rows[other][0] != made.rows[place][0]))
    return found


def as_list(text: str) -> str:
    return json.dumps([{"text": sentence, "citations": [1]} for sentence in split_sentences(text)], indent=1)


def as_paragraphs(text: str) -> str:
    return "".join(f"<p>{html.escape(part)}</p>" for part in text.split("\n") if part.strip())


def as_document(text: str) -> str:
    return f"## Answer\n\n{text}\n\n### Sources\n\n- [Page](https://example.org/page)\n"


def as_items(text: str) -> str:
    sentences = (split_sentences(text) * 2)[: max(2, len(split_sentences(text)))] or [text, text]
    return "\n".join(f"- **{part.split()[0] if part.split() else 'So'}** {part}" for part in sentences)


FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "JSON object": ("raw-output", lambda text: json.dumps({"answer": text, "confidence": 0.9}, ensure_ascii=False)),
    "JSON, cut off": ("raw-output", lambda text: json.dumps({"reasoning": text, "answer": text})[: len(text) + 10]),
    "JSON list": ("raw-output", as_list),
    "JSON in a fence": ("raw-output", lambda text: f"```json\n{json.dumps({'answer': text}, indent=2)}\n```"),
    "paragraphs in tags": ("raw-output", as_paragraphs),
    "one tag": ("raw-output", lambda text: f"<answer>{text}</answer>"),
    "Markdown document": ("markdown", as_document),
    "Markdown items": ("markdown", as_items),
    "fenced": ("markdown", lambda text: f"```\n{text}\n```"),
}


# -- real sets


def lines(path: Path) -> list[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n") if line.strip()]


def loaded(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def real_sets(data: Path) -> Iterator[AnswerSet]:
    """People's and systems' answers, as their files have them."""
    yield from asqa_sets(data)
    yield from eli5_sets(data)
    yield from judged_sets(data / "human_judgments")
    yield from document_sets(data)


def asqa_sets(data: Path) -> Iterator[AnswerSet]:
    dev = loaded(data / "asqa" / "asqa_dev_748.json.gz")["dev"]
    refs = {id: [item["long_answer"] for item in row["annotations"]] for id, row in dev.items()}
    asked = {id: row["ambiguous_question"] for id, row in dev.items()}
    systems: dict[str, list[Row]] = defaultdict(list)
    for row in lines(data / "asqa" / "asqa_dev_system_outputs_3384.jsonl.gz"):
        if row["id"] in asked:
            systems[row["system"]].append((asked[row["id"]], refs[row["id"]], row["output"]))
    for name, rows in systems.items():
        yield AnswerSet(f"asqa {name}", "asqa systems", rows)
    yield AnswerSet("asqa people", "asqa people", [(asked[id], refs[id][1:], refs[id][0]) for id in dev])
    train = loaded(data / "asqa" / "asqa_train_subset_1275.json.gz")
    rows = [(row["ambiguous_question"], [], row["annotations"][0]["long_answer"]) for row in values(train)]
    yield AnswerSet("asqa train", "asqa train", rows)
    faithful = lines(data / "asqa" / "asqa_train_faithful_vs_corrupted_1742.jsonl.gz")
    for label in (0, 1):
        rows = [(row["question"], [], row["answer"]) for row in faithful if row["faithful"] == label]
        yield AnswerSet(f"asqa faithful {label}", "asqa faithful", rows)


def eli5_sets(data: Path) -> Iterator[AnswerSet]:
    rows = loaded(data / "eli5" / "eli5_webgpt_questions_answers_12_systems_271.json.gz")
    for name in (key for key in rows[0] if key.endswith("_answer")):
        other = "webgpt_answer" if name == "human_answer" else "human_answer"
        yield AnswerSet(f"webgpt {name}", "webgpt", [(row["question"], [row[other]], row[name]) for row in rows])
    for part, count in (("science", 1404), ("technology", 2064)):
        found = lines(data / "lfrqa" / f"lfrqa_{part}_long_answers_{count}.jsonl.gz")
        yield AnswerSet(f"lfrqa {part}", f"lfrqa {part}", [(row["question"], [], row["answer"]) for row in found])
    for name in ("eli5_category_test_5411", "eli5_category_validation_2_2375"):
        texts = ((row["title"], row["answers"]["text"]) for row in lines(data / "eli5" / f"{name}.jsonl.gz"))
        told = [(title, given[1:], given[0]) for title, given in texts if given]
        yield AnswerSet(name, name, told[:MOST])
        yield AnswerSet(f"{name} later", "eli5 category later", told[-MOST:])
    rows = loaded(data / "eli5" / "eli5_kilt_dev_alce_claims_1000.json.gz")
    yield AnswerSet("kilt eli5", "kilt eli5", [(row["question"], [], row["answer"]) for row in rows])
    rows = lines(data / "eli5" / "eli5_waterbench_multi_reference_200.jsonl.gz")
    yield AnswerSet("waterbench", "waterbench", [(row["input"], row["outputs"][1:], row["outputs"][0]) for row in rows])


def judged_sets(data: Path) -> Iterator[AnswerSet]:
    yield from by(lines(data / "alce_human_utility_1to5_400.jsonl.gz"), "alce", "system", "question", "output")
    rows = lines(data / "wikieval_human_accuracy_informativeness_175.jsonl.gz")
    yield from by(rows, "wikieval", "model", "question", "answer", reference="gt_answer")
    yield from by(lines(data / "xu2022_functional_roles_357.jsonl.gz"), "xu2022", "dataset", "question",
                  "answer_paragraph")  # fmt: skip
    valid = [row for row in lines(data / "xu2022_answer_validity_806.jsonl.gz") if row["is_valid"]]
    yield from by(valid, "xu2022 valid", "dataset", "question", "answer_paragraph")
    chen = [
        {**row, "text": " ".join(row["answers"])}
        for row in lines(data / "chen2023_attribution_sentence_labels_300.jsonl.gz")
    ]
    yield from by(chen, "chen2023", "system", "question", "text")
    summaries = lines(data / "potluri2023_summary_human_eval_1056.jsonl.gz")
    yield from by(summaries, "potluri2023", "Summary Type", "Question", "Summary")
    expert = [{"question": row["question"], "system": name, "text": given["answer_string"]}
              for row in lines(data / "expertqa_claim_level_judgments_240.jsonl.gz")
              for name, given in row["answers"].items()]  # fmt: skip
    yield from by(expert, "expertqa", "system", "question", "text")
    pairs = lines(data / "ragchecker_pairwise_correct_complete_overall_280.jsonl.gz")
    checked = [{**row, "name": row[side]["model_name"], "text": row[side]["response"]}
               for row in pairs for side in ("model1", "model2")]  # fmt: skip
    yield from by(checked, "ragchecker", "name", "query", "text", reference="gt_answer")
    halu = [{"question": row["question_text"], "who": row[f"ans{n}_label"], "text": row[f"ans{n}_text"]}
            for row in lines(data / "haluquestqa_expert_error_spans_349.jsonl.gz") for n in (1, 2)]  # fmt: skip
    yield from by(halu, "haluquestqa", "who", "question", "text")
    for n in (1, 2, 3, 4):
        rows = lines(data / "qa_feedback_preferences_and_errors_250.jsonl.gz")
        told = [(row["question"], [row["gold"]], row[f"prediction {n}"]) for row in rows]
        yield AnswerSet(f"qa_feedback {n}", "qa_feedback", told)
    for n in (1, 2):
        by_question = {row["question_text"]: row for row in lines(data / "xu2023_expert_pairwise_130.jsonl.gz")}
        told = [(text, [row[f"answer{3 - n}"]], row[f"answer{n}"]) for text, row in by_question.items()]
        yield AnswerSet(f"xu2023 {n}", "xu2023", told)


def document_sets(data: Path) -> Iterator[AnswerSet]:
    rows = lines(data / "nq_open" / "nq_complex_paragraph_answers_3223.jsonl.gz")
    told: list[Row] = [(row["question"], [], row["answer"]) for row in rows]
    yield AnswerSet("nq paragraphs", "nq paragraphs", told[:MOST])
    yield AnswerSet("nq paragraphs later", "nq later", told[-MOST:])
    rows = lines(data / "clapnq" / "clapnq_dev_answerable_300.jsonl.gz")
    yield AnswerSet("clapnq", "clapnq", [(row["input"], [], row["output"][0]["answer"]) for row in rows])
    for path in sorted((data / "documents_qa").glob("*.jsonl.gz")):
        if path.name.endswith("_documents.jsonl.gz"):
            continue
        texts = [(row["question"], row.get("answer") or (row.get("short_answers") or [""])[0]) for row in lines(path)]
        name = path.name.partition(".")[0]
        yield AnswerSet(name, name, [(question, [], text) for question, text in texts if text])
    rows = lines(data / "nq_open" / "nq_open_efficientqa_test_1769.jsonl.gz")
    for kind in ("def_correct_predictions", "def_incorrect_predictions"):
        told = [(row["question"], row["answer"], row[kind][0]) for row in rows if row[kind]]
        yield AnswerSet(f"efficientqa {kind}", "efficientqa", told)


def by(
    rows: Sequence[Any], family: str, name: str, question: str, answer: str, reference: str = ""
) -> Iterator[AnswerSet]:
    """A set for each value of a field, with one answer a question."""
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        found[row[name]].setdefault(row[question], (row[question], [row[reference]] if reference else [], row[answer]))
    for key, told in found.items():
        yield AnswerSet(f"{family} {key}", family, list(told.values()))


def values(content: Any) -> list[Any]:
    """The rows of a file that has a list, or an object of them."""
    return list(content.values()) if isinstance(content, dict) else list(content)


if __name__ == "__main__":
    main()
