"""The table for a paper, compiled by a real TeX, where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from expound.report.gathering import report
from expound.report.report_formats import report_text
from expound.report.report_request import ReportRequest
from report.report_world import METRICS, write_world

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex: apt-get install texlive-latex-recommended"),
]
ODD = "50 % of a_b & {c} $d #e ~f ^g \\input{h} naïve Müller “q” – ‘r’ … <s> |t|"


@pytest.mark.parametrize("columns", ["", "[twocolumn]"], ids=["one column", "two columns"])
def test_the_table_is_pasted_into_a_paper_and_compiled(tmp_path: Path, columns: str) -> None:
    dataset, files = write_world(tmp_path)
    odd = files[1].rename(tmp_path / f"{ODD}.jsonl")
    found = report(ReportRequest(sources=[files[0], odd], dataset=dataset, metrics=METRICS))
    (tmp_path / "table.tex").write_text(report_text(found, "latex"), encoding="utf-8")
    paper = (
        f"\\documentclass{columns}{{article}}\n\\usepackage{{booktabs,graphicx}}\n"
        "\\begin{document}\n\\input{table.tex}\n\\end{document}\n"
    )
    (tmp_path / "paper.tex").write_text(paper, encoding="utf-8")
    # A draft is set in full, but no font has to be drawn: a small TeX does.
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-2000:]
    assert "[1" in said
    assert "Overfull" not in said
