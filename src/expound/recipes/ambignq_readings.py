"""AmbigNQ's questions: are the readings that are shown right, and how many are missed? (Min et al. 2020)

Every question is asked by the way of clarifying that `ask` takes, over a corpus. Beside AmbigQA's own metrics stands
what a user meets: readings that are wrong, readings of a question that has one answer, and questions with several
answers of which at most one is shown. The funnel says where answers are lost on the way; the last rows are the
rewriting alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from expound.clarify.evidence_only import EvidenceOnly
from expound.clarify.settings import CHOOSING
from expound.datasets.spec import open_dataset
from expound.errors import BadInput
from expound.files import write_whole
from expound.protocols import Metric
from expound.recipes.findings import Finding, Row, Values, numbers_of
from expound.recipes.intervals import mean_figure, mean_of_all
from expound.recipes.pictures import figure, save
from expound.recipes.printing import Sheet, measured_column, name_column, published_column, sheet_of
from expound.recipes.shape import Ingredients, Measurement, Recipe
from expound.records import prediction_record
from expound.score.ambigqa import F1Answer, F1Bleu, F1EditF1
from expound.system import RETRIEVED, System, open_system
from expound.text.normal import normalize_answer
from expound.types import Answer, Evidence, Interpretation, Prediction, Question


@dataclass(frozen=True)
class Clarified:
    """A question with the readings that were shown, those that its gold answers got, and what it was made from."""

    question: Question
    evidence: tuple[Evidence, ...]
    candidates: tuple[str, ...]
    shown: Prediction
    given: Prediction

    @property
    def is_single(self) -> bool:
        """Whether every annotator found one answer."""
        return all(len(readings) == 1 for readings in self.question.annotations)

    @property
    def is_multi(self) -> bool:
        """Whether every annotator found several."""
        return all(len(readings) > 1 for readings in self.question.annotations)

    @property
    def gold(self) -> set[str]:
        """Every form of every answer of every annotator."""
        readings = (reading for annotation in self.question.annotations for reading in annotation)
        # All annotators, since each of them may have found what the others missed: a shown reading is wrong only if
        # nobody has it.
        return {normalize_answer(answer) for reading in readings for answer in reading.answers}

    def judge_readings(self) -> list[tuple[Interpretation, bool]]:
        """The shown readings, and whether some annotator gave the answer of each."""
        answered = (reading for reading in self.shown.interpretations if reading.answers)
        return [(reading, normalize_answer(reading.answers[0]) in self.gold) for reading in answered]

    def are_right(self) -> list[bool]:
        """Whether each shown reading is right."""
        return [is_right for _, is_right in self.judge_readings()]


def clarify_all(given: Ingredients) -> list[Clarified]:
    """Every question of the file with its readings, as the default way finds them."""
    questions = list(open_dataset(given.dataset))[: given.limit or None]
    if not questions or not any(question.annotations for question in questions):
        raise BadInput(f"{given.dataset} has no question with AmbigNQ's annotations")
    system = open_system(given.corpus, model=given.model)
    if isinstance(system.clarifier, EvidenceOnly):
        # A question with one answer gets it as its one reading, so that answers can be counted.
        system = replace(system, clarifier=replace(system.clarifier, single=True))
    # A second system over the same corpus, so that what rewriting loses is told apart from what finding answers loses.
    rewriter = open_system(given.corpus, model=given.model, clarify="GoldAnswers()")
    found = []
    for number, question in enumerate(questions, start=1):
        found.append(_clarify_question(question, system, rewriter))
        given.say("clarifying", number, len(questions))
    return found


def _clarify_question(question: Question, system: System, rewriter: System) -> Clarified:
    evidence = system.evidence(question)
    shown, given = system.readings(question, evidence), rewriter.readings(question, evidence)
    return Clarified(
        question=question,
        evidence=tuple(evidence),
        candidates=_candidates_of(system, question, evidence),
        shown=_prediction(question, repr(system.clarifier), shown),
        given=_prediction(question, repr(rewriter.clarifier), given),
    )


def _candidates_of(system: System, question: Question, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """What was weighed; a text model proposes nothing beside what it shows."""
    clarifier = system.clarifier
    return tuple(clarifier.candidates(question.text, evidence)) if isinstance(clarifier, EvidenceOnly) else ()


def _prediction(question: Question, system: str, readings: Sequence[Interpretation]) -> Prediction:
    return Prediction(
        id=question.id,
        question=question.text,
        system=system,
        answer=Answer(),
        interpretations=tuple(readings),
    )


def _score_by(metric: Metric, *, given: bool = False) -> Callable[[Sequence[Clarified]], Values]:
    """A metric over all questions; of the shown readings, or of those that the gold answers got."""

    def values(items: Sequence[Clarified]) -> Values:
        counts = (metric.count(item.question, item.given if given else item.shown) for item in items)
        return {"measured": mean_figure(map(float, counts))}

    return values


def _count_shown_right(items: Sequence[Clarified]) -> Values:
    several = [item.are_right() for item in items if len(item.shown.interpretations) > 1]
    return {"measured": mean_of_all([[100.0 * right for right in rights] for rights in several])}


def _false_readings(items: Sequence[Clarified]) -> Values:
    single = [item for item in items if item.is_single]
    return {"measured": mean_figure(100.0 * (len(item.shown.interpretations) > 1) for item in single)}


def _missed(items: Sequence[Clarified]) -> Values:
    multi = [item for item in items if item.is_multi]
    return {"measured": mean_figure(100.0 * (len(item.shown.interpretations) < 2) for item in multi)}


def _in_passages(most: int, items: Sequence[Clarified]) -> Values:
    def holds(item: Clarified) -> bool:
        texts = (f"{piece.passage.title} {piece.passage.text}" for piece in item.evidence[:most])
        # Spaces on both sides, so that "10" is not found in "1810".
        said = f" {normalize_answer(' '.join(texts))} "
        return any(f" {answer} " in said for answer in item.gold if answer)

    return {"measured": mean_figure(100.0 * holds(item) for item in items)}


def _are_extracted(items: Sequence[Clarified]) -> Values:
    # A clarifier that does not say what it weighs has no share.
    asked = items if any(item.candidates for item in items) else ()
    found = (not item.gold.isdisjoint(map(normalize_answer, item.candidates)) for item in asked)
    return {"measured": mean_figure(100.0 * is_there for is_there in found)}


def _count_shown(items: Sequence[Clarified]) -> Values:
    return {"measured": mean_figure(100.0 * any(item.are_right()) for item in items)}


def _right_at(low: float, high: float, items: Sequence[Clarified]) -> Values:
    """Of the readings shown with a confidence between two, how many are right, and their mean confidence."""
    groups = [
        [
            (reading.confidence, is_right)
            for reading, is_right in item.judge_readings()
            if reading.confidence is not None
        ]
        for item in items
    ]
    fitting = [[(said, is_right) for said, is_right in group if low <= said < high] for group in groups]
    return {
        "measured": mean_of_all([[100.0 * is_right for _, is_right in group] for group in fitting]),
        "said": mean_of_all([[100.0 * said for said, _ in group] for group in fitting]),
    }


# Wide enough that the few readings with a high confidence still make a share.
_BOUNDS = (0.0, 0.2, 0.4, 0.6, 0.8)
_CALIBRATION = tuple(
    Row(
        f"right_from_{100 * low:.0f}",
        how=partial(_right_at, low, low + 0.2 + (low == _BOUNDS[-1])),
        why=f"of the readings shown with a confidence from {low:.1f} on, below {low + 0.2:.1f}",
    )
    for low in _BOUNDS
)

# Published: SPANSEQGEN with question disambiguation, Min et al. 2020, Tables 3 and 4.
_MEASURES = (
    Row("f1_answer", {"published": 39.7}, _score_by(F1Answer())),
    Row("f1_answer_multi", {"published": 29.3}, _score_by(F1Answer(multi=True))),
    Row("f1_bleu4", {"published": 13.4}, _score_by(F1Bleu(order=4))),
    Row("f1_edit_f1", {"published": 7.2}, _score_by(F1EditF1())),
    Row("shown_right", how=_count_shown_right, why="of the readings of questions that are shown several"),
    Row("false_readings", how=_false_readings, why="of the questions with one answer, those that are shown several"),
    Row("missed", how=_missed, why="of the questions with several answers, those that are shown at most one"),
    Row(
        "gold_in_passages",
        how=partial(_in_passages, RETRIEVED),
        why="questions with a gold answer in the retrieved passages",
    ),
    Row("gold_read", how=partial(_in_passages, CHOOSING.passages), why="in those of them that are read for answers"),
    Row("gold_extracted", how=_are_extracted, why="among the strings that may be answers"),
    Row("gold_shown", how=_count_shown, why="questions with a gold answer among the readings"),
    Row("given_bleu4", {"published": 40.1}, _score_by(F1Bleu(order=4), given=True), "gold answers given"),
    Row("given_edit_f1", {"published": 19.2}, _score_by(F1EditF1(), given=True), "gold answers given"),
    *_CALIBRATION,
)


def by_name(findings: Sequence[Finding]) -> dict[str, object]:
    """The figures for programs: value, interval and number of questions of each."""
    return {finding.row.name: finding.values["measured"] for finding in findings}


def _table(findings: Sequence[Finding]) -> list[Sheet]:
    columns = [
        name_column("measure"),
        published_column("published", "published"),
        measured_column("measured"),
        measured_column("n", "n"),
    ]
    return [sheet_of(columns, [_with_count(finding) for finding in findings])]


def _with_count(finding: Finding) -> Finding:
    figure = finding.values["measured"]
    return Finding(finding.row, {**finding.values, "n": getattr(figure, "n", "")})


def draw_calibration(title: str, findings: Sequence[Finding], path: Path) -> None:
    """How often readings are right, by the confidence that they are shown with."""
    names = {row.name for row in _CALIBRATION}
    binned = [finding for finding in findings if finding.row.name in names]
    said = dict(numbers_of(binned, "said"))
    points = [(said[name].value, share) for name, share in numbers_of(binned, "measured") if share.n]
    picture = figure(figsize=(4.5, 4.5), layout="constrained")
    panel = picture.subplots()
    panel.plot([0, 100], [0, 100], color="#9aa0a6", linestyle="--", label="as often as it says")
    for value, share in points:
        panel.plot([value, value], [share.low, share.high], color="#1f6fb4")
    panel.plot([value for value, _ in points], [share.value for _, share in points], "o-", color="#1f6fb4", label=title)
    panel.set_xlabel("mean confidence, %")
    panel.set_ylabel("right, %")
    panel.legend(loc="upper left")
    save(picture, path)


def keep_predictions(items: Sequence[Clarified], done: Measurement, out: Path) -> None:
    """The readings of every question, to be read and classed."""
    with write_whole(out / "predictions.jsonl") as file:
        file.writelines(_lines(items))


def _lines(items: Sequence[Clarified]) -> Iterator[str]:
    for item in items:
        yield json.dumps(prediction_record(item.shown), ensure_ascii=False) + "\n"


def _measure_rows(items: Sequence[Clarified], row: Row) -> Values:
    values: Values = row.how(items)
    return values


RECIPE = Recipe(
    name="ambignq-readings",
    title="AmbigNQ: readings",
    layout="ambignq",
    rows=_MEASURES,
    prepare=clarify_all,
    run_row=_measure_rows,
    tables=_table,
    record=by_name,
    searches=True,
    keep=keep_predictions,
    draw=draw_calibration,
    why="Published: SPANSEQGEN with question disambiguation over all of Wikipedia, trained (Min et al. 2020, "
    "Tables 3 and 4).",
)
