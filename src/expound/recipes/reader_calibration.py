"""Disambig-F1 with the reader that ships with expound: people, the question itself, and systems' stored answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from expound.datasets.reading import text
from expound.datasets.spec import open_dataset
from expound.errors import BadInput
from expound.experiment import Report
from expound.models.readers import open_reader
from expound.protocols import Reader
from expound.recipes.control_table import ControlTable, Rows
from expound.recipes.dataset_plot import figure, save
from expound.records import read_lines
from expound.score.results import Scorer
from expound.stats.correlation import spearman
from expound.types import Answer, MetricResult, Prediction, Question

_METRICS = ("Length()", "StrEm()", "QaAnswer(kind='f1')", "Dr()")
_TIMES = 8
# With RoBERTa-large (Stelmakh et al. 2022, Table 3): Disambig-F1, DR.
_PUBLISHED = {"people": (77.4, 61.8), f"the question, {_TIMES} times": (0.2, 1.8)}


def read_outputs(path: Path) -> dict[str, list[Prediction]]:
    """Lines of `{"id", "system", "output"}`, by system."""

    systems: dict[str, list[Prediction]] = defaultdict(list)
    for number, row in read_lines(path):
        try:
            item = Prediction(text(row["id"]), "", text(row["system"]), Answer(text(row["output"])))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"{path}, line {number}: no line of id, system and output") from error
        systems[item.system].append(item)
    return systems


def rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """A row a system, with the share of people's score that it reaches."""
    questions = list(open_dataset(f"asqa:{files[0]}"))
    reader = open_reader("auto")
    repeated = [
        Prediction(item.id, item.text, "question", Answer(" ".join([item.text] * _TIMES))) for item in questions
    ]
    found = {
        "people": measured([], questions, reader, report, protocol="human"),
        f"the question, {_TIMES} times": measured(repeated, questions, reader, report),
    }
    for system, answers in read_outputs(files[1]).items():
        found[system] = measured(answers, questions, reader, report)
    columns = ["answers of", "words", "STR-EM", "Disambig-F1 published", "measured", "% of people's", "DR", "n"]
    people = found["people"]["qa_f1"].per_question
    return columns, [*(_row(name, results, people) for name, results in found.items()), _correlations(found)]


def measured(
    answers: Sequence[Prediction],
    questions: Sequence[Question],
    reader: Reader | None,
    report: Report | None,
    *,
    protocol: str = "standard",
) -> dict[str, MetricResult]:
    """Every metric by its name; questions without an answer are left out."""
    scorer = Scorer(_METRICS, allow_missing=True, protocol=protocol, report=report, reader=reader)
    return {result.metric: result for result in scorer.score(answers, questions).results}


def _row(name: str, results: Mapping[str, MetricResult], people: Mapping[str, float]) -> list[object]:
    f1 = results["qa_f1"]
    # People's score on the very questions that the system answered.
    reached = [people[id] for id in f1.per_question]
    published = _PUBLISHED.get(name, ("",))[0]
    interval = f"{f1.value:.1f} ({f1.low:.1f}–{f1.high:.1f})"
    share = round(100 * f1.value * len(reached) / sum(reached)) if any(reached) else ""
    return [
        name, round(results["length"].value, 1), round(results["str_em"].value, 1), published, interval, share,
        round(results["dr"].value, 1), f1.n,
    ]  # fmt: skip


def _correlations(found: Mapping[str, Mapping[str, MetricResult]]) -> list[object]:
    """Spearman's rho of Disambig-F1 and STR-EM: over all answers of systems, and over the systems."""
    systems = [results for name, results in found.items() if name not in _PUBLISHED]
    each = [
        (results["qa_f1"].per_question[id], value)
        for results in systems
        for id, value in results["str_em"].per_question.items()
    ]
    by_answer = spearman([f1 for f1, _ in each], [value for _, value in each]) if len(each) > 1 else 0.0
    values = [(results["qa_f1"].value, results["str_em"].value) for results in systems]
    by_system = spearman([f1 for f1, _ in values], [value for _, value in values]) if len(values) > 1 else 0.0
    note = f"rho {by_answer:.2f} over {len(each):,} answers, {by_system:.2f} over {len(values)} systems"
    return ["Disambig-F1 with STR-EM", "", "", "", note, "", "", ""]


def draw(table: Rows, path: Path) -> None:
    """Disambig-F1 and STR-EM of every system as shares of people's, the best one on top."""
    columns, rows = table
    exact, share = columns.index("STR-EM"), columns.index("% of people's")
    people = next(row for row in rows if row[0] == "people")
    systems = [row for row in rows if row[0] not in _PUBLISHED and row[share] != ""]
    systems.sort(key=lambda row: float(str(row[share])))
    names = [str(row[0]) for row in systems]
    picture = figure(figsize=(7, 0.25 * len(names) + 1.5), layout="constrained")
    panel = picture.subplots()
    panel.plot([_share(row[exact], people[exact]) for row in systems], names, "s", color="#c4560c", label="STR-EM")
    panel.plot([float(str(row[share])) for row in systems], names, "o", color="#1f6fb4", label="Disambig-F1")
    panel.set_xlim(left=0)
    panel.set_xlabel("% of what people reach by the same metric")
    panel.grid(axis="x", color="#d9dce1")
    panel.legend(loc="lower left")
    save(picture, path)


def _share(value: object, whole: object) -> float:
    return 100 * float(str(value)) / float(str(whole))


RECIPE = ControlTable(
    "reader-calibration",
    "Disambig-F1 with expound's reader",
    ("ASQA dev", "system outputs"),
    rows,
    "Published: RoBERTa-large trained on SQuAD 2.0. Numbers of different readers are not the same metric: "
    "compare shares of people's score.",
    draw,
)
