"""Table 11 of Xu et al. 2023: a text model as a judge, on the pairs on which all experts of a domain agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from expound.errors import UserError
from expound.judge.court import JudgeReport, hold_court
from expound.judge.judge_checks import FEWEST
from expound.judge.judge_items import JudgeItem, words_of
from expound.judge.judge_request import JudgeRequest
from expound.judge.rulings import Ruling
from expound.models.text import choose_model
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.printing import Column, count_column, measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.stats.proportions import Figure, share

# No more than an audit needs to say anything: each takes twelve calls to a model that may be slow.
_PROBES = FEWEST
_ALL, _LONGER = "all", "longer"
_OVERALL = "overall"
_NO_MODEL = "needs a text model: name one with --model"
# Pairs, consistency and accuracy in percent, of text-davinci-003.
_PUBLISHED = {"Biology": (11, 100, 82), "Physics": (13, 100, 62), "Economics": (12, 92, 83), "History": (13, 100, 100)}


@dataclass(frozen=True)
class AgreedPairs:
    """The pairs on which all experts agree, without the examples; and what a judge said of them, if one was asked."""

    items: Sequence[JudgeItem]
    found: JudgeReport | None


def judge_agreed(given: Ingredients) -> AgreedPairs:
    """Ask the model in the layout of the paper; two pairs of each domain are its examples."""
    request = JudgeRequest(
        judge="TwoShot(examples=2)", people=f"xu2023:{given.files[0]}", agreed=True, limit=given.limit, probes=_PROBES
    )
    # Without one the pairs are still read: the row of the longer answer needs no model.
    model = choose_model(given.model)
    found = hold_court(request, model, report=given.report) if model else None
    return AgreedPairs(request.items, found)


def run_domain(pairs: AgreedPairs, row: Row) -> Values:
    """Consistency and accuracy in percent, of one domain or of all."""
    if row.how == _LONGER:
        return {"accuracy": _percent([_longer_is_right(item) for item in pairs.items])}
    if pairs.found is None:
        raise UserError(_NO_MODEL)
    chosen = [one for one in pairs.found.decisions if row.how in (_ALL, one.item.domain)]
    return {
        "consistency": _percent([_is_consistent(one) for one in chosen]),
        "accuracy": _percent([_is_right(one) for one in chosen]),
        "judge": pairs.found.verdict,
    }


def _is_consistent(one: Ruling) -> bool:
    # Consistent in every order that was asked, and readable: three empty replies agree in nothing.
    return all(len(set(heard.values)) == 1 and None not in heard.values for heard in one.heard)


def _is_right(one: Ruling) -> bool:
    """As in the paper: a judge that cannot be read, or has no majority, is not right."""
    return one.value == one.item.preferred(_OVERALL)


def _longer_is_right(item: JudgeItem) -> float:
    a, b = map(words_of, item.sides)
    # A coin, where counting words has nothing to say: left out, the baseline would have fewer pairs than the judge.
    return 0.5 if a == b else float(("a" if a > b else "b") == item.preferred(_OVERALL))


def _percent(points: Sequence[float]) -> Figure:
    return in_percent(share(sum(points), len(points)))


def _domain(name: str, pairs: int, consistency: float, accuracy: float) -> Row:
    published = {"pairs": pairs, "consistency": consistency, "accuracy": accuracy}
    return Row(name, published, name, "published for text-davinci-003, of a service that is closed")


RECIPE = Recipe(
    name="critical-table11",
    title="Xu et al. 2023, Table 11: a judge with two examples, where all experts agree",
    files=("the experts' judgments (layout xu2023)",),
    rows=(
        *(_domain(name, *published) for name, published in _PUBLISHED.items()),
        Row("all four domains", how=_ALL, why="not in the paper"),
        Row("the longer answer", how=_LONGER, why="not in the paper: what counting words gets on the same pairs"),
    ),
    prepare=judge_agreed,
    run_row=run_domain,
    tables=table_of(
        name_column("domain"),
        published_column("pairs published", "pairs"),
        replace(count_column("accuracy"), heading="pairs"),
        published_column("consistency published, %", "consistency"),
        measured_column("consistency, %", "consistency"),
        published_column("accuracy published, %", "accuracy"),
        measured_column("accuracy, %", "accuracy"),
        Column("the judge", lambda finding: finding.values.get("judge", "")),
        Column("note", lambda finding: finding.row.why),
    ),
    why="The paper judged 49 pairs of all 260 judgments. Here are those of the file that several experts of one domain "
    "judged, all alike (28 in half of the judgments: 8 of Economics, 7 of Biology, 7 of History, 6 of Physics), "
    "without two of each domain that are the examples. A reply that cannot be read is wrong. The last column is the "
    "audit of the judge, over all domains.",
)
