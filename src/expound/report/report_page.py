"""A report as a page in one file: the summary needs no script; the answers are browsed with a small one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from expound.agreement.page_tables import shown
from expound.pages.html import KEYS, Html, escape, join_html, page, tag
from expound.pages.parts import fold, heading, paragraph, table, verdict_list
from expound.report.browse_data import chunks
from expound.report.report_pictures import main_metric, pictures
from expound.report.reported import JudgeSaid, PeopleSaid, Reported, domain_of
from expound.report.summary_table import (
    COMPARED,
    EVERY_NUMBER,
    how_made,
    number_rows,
    shown_interval,
    shown_value,
    summary_columns,
    summary_rows,
    told_agreement,
    told_differences,
)
from expound.stats.p_values import shown_p

_HERE = Path(__file__).parent
_GRAVEST = ("fail", "cannot tell", "pass", "not run")
# Sorting and filtering: value, what is said, whether it is there only with people's votes.
_ORDERS = (
    ("dataset", "as in the dataset", False),
    ("lost", "lost most against the other", False),
    ("low", "lowest score", False),
    ("long", "longest answer", False),
    ("unsupported", "most unsupported sentences", False),
    ("votes", "most judged by people", True),
    ("disagree", "metric and people disagree most", True),
)
_FILTERS = (
    ("all", "all questions", False),
    ("both", "answered by both", False),
    ("unsupported", "with unsupported sentences", False),
    ("checks", "that fail a check", False),
    ("empty", "without an answer", False),
    ("votes", "judged by people", True),
)


def report_page(reported: Reported) -> str:
    """The whole report in one file."""
    data = [_data(name, content) for name, content in chunks(reported).items()]
    return _page(reported, data, may_load=False)


def page_parts(reported: Reported) -> tuple[str, dict[str, str]]:
    """The page, and the files that it loads from its own folder when a question of theirs is looked at."""
    packed = chunks(reported)
    index = packed.pop("index")
    # A script and not a data file: browsers let no page that was opened from a disk read another file.
    files = {f"{name}.js": f'expoundChunk("{name}","{content}");\n' for name, content in packed.items()}
    return _page(reported, [_data("index", index)], may_load=True), files


def _page(reported: Reported, data: Sequence[Html], *, may_load: bool) -> str:
    files = (KEYS, _HERE / "browse.js", _HERE / "browse.css")
    keys, script, style = (file.read_text(encoding="utf-8") for file in files)
    title = f"{', '.join(system.name for system in reported.systems[:3])}{' …' if len(reported.systems) > 3 else ''}"
    body = [
        heading(1, f"Report: {title}"),
        paragraph(how_made(reported), faint=True),
        tag("nav", *(tag("a", escape(name.capitalize()), href=f"#{name}") for name in _sections(reported))),
        *_summary(reported),
        *_people(reported.people),
        *_judges(reported),
        heading(2, "Pictures", "pictures"),
        tag("div", *pictures(reported), class_="pictures"),
        *_numbers(reported),
        *_browse(reported),
        *data,
    ]
    return page(f"Report: {title}", body, style=style, script=f"{keys}{script}", may_load=may_load)


def _sections(reported: Reported) -> list[str]:
    told = {"people": reported.people, "judges": reported.judges}
    return ["summary", *(name for name, found in told.items() if found), "pictures", "numbers", "browse"]


def _data(name: str, content: str) -> Html:
    # Of a type that no browser runs: the script reads it as text.
    return tag("script", Html(content), type="application/gzip", id=f"data-{name}")


def _summary(reported: Reported) -> Iterator[Html]:
    yield heading(2, "Summary", "summary")
    yield _summary_table(reported)
    yield from _against(reported)
    if differences := told_differences(reported):
        yield heading(3, "Which differences are real")
        yield tag("ul", *(tag("li", escape(sentence)) for sentence in differences))
    for system in reported.systems:
        if system.verdicts:
            ranked = sorted(system.verdicts.found, key=lambda one: _GRAVEST.index(one[0]))
            failed = sum(outcome == "fail" for outcome, _, _ in ranked)
            items = [(outcome, check, sentence, "") for outcome, check, sentence in ranked]
            yield fold(f"Audit of {system.name}: {failed} of {len(ranked)} checks failed", [verdict_list(items)])


def _against(reported: Reported) -> Iterator[Html]:
    """The checks that failed, over the width of the page: in a cell they would make a row a page long."""
    failed = [
        tag("li", tag("strong", escape(f"{system.letter} {system.name}: ")), escape(sentence))
        for system in reported.systems
        for sentence in (system.verdicts.failures() if system.verdicts else ())
    ]
    if failed:
        yield heading(3, "Not believable, says the audit")
        yield tag("ul", *failed)


def _summary_table(reported: Reported) -> Html:
    """A row a system; intervals stand below their numbers, so that many metrics fit beside each other."""
    columns = summary_columns(reported)
    head = tag("tr", *(tag("th", escape(name)) for name in columns))
    rows = (tag("tr", *map(_summary_cell, columns, row)) for row in summary_rows(reported, is_brief=True))
    body = tag("table", tag("thead", head), tag("tbody", *rows), class_="summary")
    return tag("div", body, class_="scroll", tabindex="0")


def _summary_cell(column: str, text: str) -> Html:
    if column == "audit":
        return tag("td", escape(text), class_="wide")
    value, bracket, rest = text.partition(" [")
    if column == "system" or not bracket:
        return tag("td", escape(text))
    interval, _, letters = rest.partition("]")
    above = tag("sup", escape(letters.strip())) if letters.strip() else Html("")
    return tag("td", escape(value), above, tag("span", escape(f"[{interval}]"), class_="interval"))


def _people(people: PeopleSaid | None) -> Iterator[Html]:
    if people is None:
        return
    yield heading(2, "People", "people")
    told = [told_agreement(criterion, found) for criterion, found in people.agreement.items()]
    yield from (paragraph(sentence) for sentence in told if sentence)
    raters = len({one.rater for one in people.judgments})
    yield paragraph(f"{len(people.judgments)} judgments by {raters} {'person' if raters == 1 else 'people'}.")
    for criterion, points in people.points.items():
        yield heading(3, criterion)
        rows = [(name, shown(figure, digits=1), figure.n) for name, figure in points.items()]
        yield table(("system", "points in % of comparisons", "items"), rows)
        agreeing = sorted(people.agreement[criterion].items(), key=lambda one: -one[1].value)
        if agreeing:
            yield paragraph("How often a metric prefers what they prefer; 0.5 is chance:")
            yield table(("metric", "agrees", "choices"), [(name, shown(one), one.n) for name, one in agreeing])


def _judges(reported: Reported) -> Iterator[Html]:
    """A row a judge: its numbers are as good as its audit, which stands beside them."""
    if not reported.judges:
        return
    yield heading(2, "Judges", "judges")
    yield paragraph("Models that judge. How often each chooses what people choose, and what its own audit found:")
    rows = [
        (one.judge, one.criterion, one.judgments, shown(one.agrees), one.agrees.n, _render_audit(one))
        for one in reported.judges
    ]
    yield table(("judge", "criterion", "judgments", "agrees with people", "choices", "audit"), rows)


def _render_audit(one: JudgeSaid) -> str:
    return "; ".join((one.verdict, *one.failed))


def _numbers(reported: Reported) -> Iterator[Html]:
    yield heading(2, "Every number", "numbers")
    rows = [_number_row(row, reported) for row in number_rows(reported)]
    columns = ["letter", "system", "metric", "value", "95 %", "n", "above", "audit", "how it was made"]
    # A report of one system has no letters and no differences: such columns would be blank from top to bottom.
    empty = [place for place, _ in enumerate(columns) if not any(row[place] for row in rows)]
    kept = [place for place, _ in enumerate(columns) if place not in empty]
    told = table([columns[place] for place in kept], [[row[place] for place in kept] for row in rows])
    yield tag("div", told, class_="audited" if columns.index("audit") in kept else "unaudited")
    if reported.comparisons:
        pairs = [[_compare_runs(getattr(one, name), name) for name in COMPARED] for one in reported.comparisons]
        yield fold(f"Every pair of systems: {len(pairs)} comparisons", [table(COMPARED, pairs)])


def _number_row(row: Sequence[object], reported: Reported) -> list[object]:
    told: Mapping[str, object] = dict(zip(EVERY_NUMBER, row, strict=True))
    result = next(one for one in reported.systems if one.name == told["system"]).results[str(told["metric"])]
    numbers = [shown_value(result), shown_interval(result), result.n]
    return [told["letter"], told["system"], told["metric"], *numbers, told["above"], told["audit"], told["signature"]]


def _compare_runs(value: object, name: str) -> object:
    return shown_p(value) if name == "p_holm" and isinstance(value, float) else value


def _browse(reported: Reported) -> Iterator[Html]:
    """The frame that the script fills; without it, what to do."""
    yield heading(2, "Browse", "browse")
    # Hidden by the script when it has begun.
    unscripted = "The answers are unpacked by a script of this page: here scripts are switched off, or too old."
    yield tag("p", escape(unscripted), id="unscripted")
    names = [(str(number), f"{one.letter}: {one.name}", False) for number, one in enumerate(reported.systems)]
    # Another one chosen to begin with: a system beside itself shows nothing.
    second = names[1:] + names[:1]
    metric = main_metric(reported)
    # The sort is stable: the main metric comes first and the others stay as the profile has them.
    metrics = sorted(enumerate(reported.metrics), key=lambda one: one[1] != metric)
    fields = [
        _label_row(
            "Search", Html('<input id="search" type="search" autocomplete="off" placeholder="words, or an id">')
        ),
        _label_row("Show", _select("filter", _known(_FILTERS, reported))),
        *_domain_field(reported),
        _label_row("Order", _select("order", _known(_ORDERS, reported))),
        _label_row("System", _select("first", names)),
        _label_row("Against", _select("second", second)),
        _label_row("Metric", _select("metric", [(str(number), name, False) for number, name in metrics])),
    ]
    keys = Html('<input id="keys" type="checkbox" checked autocomplete="off"> Keys: j next, k previous, / search')
    wave = "Underlined by a wave: not supported by the passages, judged by words"
    moves = [
        tag("button", escape("Previous"), type="button", id="previous"),
        tag("button", escape("Next"), type="button", id="next"),
        tag("span", Html(""), id="place", aria_live="polite"),
        tag("label", keys, class_="faint"),
        tag("span", escape(wave), class_="faint"),
    ]
    yield tag(
        "div",
        tag("form", *fields, id="controls", class_="controls"),
        tag("div", *moves, class_="moves"),
        tag("div", tag("ol", Html(""), id="list"), tag("article", Html(""), id="question"), class_="columns"),
        id="browser",
        hidden="",
    )


def _domain_field(reported: Reported) -> list[Html]:
    domains = sorted({domain_of(question, reported) for question in reported.questions})
    if len(domains) < 2:
        return []
    options = [("", "all", False), *((one, one or "none", False) for one in domains)]
    return [_label_row("Domain", _select("domain", options))]


def _known(options: Sequence[tuple[str, str, bool]], reported: Reported) -> list[tuple[str, str, bool]]:
    return [one for one in options if reported.people or not one[2]]


def _label_row(label: str, field: Html) -> Html:
    return tag("label", tag("span", escape(label)), field)


def _select(name: str, options: Sequence[tuple[str, str, bool]]) -> Html:
    return tag("select", join_html(tag("option", escape(said), value=value) for value, said, _ in options), id=name)
