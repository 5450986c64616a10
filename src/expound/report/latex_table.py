"""The numbers of a report as a LaTeX table, ready to paste: booktabs, letters as superscripts, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping

from expound.report.latex_letters import letter_lines
from expound.report.reported import Reported, ReportedSystem
from expound.report.summary_table import how_made, shown_interval, shown_value
from expound.text.tables import latex_cell
from expound.types import MetricResult


def latex_table(reported: Reported) -> str:
    """A table over the width of the page; it says above itself what it needs."""
    metrics = reported.metrics
    columns = ["", "system", "$n$", *map(latex_cell, metrics), "words"]
    rows = [_row(system, reported) for system in reported.systems]
    bounds = [_bound(name, results, metrics) for name, results in reported.bounds.items()]
    lines = [
        "\\begin{table*}",
        "\\centering",
        # A paper's page is narrower than ten metrics are.
        "\\resizebox{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{ll{'r' * (len(metrics) + 2)}}}",
        "\\toprule",
        _line(columns),
        "\\midrule",
        *rows,
        *(["\\midrule", *bounds] if bounds else []),
        "\\bottomrule",
        "\\end{tabular}}",
        f"\\caption{{{latex_cell(how_made(reported))}}}",
        "\\end{table*}",
    ]
    # Signatures as comments: a paper has no room for them, and its source should still say how numbers were made.
    comments = [f"% {_comment(result)}" for system in reported.systems for result in system.results.values()]
    return "\n".join([*letter_lines("".join(lines)), *lines, *comments]) + "\n"


def _row(system: ReportedSystem, reported: Reported) -> str:
    cells = [_cell(system.results.get(metric), reported.beaten(system.name, metric)) for metric in reported.metrics]
    n = max((result.n for result in system.results.values()), default=0)
    return _line([system.letter, latex_cell(system.name), str(n), *cells, f"{system.words:.1f}"])


def _bound(name: str, results: Mapping[str, MetricResult], metrics: list[str]) -> str:
    return _line(["", latex_cell(name), "", *(shown_value(results.get(metric)) for metric in metrics), ""])


def _cell(result: MetricResult | None, above: list[str]) -> str:
    letters = f"$^{{{','.join(above)}}}$" if above else ""
    interval = shown_interval(result)
    return f"{shown_value(result)}{letters}" + (f" {{\\scriptsize {interval}}}" if interval else "")


def _line(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _comment(result: MetricResult) -> str:
    """A signature, for who reads the source; a comment ends with its line."""
    return result.signature.replace("\n", " ")
