"""Table 4 of Xu et al. 2023, its Expert column: which metrics prefer what domain experts prefer?"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

from expound.errors import UserError
from expound.judge.court import hold_court
from expound.judge.judge_request import JudgeRequest
from expound.judge.judged_files import write_judged
from expound.meta.evaluation import BASELINES, HUMAN, LENGTH, RANDOM, Meta, meta
from expound.meta.judged import People, read_people
from expound.meta.meta_rows import ACCURACY, COST, DIFFERENCE, MetaRow
from expound.models.text import choose_model
from expound.recipes.findings import Finding, Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.printing import Column, count_column, measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.resource_table import PUNKT
from expound.score.cost import COST_HEADING, show_cost
from expound.score.judged_metric import JudgedBy
from expound.stats.clusters import clustered_share, group_numbers
from expound.stats.proportions import Figure

EXPERTS, WITH_REFERENCES, RAGCHECKER = _LAYOUTS = ("xu2023", "qa-feedback", "ragchecker")
_SELF_BLEU = "-SelfBleu(order=5, splitter='punkt')"
_ROUGE = "Rouge(kind='l')"
_STANDS_IN = "{} stands in: pairs of model answers, with a reference"
_NO_FILE = "needs judgments in the layout {}: name their file behind the others"
_DIRECTION = "the paper does not say which way; with higher taken for better it is what this lacks to 100"
_AGREEMENT = "experts with each other"
_BEST = "the best of the baselines"
_CHOOSER = "a text model that names the better one"
# As it was fine-tuned: the pair alone, in the words of the rows, and always the likeliest reply.
_CHOOSES = "TwoShot(examples=0, samples=1, temperature=0)"
_NO_CHOOSER = "needs a writer that was trained on `expound train choice-rows`: name it with --model"
_REFERENCES = "needs references: the released experts' file has none"
_EVIDENCE = "needs evidence documents: the released experts' file has none"
_WEIGHTS = "needs {} weights, which are not among the resources"
_SMALL = "SmolLM2-135M in the place of {}"
_OTHER_COUNT = "words between spaces here, Stanza's tokens there"


class Judgments:
    """The experts' pairs, and those of a file that has references; metrics are asked when their row comes."""

    def __init__(self, given: Ingredients) -> None:
        self.people = {one.source: one for one in read_people(_specs(given))}
        self._experts, self._model = _specs(given)[0], given.model
        self._report, self._known = given.report, dict[tuple[str, str], Meta]()

    def best_baseline(self, source: str) -> MetaRow | None:
        """The baseline with the highest accuracy on a source."""
        return self._ask_people("Length()", source).best_baseline(source)

    def by_measure(self, metric: str, source: str) -> dict[str, MetaRow]:
        """The rows of a metric on the whole of a source, by their measure."""
        # Baselines stand beside any metric; Length is the cheapest.
        spec = "Length()" if metric in BASELINES else metric
        found = self._ask_people(spec, source)
        return {row.measure: row for row in found.rows if (row.metric, row.setting) == (metric, "all")}

    def by_chooser(self) -> dict[str, MetaRow]:
        """The same of what a fine-tuned text model says of the experts' pairs."""
        model = choose_model(self._model)
        if model is None:
            raise UserError(_NO_CHOOSER)
        request = JudgeRequest(judge=_CHOOSES, people=self._experts, probes=0)
        found = hold_court(request, model, report=self._report)
        with tempfile.TemporaryDirectory() as folder:
            judged = Path(folder) / "judged.jsonl"
            write_judged(found, request, judged, spent={})
            metric = JudgedBy(str(judged))
            asked = meta([self.people[EXPERTS]], [metric])
        return {row.measure: row for row in asked.rows if (row.metric, row.setting) == (repr(metric), "all")}

    def _ask_people(self, spec: str, source: str) -> Meta:
        if source not in self.people:
            raise UserError(_NO_FILE.format(source))
        # Rows share metrics: Length stands beside all of them, and a model's perplexity takes minutes.
        if (spec, source) not in self._known:
            self._known[spec, source] = meta([self.people[source]], [spec], report=self._report)
        return self._known[spec, source]


def _specs(given: Ingredients) -> list[str]:
    return [f"{layout}:{file}" for layout, file in zip(_LAYOUTS, given.files, strict=False)]


def run_metric(judgments: Judgments, row: Row) -> Values:
    """Accuracy in percent, what it is less that of Length, and what a thousand answers cost."""
    metric, source = row.how if isinstance(row.how, tuple) else (row.how, EXPERTS)
    if metric == _AGREEMENT:
        return {"accuracy": in_percent(_agreement(judgments.people[source]))}
    if metric == _BEST:
        best = judgments.best_baseline(source)
        return {"accuracy": _percent(best), "told": best.metric} if best else {}
    by_measure = judgments.by_chooser() if metric == _CHOOSER else judgments.by_measure(metric, source)
    names = {"accuracy": ACCURACY, "less Length": DIFFERENCE}
    found: dict[str, object] = {name: _percent(by_measure[it]) for name, it in names.items() if it in by_measure}
    return found | ({"CPU-seconds": by_measure[COST].value} if COST in by_measure else {})


def _percent(row: MetaRow) -> Figure:
    return in_percent(Figure(row.value, row.low, row.high, row.n))


def _agreement(people: People) -> Figure:
    """How often two experts who judged one pair agree; every two of them count once."""
    import numpy as np

    points, questions = list[float](), list[str]()
    for pair in people.pairs:
        # Pairs of people within a vote: five who agree are ten agreements, as agreement between raters is counted.
        same = sum(math.comb(count, 2) for count in pair.votes.values())
        both = math.comb(sum(pair.votes.values()), 2)
        points += [1.0] * same + [0.0] * (both - same)
        questions += [pair.a.question.id] * both
    # Three experts make three such pairs of one vote: these are not three votes.
    return clustered_share(np.array(points), group_numbers(questions))


def _price(finding: Finding) -> str:
    spent = finding.values.get("CPU-seconds")
    return show_cost(spent) if isinstance(spent, float) else ""


def _note(finding: Finding) -> object:
    return finding.values.get("told", finding.row.why)


def _name_published(accuracy: float) -> dict[str, float | str]:
    return {"accuracy": accuracy}


def _reference_rows(name: str, source: str) -> Iterator[Row]:
    """What looks at references, beside the baselines, on judgments that have some."""
    metrics = {
        "Length": LENGTH,
        "best baseline": _BEST,
        "ROUGE-L": _ROUGE,
        "BERTScore by MiniLM": "MiniLmBertScore()",
        "similarity by MiniLM": "Similarity()",
        "Self-BLEU, lower is better": _SELF_BLEU,
    }
    return (
        Row(f"{metric}, {name}", how=(spec, source), why=_STANDS_IN.format(name)) for metric, spec in metrics.items()
    )


RECIPE = Recipe(
    name="critical-table4",
    title="Xu et al. 2023, Table 4: accuracy of metrics on the experts' preferences",
    files=("the experts' judgments (layout xu2023)", "QA-Feedback's preferences"),
    more_files=("RAGChecker's judgments (layout ragchecker)",),
    resources=(PUNKT,),
    rows=(
        Row("Random", _name_published(50.0), RANDOM),
        Row("Always Human", {"accuracy": "–"}, HUMAN, "half a point between two people's answers"),
        Row("Length", _name_published(68.0), LENGTH, _OTHER_COUNT),
        Row("best baseline", _name_published(68.0), _BEST),
        Row("ROUGE", _name_published(58.0), why=_REFERENCES),
        Row("BERTScore", _name_published(57.0), why=_REFERENCES),
        Row("BLEURT", _name_published(62.0), why=_REFERENCES),
        Row("Self-BLEU, lower is better", _name_published(36.0), _SELF_BLEU, _DIRECTION),
        Row("GPT-2 perplexity", _name_published(60.0), why=_WEIGHTS.format("GPT-2's")),
        Row("perplexity by SmolLM2, lower is better", how="-ModelPerplexity()", why=_SMALL.format("GPT-2")),
        Row("question likelihood", _name_published(63.0), why=_WEIGHTS.format("T0's")),
        Row("question likelihood by SmolLM2", how="QuestionLikelihood()", why=_SMALL.format("T0")),
        Row("RankGen", _name_published(60.0), why=_WEIGHTS.format("RankGen's")),
        Row("similarity by MiniLM", how="Similarity()", why="a cosine in the place of RankGen's dot product"),
        Row("BARTScore", _name_published(60.0), why=_WEIGHTS.format("BART's")),
        Row("QAFactEval", {"accuracy": "–"}, why=_EVIDENCE),
        Row("Longformer", _name_published(67.0), why="trained on WebGPT's comparisons, which cannot be had here"),
        Row("Longformer with documents", {"accuracy": "–"}, why=_EVIDENCE),
        Row("GPT-3 curie", _name_published(69.0), why="a fine-tuned model of a service that is closed"),
        Row("a text model that chooses (--model)", how=_CHOOSER, why="fine-tuned by us, in the place of GPT-3 curie"),
        Row(
            "Human",
            _name_published(80.0),
            _AGREEMENT,
            "every two experts of a pair, each once",
        ),
        *_reference_rows("QA-Feedback", WITH_REFERENCES),
        *_reference_rows("RAGChecker", RAGCHECKER),
    ),
    prepare=Judgments,
    run_row=run_metric,
    tables=table_of(
        name_column("metric"),
        published_column("published, %", "accuracy", digits=1),
        measured_column("measured, %", "accuracy"),
        measured_column("less Length", "less Length"),
        count_column("accuracy"),
        Column(COST_HEADING, _price),
        Column("note", _note),
    ),
    why="Published for 129 pairs. The columns of WebGPT and Hurdles need votes that cannot be had here.",
)
