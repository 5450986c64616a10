"""The audit as a page: the verdicts first, each a link to its evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from expound.audit.checks import CHECKS
from expound.audit.section import Section, ShownExample, ShownTable
from expound.audit.verdict import CANNOT_TELL, FAIL, NOT_RUN, PASS, Verdict
from expound.pages.html import Html, join_html, page
from expound.pages.parts import fold, heading, marked_text, paragraph, put_label, table, verdict_list
from expound.pages.plots import plot

_ORDER = (FAIL, CANNOT_TELL, PASS, NOT_RUN)


def audit_page(about: Mapping[str, object], sections: Sequence[Section]) -> str:
    """The whole page as text."""
    title = f"Audit of {about.get('system') or 'predictions'}"
    body = [heading(1, title), *_about(about), _verdicts(sections), *map(_section, sections), _rule()]
    return page(title, body)


def _about(about: Mapping[str, object]) -> list[Html]:
    dataset, metric = about.get("dataset") or "a dataset", about.get("metric") or "no metric"
    parts = [paragraph(f"{about.get('questions')} questions of {dataset}, judged by {metric}.")]
    return [*parts, paragraph(str(about["signature"]), faint=True)] if about.get("signature") else parts


def _verdicts(sections: Sequence[Section]) -> Html:
    """What to read first: the failures of all controls, then of every other control the verdict that says most."""
    counts = Counter(verdict.outcome for section in sections for verdict in section.verdicts)
    summary = ", ".join(f"{counts[outcome]} {outcome}" for outcome in _ORDER if counts[outcome])
    items = [
        (item.outcome, section.name, _tell_sentence(item, section), section.name)
        for section in sections
        for item in headline(section)
    ]
    items.sort(key=lambda item: _ORDER.index(item[0]))
    return join_html([paragraph(f"{sum(counts.values())} checks: {summary}."), verdict_list(items)])


def headline(section: Section) -> list[Verdict]:
    """The failures of a control; without any, its first verdict of the gravest outcome."""
    ranked = gravest_first(section.verdicts)
    failed = [verdict for verdict in ranked if verdict.outcome == FAIL]
    return failed or ranked[:1]


def gravest_first(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Failures, what cannot be told, passes, and what was not run; within these as they come."""
    return sorted(verdicts, key=lambda verdict: _ORDER.index(verdict.outcome))


def _tell_sentence(verdict: Verdict, section: Section) -> str:
    """The sentence, and how many other checks of the control ended the same way where only one is shown."""
    same = sum(item.outcome == verdict.outcome for item in section.verdicts) - 1
    return (
        f"{verdict.sentence} {same} more: {verdict.outcome}." if same and verdict.outcome != FAIL else verdict.sentence
    )


def _section(section: Section) -> Html:
    own = [(verdict.outcome, verdict.about, verdict.sentence, "") for verdict in gravest_first(section.verdicts)]
    parts = [heading(2, section.title, section.name), verdict_list(own)]
    parts += [paragraph(note, faint=True) for note in section.notes]
    parts += [part for item in section.tables for part in _table(item)]
    parts += [
        plot(item.title, item.x, item.y, item.series, is_line=item.is_line, note=item.note) for item in section.plots
    ]
    if section.examples:
        parts += [heading(3, "To read", f"{section.name}-examples"), *map(_example, section.examples)]
    return join_html(parts)


def _table(item: ShownTable) -> list[Html]:
    parts = [heading(3, item.title), table(item.columns, item.rows)]
    return [*parts, paragraph(item.note, faint=True)] if item.note else parts


def _example(example: ShownExample) -> Html:
    return fold(example.title, (put_label(label, marked_text(runs)) for label, runs in example.parts))


def _rule() -> Html:
    """How verdicts are made, with every margin."""
    rows = [
        (check.name, check.about, check.measure, check.wrong, f"{check.margin:g} {check.unit}".strip())
        for check in CHECKS.values()
    ]
    text = (
        "A check fails when its whole 95 % interval lies on the wrong side of its margin, passes when it lies on the "
        "right side, and cannot tell otherwise. docs/audit.md says why the margins stand where they do, and what was "
        "changed after the first runs. Of checks right at their margin, one in forty fails by chance."
    )
    return join_html(
        [
            heading(2, "The rule", "rule"),
            paragraph(text),
            table(("check", "about", "measure", "wrong side", "margin"), rows),
        ]
    )
