"""An analysis as a page to read: one file, nothing loaded, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from expound.agreement.analysis import Analysis, AnalysisSection
from expound.agreement.criterion import Choices, Values
from expound.agreement.disagreement import Disagreement
from expound.agreement.forest import forest
from expound.agreement.page_tables import (
    agreement_table,
    cohen_table,
    label_table,
    pace_table,
    pair_table,
    percentage_table,
    rater_table,
    shown,
    span_pair_table,
    span_table,
    vote_table,
)
from expound.pages.html import Html, escape, page, tag
from expound.pages.parts import fold, heading, paragraph, put_label, say_count
from expound.stats.bradley_terry import Strengths
from expound.stats.interim import Look
from expound.stats.p_values import told_p

# More than anybody reads on a page. A round figure: the page says how many there are in all.
_MOST_DISAGREEMENTS = 200


def analysis_page(analysis: Analysis) -> str:
    """The whole page."""
    title = f"Study {', '.join(analysis.studies)}"
    body = [
        heading(1, title),
        paragraph(_summary(analysis.overall), faint=True),
        paragraph(
            f"Form: {', '.join(analysis.forms)}. Brackets hold intervals of 95 %; – is what cannot be computed. "
            f"Bootstrap: {analysis.samples} resamples of items, seed {analysis.seed}. expound {analysis.version}.",
            faint=True,
        ),
        *_look(analysis.look),
        # Only here: looks are counted in planned judgments of the whole study, not of a domain.
        *_section(analysis.overall, level=2, look=analysis.look),
        *_domains(analysis),
    ]
    return page(title, body)


def _summary(section: AnalysisSection) -> str:
    return (
        f"{say_count(section.judgments, 'judgment')} of {say_count(section.items, 'item')} "
        f"({say_count(section.questions, 'question')}) by {say_count(len(section.raters), 'rater')}."
    )


def _look(look: Look | None) -> Iterator[Html]:
    """What p-values have to be compared with, where the results were looked at before, or are before their end."""
    # One look at the end is the test that everybody knows, and needs no correction.
    if look is None or (look.number == 1 and look.fraction >= 1):
        return
    yield paragraph(
        f"Look {look.number} at this study, at {look.fraction:.0%} of the planned judgments. For {look.overall:.0%} "
        f"over all looks a p-value must be below {look.level:.4f} now: what the spending function of O'Brien-Fleming's "
        "kind has spent since the look before (Lan and DeMets 1983; looks are added up, which is on the safe side). "
        f"“p (looks)” is p (Holm) corrected by that: compare it with {look.overall:g}."
    )


def _domains(analysis: Analysis) -> Iterator[Html]:
    if not analysis.domains:
        return
    yield heading(2, "By domain")
    for one in analysis.domain_means:
        over = say_count(one.domains, "domain")
        yield paragraph(f"{one.criterion}: {one.a} against {one.b}, plain mean of {over}: {one.share:.3f}")
    for name, section in analysis.domains.items():
        # They stand under the whole study already; repeated for each domain they would be half of the page.
        parts = _section(section, level=3, has_disagreements=False)
        yield fold(name or "no domain", [paragraph(_summary(section), faint=True), *parts])


def _section(
    section: AnalysisSection, *, level: int, has_disagreements: bool = True, look: Look | None = None
) -> Iterator[Html]:
    if section.percentages:
        yield heading(level, "Percentages")
        yield paragraph("Points of comparisons (1 for a win, 1/2 for a tie), or the share of yes and of ticked boxes.")
        yield percentage_table(section.percentages)
    for compared in section.choices:
        yield heading(level, f"Preference: {compared.criterion}")
        yield from _open(section, compared.criterion)
        yield from _choices(compared, look)
        yield from _disagreements(compared.disagreements if has_disagreements else ())
    for judged in section.values:
        yield heading(level, f"Values: {judged.criterion}")
        yield from _open(section, judged.criterion)
        yield from _values(judged)
        yield from _disagreements(judged.disagreements if has_disagreements else ())
    for marked in section.spans:
        yield heading(level, f"Marked words: {marked.criterion}")
        yield paragraph(
            f"{say_count(marked.answers, 'answer')} with {say_count(marked.words, 'word')}, seen by two raters or more."
        )
        yield span_table(marked)
        if marked.pairs:
            yield fold("Every two raters", [span_pair_table(marked.pairs)])
    if section.pace:
        yield heading(level, "Time")
        yield pace_table(section.pace, section.pace_by_rater)


def _open(section: AnalysisSection, criterion: str) -> Iterator[Html]:
    if count := section.left_open[criterion]:
        yield paragraph(f"Left open: {count}.")


def _choices(found: Choices, look: Look | None) -> Iterator[Html]:
    yield pair_table(found.pairs, look)
    yield vote_table(found.pairs)
    yield forest("Share of the first system", {f"{pair.a} / {pair.b}": pair.share for pair in found.pairs})
    if found.strengths:
        yield from _strengths("Bradley-Terry", found.strengths)
    by_pair = {f"only {name}": one for name, one in found.agreement_by_pair.items()}
    yield agreement_table({"answers as listed": found.agreement, "systems": found.agreement_by_system, **by_pair})
    if found.agreement.cohen:
        yield fold("Every two raters", [cohen_table(found.agreement.cohen)])
    yield rater_table(found.raters)
    yield from _biases(found)


def _biases(found: Choices) -> Iterator[Html]:
    """Sides and lengths, where there was something to prefer."""
    if found.sides.left.n:
        yield paragraph(f"The left answer was preferred in {shown(found.sides.left)}, {told_p(found.sides.p_value)}.")
    if found.lengths and found.lengths.items.n:
        yield paragraph(
            f"The longer answer was preferred in {shown(found.lengths.items)} of items by majority, "
            f"{told_p(found.lengths.p_value)}, and in {shown(found.lengths.judgments)} of judgments."
        )


def _strengths(model: str, found: Strengths) -> Iterator[Html]:
    yield forest(f"{model} strength", found.figures)
    if len(found.groups) > 1:
        groups = "; ".join(", ".join(group) for group in found.groups)
        yield paragraph(f"Nothing connects these groups of systems, compare only within one: {groups}.")
    if found.smoothed:
        yield paragraph("Some system never lost, so one tie was added to every pair that was compared.")


def _values(found: Values) -> Iterator[Html]:
    yield label_table(found.systems)
    # Judgments of a pair or of a question name no system.
    yield forest("Mean", {one.system or "all": one.mean for one in found.systems})
    if found.strengths:
        yield from _strengths("Plackett-Luce", found.strengths)
    if found.f1_answer:
        yield paragraph(f"F1 answer between writers: {shown(found.f1_answer, digits=1)}.")
    tables = {"values": found.agreement, **({"collapsed": found.collapsed} if found.collapsed else {})}
    yield agreement_table(tables)
    if found.agreement.cohen:
        yield fold("Every two raters", [cohen_table(found.agreement.cohen)])
    yield rater_table(found.raters)


def _disagreements(found: Sequence[Disagreement]) -> Iterator[Html]:
    if found:
        cut = f", the first {_MOST_DISAGREEMENTS}" if len(found) > _MOST_DISAGREEMENTS else ""
        yield fold(
            f"Disagreements: {say_count(len(found), 'item')}{cut}", map(_disagreement, found[:_MOST_DISAGREEMENTS])
        )


def _disagreement(one: Disagreement) -> Html:
    title = " · ".join(part for part in (one.item, one.question_id, one.domain, " / ".join(one.systems)) if part)
    said = (put_label(f"{each.rater}: {each.label}", escape(each.comment)) for each in one.said)
    return tag("div", tag("p", tag("strong", escape(title))), *said)
