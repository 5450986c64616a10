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


BEYOND = "αβ Δ λόγος ≥5 Система 系统 نظام système 🤖 👩‍🔬 Łódź"
FONT = "\\setmainfont{DejaVuSans.ttf}"
NEEDS_T1 = "«Đorđe» Þór ąę"


@pytest.mark.parametrize("columns", ["", "[twocolumn]"], ids=["one column", "two columns"])
def test_the_table_is_pasted_into_a_paper_and_compiled(tmp_path: Path, columns: str) -> None:
    compile_with("pdflatex", tmp_path, ODD, f"\\documentclass{columns}{{article}}")


@pytest.mark.parametrize("name", [BEYOND, NEEDS_T1, BEYOND + NEEDS_T1], ids=["other scripts", "T1", "both"])
def test_the_table_says_what_letters_of_other_scripts_need(tmp_path: Path, name: str) -> None:
    compile_with("pdflatex", tmp_path, name, "\\documentclass{article}")


@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
def test_other_engines_set_the_letters_with_a_font_that_has_them(tmp_path: Path, engine: str) -> None:
    if not shutil.which(engine) or not has_font():
        pytest.skip(
            f"no {engine} or no DejaVu: apt-get install texlive-xetex texlive-luatex fonts-dejavu-core fontconfig"
        )
    said = compile_with(engine, tmp_path, "αβ Система", "\\documentclass{article}\\usepackage{fontspec}" + FONT)
    assert "Missing character" not in said + (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")


def has_font() -> bool:
    listed = shutil.which("fc-list")
    return bool(listed) and b"DejaVuSans.ttf" in subprocess.run([str(listed)], capture_output=True, check=False).stdout


def compile_with(engine: str, folder: Path, name: str, head: str) -> str:
    """Set a paper with the table of a system of that name, and with the packages that the table names."""
    dataset, files = write_world(folder)
    odd = files[1].rename(folder / f"{name}.jsonl")
    found = report(ReportRequest(sources=[files[0], odd], dataset=dataset, metrics=METRICS))
    table = report_text(found, "latex")
    (folder / "table.tex").write_text(table, encoding="utf-8")
    packages = (
        table.partition("\n")[0].removeprefix("% ") if engine == "pdflatex" else "\\usepackage{booktabs,graphicx}"
    )
    paper = f"{head}\n{packages}\n\\begin{{document}}\n\\input{{table.tex}}\n\\end{{document}}\n"
    (folder / "paper.tex").write_text(paper, encoding="utf-8")
    # A draft is set in full, but no font has to be drawn: a small TeX does.
    draft = {"pdflatex": "-draftmode", "lualatex": "-draftmode", "xelatex": "-no-pdf"}[engine]
    command = [engine, draft, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-2000:]
    assert "[1" in said
    assert "Overfull" not in said
    return said
