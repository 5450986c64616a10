"""Many runs side by side, asked of DuckDB: it reads the records where they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.runs.folder import SCORES

_QUERY = """
    SELECT name, spec.dataset AS dataset, spec.answer AS answer, n, result.metric AS metric, result.value AS value,
           filename, finished
    FROM (SELECT *, unnest(results) AS result FROM read_json(?, filename = true, union_by_name = true,
          columns = {name: 'VARCHAR', spec: 'STRUCT(dataset VARCHAR, answer VARCHAR)', n: 'BIGINT', finished: 'DOUBLE',
          results: 'STRUCT(metric VARCHAR, value DOUBLE)[]'}))
    ORDER BY finished, filename
"""


def runs_table(folder: Path, metrics: Sequence[str] = ()) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows: a row for each finished run below a folder, a column for each metric that any of them has."""
    files = sorted(str(path) for path in folder.rglob(SCORES)) if folder.is_dir() else []
    if not files:
        raise BadInput(f"no finished run below {folder}; make one: expound run experiment.toml --out {folder}/NAME")
    import duckdb  # a fifth of a second, and only this table needs it

    try:
        found = duckdb.execute(_QUERY, [files]).fetchall()
    except duckdb.Error as error:
        raise BadInput(f"the runs below {folder} cannot be read: {str(error).splitlines()[0]}") from error
    return _pivoted(found, metrics)


def _pivoted(found: Sequence[tuple[Any, ...]], metrics: Sequence[str]) -> tuple[list[str], list[list[Any]]]:
    wanted = list(metrics) or list(dict.fromkeys(row[4] for row in found))
    rows: dict[str, list[Any]] = {}
    for name, dataset, answer, n, metric, value, file, _ in found:
        row = rows.setdefault(file, [name, dataset, answer, n, *([""] * len(wanted))])
        if metric in wanted and value is not None:
            row[4 + wanted.index(metric)] = value
    return ["run", "dataset", "answer", "n", *wanted], list(rows.values())
