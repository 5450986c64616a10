"""The tables of an analysis page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from expound.agreement.marked_spans import MarkedPair, SpanAgreement
from expound.agreement.pace import RaterPace
from expound.agreement.preference import AnswerPair
from expound.agreement.reliability import Agreement, RaterPair, Reliability
from expound.agreement.values import Rated
from expound.pages.html import Html
from expound.pages.parts import table
from expound.stats.interim import Look
from expound.stats.p_values import shown_p
from expound.stats.proportions import Figure

NONE = "–"


def shown(figure: Figure, *, digits: int = 2) -> str:
    """A figure with its interval."""
    if math.isnan(figure.value):
        return NONE
    if math.isnan(figure.low):
        return f"{figure.value:.{digits}f}"
    return f"{figure.value:.{digits}f} [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"


def pair_table(pairs: Sequence[AnswerPair], look: Look | None = None) -> Html:
    """What to trust, in a table that fits the page: the test over items stands beside the share."""
    columns = ["first", "second", "judgments", "items", "share of the first", "p (items)", "p (Holm)"]
    rows = [
        [one.a, one.b, one.judgments, one.items, shown(one.share), shown_p(one.p_items), shown_p(one.p_holm),
         *([shown_p(look.correct(one.p_holm))] if look else [])]
        for one in pairs
    ]  # fmt: skip
    return table([*columns, *(["p (looks)"] if look else [])], rows)


def vote_table(pairs: Sequence[AnswerPair]) -> Html:
    """The judgments behind it, with the test that takes several raters of one item for independent."""
    columns = ["first", "second", "prefer first", "tie", "prefer second", "p (judgments)"]
    rows = [
        [one.a, one.b, shown(one.a_wins), shown(one.ties), shown(one.b_wins), shown_p(one.p_judgments)] for one in pairs
    ]
    return table(columns, rows)


def percentage_table(percentages: Mapping[str, Mapping[str, Figure]]) -> Html:
    columns = list(dict.fromkeys(column for row in percentages.values() for column in row))
    rows = [
        [system, *(shown(row[column], digits=1) if column in row else NONE for column in columns)]
        for system, row in percentages.items()
    ]
    return table(["system", *columns], rows)


def agreement_table(found: Mapping[str, Agreement]) -> Html:
    levels = list(dict.fromkeys(level for one in found.values() for level in one.alpha))
    columns = [
        "agreement on",
        "units",
        "unanimous",
        "split",
        "pairs that agree",
        "mean of units",
        "Fleiss κ",
        "Randolph κ",
    ]
    rows = [
        [name, one.units, one.unanimous, one.split, shown(one.pairwise), shown(one.observed), shown(one.fleiss),
         shown(one.randolph), *(shown(one.alpha[level]) if level in one.alpha else NONE for level in levels)]
        for name, one in found.items()
    ]  # fmt: skip
    return table([*columns, *(f"α {level}" for level in levels)], rows)


def cohen_table(pairs: Sequence[RaterPair]) -> Html:
    return table(["rater", "rater", "units", "Cohen κ"], [[p.one, p.other, p.kappa.n, shown(p.kappa)] for p in pairs])


def rater_table(raters: Sequence[Reliability]) -> Html:
    rows = [
        [one.rater, one.judgments, shown(one.agreement), _number(one.kappa), _number(one.alpha_without)]
        for one in raters
    ]
    return table(["rater", "judged", "agrees with others", "mean Cohen κ", "α of the others"], rows)


def label_table(systems: Sequence[Rated]) -> Html:
    labels = list(dict.fromkeys(label for one in systems for label in one.labels))
    rows = [
        [one.system or "all", one.judgments, shown(one.mean),
         *(shown(one.labels[label]) if label in one.labels else NONE for label in labels)]
        for one in systems
    ]  # fmt: skip
    return table(["system", "judgments", "mean", *labels], rows)


def span_table(found: SpanAgreement) -> Html:
    rows = [[label or "all labels together", shown(figure)] for label, figure in found.alpha.items()]
    return table(["label", "α over words"], rows)


def span_pair_table(pairs: Sequence[MarkedPair]) -> Html:
    rows = [[pair.one, pair.other, pair.answers, f"{pair.f1:.2f}"] for pair in pairs]
    return table(["rater", "rater", "answers", "F1 of marked words"], rows)


def pace_table(overall: RaterPace, raters: Mapping[str, RaterPace]) -> Html:
    rows = [
        [name, one.visits, *(f"{seconds:.0f}" for seconds in (one.shortest, one.lower_quartile, one.median,
                                                              one.upper_quartile, one.longest, one.mean)),
         f"{one.total / 3600:.1f}"]
        for name, one in {"all": overall, **raters}.items()
    ]  # fmt: skip
    columns = [
        "rater",
        "visits",
        "shortest s",
        "lower quartile s",
        "median s",
        "upper quartile s",
        "longest s",
        "mean s",
    ]
    return table([*columns, "total h"], rows)


def _number(value: float) -> float | str:
    return NONE if math.isnan(value) else value
