"""Disambig-F1 with the reader that ships with expound: people, the question itself, and systems' stored answers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from expound.datasets.fields import WRONG, text
from expound.datasets.spec import open_dataset
from expound.errors import BadInput
from expound.experiment import Report
from expound.models.readers import open_reader
from expound.recipes.findings import Finding, Row, Values, numbers_of
from expound.recipes.intervals import share_reached
from expound.recipes.pictures import figure, save
from expound.recipes.printing import measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.records import read_lines
from expound.resource_table import PUNKT, TOKENIZER
from expound.score.results import Scorer
from expound.stats.correlation import spearman
from expound.types import Answer, MetricResult, Prediction, Question

METRICS = ("Length()", "StrEm()", "QaAnswer(kind='f1')", "Dr()")
PEOPLE = "people"
_TIMES = 8  # as often as the paper repeats the question
_REPEATED = f"the question, {_TIMES} times"
_CORRELATIONS = "Disambig-F1 with STR-EM"


class StoredAnswers:
    """Everybody's answers to the questions, and what the reader makes of them: read when first asked for."""

    def __init__(self, questions: Sequence[Question], answers: Mapping[str, Sequence[Prediction]]) -> None:
        self.questions, self.answers = questions, answers
        self.systems = [name for name in answers if name not in (PEOPLE, _REPEATED)]
        self.report: Report | None = None
        self._reader = open_reader("auto")
        self._known: dict[str, Mapping[str, MetricResult]] = {}

    def results(self, name: str) -> Mapping[str, MetricResult]:
        """Every metric by its name; questions without an answer are left out."""
        if name not in self._known:
            protocol = "human" if name == PEOPLE else "standard"
            scorer = Scorer(METRICS, allow_missing=True, protocol=protocol, report=self.report, reader=self._reader)
            scores = scorer.score(self.answers[name], self.questions)
            self._known[name] = {result.metric: result for result in scores.results}
        return self._known[name]


def read_answers(given: Ingredients) -> StoredAnswers:
    """People answer with the references, the question repeats itself, systems as the file has it."""
    dataset, outputs = given.files
    questions = list(open_dataset(f"asqa:{dataset}"))
    repeated = [
        Prediction(id=item.id, question=item.text, system="question", answer=Answer(" ".join([item.text] * _TIMES)))
        for item in questions
    ]
    systems = read_outputs(outputs)
    # Missing answers are allowed, so that a file of other questions would give a table of nothing without a complaint.
    if not {item.id for answers in systems.values() for item in answers} & {item.id for item in questions}:
        raise BadInput(f"no answer of {outputs} belongs to a question of {dataset}: their ids differ")
    stored = StoredAnswers(questions, {PEOPLE: [], _REPEATED: repeated, **systems})
    stored.report = given.report
    return stored


def read_outputs(path: Path) -> dict[str, list[Prediction]]:
    """Lines of `{"id", "system", "output"}`, by system."""
    systems: dict[str, list[Prediction]] = defaultdict(list)
    for number, row in read_lines(path):
        try:
            item = Prediction(
                id=text(row["id"]), question="", system=text(row["system"]), answer=Answer(text(row["output"]))
            )
        except WRONG as error:
            raise BadInput(f"{path}, line {number}: no line of id, system and output") from error
        systems[item.system].append(item)
    return systems


def rows_of(data: StoredAnswers) -> list[Row]:
    """A row a system of the file, and last how the metrics agree."""
    return [*(Row(name, how=name) for name in data.systems), Row(_CORRELATIONS, how=_CORRELATIONS)]


def run_answers(data: StoredAnswers, row: Row) -> Values:
    """Every metric of a row, and the share of people's score that it reaches on the very questions it answers."""
    if row.how == _CORRELATIONS:
        return {"qa_f1": _correlations(list(map(data.results, data.systems)))}
    results = data.results(row.how)
    f1, people = results["qa_f1"], data.results(PEOPLE)["qa_f1"].per_question
    # On the very questions that it answers: a system that skips the hard ones must not be held against all of them.
    share = share_reached(list(f1.per_question.values()), [people[id] for id in f1.per_question])
    return {**results, "share": share, "n": f1.n}


def _correlations(systems: Sequence[Mapping[str, MetricResult]]) -> str:
    """Spearman's rho of Disambig-F1 and STR-EM: over all answers of systems, and over the systems."""
    each = [
        (results["qa_f1"].per_question[id], value)
        for results in systems
        for id, value in results["str_em"].per_question.items()
    ]
    values = [(results["qa_f1"].value, results["str_em"].value) for results in systems]
    return f"rho {_rho(each):.2f} over {len(each):,} answers, {_rho(values):.2f} over {len(values)} systems"


def _rho(pairs: Sequence[tuple[float, float]]) -> float:
    return spearman([one for one, _ in pairs], [other for _, other in pairs]) if len(pairs) > 1 else 0.0


def draw_shares(title: str, findings: Sequence[Finding], path: Path) -> None:
    """Disambig-F1 and STR-EM of every system as shares of people's, the best one on top."""
    exact = {name: result.value for name, result in numbers_of(findings, "str_em")}
    shares = {name: share.value for name, share in numbers_of(findings, "share") if not math.isnan(share.value)}
    systems = sorted(shares.keys() - {PEOPLE, _REPEATED}, key=lambda name: (shares[name], name))
    picture = figure(figsize=(7, 0.25 * len(systems) + 1.5), layout="constrained")
    panel = picture.subplots()
    by_words = [100 * exact[name] / exact[PEOPLE] for name in systems]
    panel.plot(by_words, systems, "s", color="#c4560c", label="STR-EM")
    panel.plot([shares[name] for name in systems], systems, "o", color="#1f6fb4", label="Disambig-F1")
    panel.set_xlim(left=0)
    panel.set_xlabel("% of what people reach by the same metric")
    panel.grid(axis="x", color="#d9dce1")
    panel.legend(loc="lower left")
    save(picture, path)


RECIPE = Recipe(
    resources=(TOKENIZER, PUNKT),
    name="reader-calibration",
    title="Disambig-F1 with expound's reader",
    files=("ASQA dev", "system outputs"),
    # With RoBERTa-large (Stelmakh et al. 2022, Table 3).
    rows=(
        Row(PEOPLE, {"qa_f1": 77.4, "dr": 61.8}, PEOPLE),
        Row(_REPEATED, {"qa_f1": 0.2, "dr": 1.8}, _REPEATED),
    ),
    prepare=read_answers,
    more_rows=rows_of,
    run_row=run_answers,
    tables=table_of(
        name_column("answers of"),
        measured_column("words", "length"),
        measured_column("STR-EM", "str_em"),
        published_column("Disambig-F1 published", "qa_f1"),
        measured_column("measured", "qa_f1"),
        measured_column("% of people's", "share", digits=0),
        measured_column("DR", "dr"),
        measured_column("n"),
    ),
    draw=draw_shares,
    why="Published: RoBERTa-large trained on SQuAD 2.0. Numbers of different readers are not the same metric: "
    "compare shares of people's score.",
)
