"""Figure 3 of Xu et al. 2023: on how many pairs do two metrics prefer the same answer?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from expound.errors import UserError
from expound.meta.alike import alike
from expound.meta.evaluation import LENGTH, meta
from expound.meta.judged import People, read_people
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.shape import Ingredients, Recipe
from expound.resource_table import PUNKT

if TYPE_CHECKING:
    from expound.protocols import Numbers

_METRICS = {
    "ROUGE-L": "Rouge(kind='l')",
    "Self-BLEU": "SelfBleu(order=5, splitter='punkt')",
    "distinct words": "DistinctN(n=1)",
    "BERTScore by MiniLM": "MiniLmBertScore()",
    "similarity by MiniLM": "Similarity()",
    "perplexity by SmolLM2, lower is better": "-ModelPerplexity()",
    "question likelihood by SmolLM2": "QuestionLikelihood()",
    "Length": LENGTH,
}
# A second an answer: half an hour for the thousand answers of QA-Feedback, which stands in.
_EXPERTS_ALONE = ("-ModelPerplexity()", "QuestionLikelihood()")
_WITH_REFERENCES = ("Rouge(kind='l')", "MiniLmBertScore()")
_NO_PAIR = "no pair has both: the experts' file has no references, and SmolLM2 is asked of the experts' pairs alone"
_EXPERTS = "xu2023"


@dataclass(frozen=True)
class Leaning:
    """A source with what some metrics prefer in it."""

    people: People
    leans: dict[str, Numbers]


class Leanings:
    """What each metric prefers in each file, asked when a row first needs it: one that lacks weights is told there."""

    def __init__(self, given: Ingredients) -> None:
        self._people = read_people([f"{_EXPERTS}:{given.files[0]}", f"qa-feedback:{given.files[1]}"])
        self._report = given.report
        self._known: dict[tuple[str, str], Numbers] = {}

    def of(self, metrics: tuple[str, ...]) -> list[Leaning]:
        """The sources on which all of the metrics were asked."""
        is_of_experts = any(spec in _EXPERTS_ALONE for spec in metrics)
        people = [one for one in self._people if one.source == _EXPERTS or not is_of_experts]
        return [Leaning(one, {spec: self._ask(spec, one) for spec in metrics}) for one in people]

    def _ask(self, spec: str, people: People) -> Numbers:
        key = spec, people.source
        if key not in self._known:
            # Length is in every meta-evaluation, and is called by its name there.
            [judged] = meta([people], ["Length()" if spec == LENGTH else spec], report=self._report).sources
            self._known[key] = judged.leans[spec]
        return self._known[key]


def run_two(found: Leanings, row: Row) -> Values:
    """The share of pairs that two metrics rank alike, in percent."""
    one, other = specs = tuple(_METRICS[name] for name in row.how)
    # Before anything is asked: of the experts' pairs, a model's minutes would be for nothing.
    if set(specs) & set(_WITH_REFERENCES) and set(specs) & set(_EXPERTS_ALONE):
        raise UserError(_NO_PAIR)
    figure = alike(found.of(specs)).figure(one, other)
    return {"alike": in_percent(figure)} if figure.n else {}


RECIPE = Recipe(
    name="critical-figure3",
    title="Xu et al. 2023, Figure 3: pairs that two metrics rank alike, in percent",
    files=("the experts' judgments (layout xu2023)", "QA-Feedback's preferences"),
    resources=(PUNKT,),
    rows=(
        Row(
            "ROUGE and BERTScore",
            {"alike": 63.0},
            why="BERTScore needs RoBERTa's weights, which are not among the resources",
        ),
        *(
            Row(f"{one} and {other}", how=(one, other), why="the figure prints no number in the text")
            for one, other in combinations(_METRICS, 2)
        ),
    ),
    prepare=Leanings,
    run_row=run_two,
    why="Published for the pairs of WebGPT, Hurdles and the experts; of these only the experts' can be had, and "
    "QA-Feedback stands in, but for SmolLM2's metrics, which would take half an hour there. Where one metric has no "
    "preference, a pair counts half. In the intervals a question with several pairs counts as one. As a picture: "
    "expound meta --html.",
)
