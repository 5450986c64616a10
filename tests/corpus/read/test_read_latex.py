"""LaTeX: structure, source kept word for word, hostile files."""

from __future__ import annotations

import time

import pytest

from corpus.read.read_helpers import Read

PAGE = r"""
\documentclass{article}
\title{The \emph{Paper}}
\newcommand{\x}{hidden}
\begin{document}
\maketitle
About \emph{half}, 50\% of
it.
% a comment

\section{First \texttt{part}}\label{sec:first}
\begin{itemize}
  \item one
  wrapped
  \begin{enumerate}
    \item nested
  \end{enumerate}
\end{itemize}
\begin{description}
  \item[Term] Its
  text.
\end{description}
\begin{lstlisting}[language=Python]
def f(): % kept
    pass
\end{lstlisting}
\begin{table}[h]
\centering
\caption{The ages.}
\begin{tabular}{l|r}
\hline
Name & Age \\
\hline
Ann & 5 \\
Bob \& Co & 6 \\
\hline
\end{tabular}
\end{table}
\subsection*{Second}
\begin{quote}Quoted.\end{quote}
\begin{equation}
a = b
\end{equation}
The end.
\end{document}
after it
"""


def test_every_kind_of_block_is_told_apart(read: Read) -> None:
    [document] = read("a.tex", PAGE)
    assert document.title == "The Paper"
    first, second = ("First `part`",), ("First `part`", "Second")
    assert [(b.kind, b.text, b.path, b.mark, b.level) for b in document.blocks] == [
        ("paragraph", r"About \emph{half}, 50\% of it.", (), "", 0),
        ("item", "one wrapped", first, "-", 0),
        ("item", "nested", first, "1.", 1),
        ("definition", "Term\nIts text.", first, "", 0),
        ("code", "def f(): % kept\n    pass", first, "python", 0),
        ("caption", "The ages.", first, "", 0),
        ("table", "Name | Age\nAnn | 5\nBob \\& Co | 6", first, "header", 0),
        ("quotation", "Quoted.", second, "", 0),
        ("code", "a = b", second, "tex", 0),
        ("paragraph", "The end.", second, "", 0),
    ]


def test_what_is_quoted_can_be_found_in_the_file(read: Read) -> None:
    source = " ".join(PAGE.split())
    for block in read("a.tex", PAGE)[0].blocks:
        for cell in block.text.replace(" | ", "\n").split("\n"):
            assert " ".join(cell.split()) in source


def test_code_with_its_colours_keeps_its_lines_and_rules_leave_nothing_in_a_table(read: Read) -> None:
    code = "\\begin{Highlighting}[]\n\\NormalTok{cd a}\n\\NormalTok{  make}\n\\end{Highlighting}"
    rows = "\\toprule\\noalign{}\nA & B \\\\\n\\midrule\\noalign{}\n\\endhead\n1 & 2 \\\\\n"
    [document] = read("a.tex", f"Do:\n\n{code}\n\n\\begin{{longtable}}[]{{@{{}}ll@{{}}}}\n{rows}\\end{{longtable}}\n")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("paragraph", "Do:"),
        ("code", "\\NormalTok{cd a}\n\\NormalTok{  make}"),
        ("table", "A | B\n1 | 2"),
    ]


@pytest.mark.parametrize("end", ["\\end{document}", " \\end{document}\n", "\n\\end{document}\n\nafterwards", ""])
def test_a_preamble_in_one_line_is_no_text(read: Read, end: str) -> None:
    head = "% made by hand: \\begin{document}\n\\documentclass{article}\\usepackage{x}\\title{Boats}\\begin{document}"
    [document] = read("a.tex", f"{head}They sail.{end}")
    assert (document.title, [block.text for block in document.blocks]) == ("Boats", ["They sail."])


def test_a_chapter_without_a_preamble_is_read_from_its_start(read: Read) -> None:
    [document] = read("a.tex", "First.\n\n\\begin{verbatim}\n\\begin{document}\n\\end{verbatim}\nLast.\n")
    assert [block.text for block in document.blocks] == ["First.", r"\begin{document}", "Last."]


@pytest.mark.parametrize(
    "piece",
    [
        r"\section{", r"\section{{", r"\begin{itemize}\item ", r"\item[", r"\begin{tabular}{", "\\begin{verbatim}\n",
        "\\begin{lstlisting}\n\\end{lstlisting}", r"\[", "%", r"\label{", "{", "&", r"\caption{", "\n \n", r"\title{",
    ],
)  # fmt: skip
def test_hostile_text_takes_linear_time(read: Read, piece: str) -> None:
    start = time.process_time()
    read("a.tex", "x\n" + piece * 30_000)
    assert time.process_time() - start < 5
