"""Jupyter notebooks: cells in their order under their headings, outputs, broken files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpus.read.read_helpers import Read
from expound.errors import BadInput


def cell(kind: str, source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, **more}


def notebook(*cells: Any) -> str:
    return json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4})


def test_code_comes_under_the_heading_above_it(read: Read) -> None:
    outputs = [
        {"output_type": "stream", "text": ["4\n", "5\n"]},
        {"output_type": "execute_result", "data": {"text/plain": ["<Figure size 1x1>"], "image/png": "AAAA"}},
        {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": ["\x1b[31mlong"]},
    ]
    cells = (
        cell("markdown", ["# The Title\n", "Some *text*."]),
        cell("markdown", "## Part\n- point"),
        cell("code", ["x = 1\n", "if x:\n", "    print(4)"], outputs=outputs),
        cell("markdown", "After."),
    )
    [document] = read("a.ipynb", notebook(*cells))
    assert document.title == "The Title"
    assert [(b.kind, b.text, b.path, b.mark) for b in document.blocks] == [
        ("paragraph", "Some *text*.", (), ""),
        ("item", "point", ("Part",), "-"),
        ("code", "x = 1\nif x:\n    print(4)", ("Part",), "python"),
        ("code", "4\n5", ("Part",), "output"),
        ("code", "KeyError: 'x'", ("Part",), "output"),
        ("paragraph", "After.", ("Part",), ""),
    ]


def test_every_line_can_be_found_in_the_file(read: Read) -> None:
    source = notebook(cell("markdown", 'Say "it".'), cell("code", "a = 'b'"))
    strings = [entry["source"] for entry in json.loads(source)["cells"]]
    assert [block.text for block in read("a.ipynb", source)[0].blocks] == strings


def test_a_fence_left_open_swallows_no_cell(read: Read) -> None:
    [document] = read(
        "a.ipynb", notebook(cell("markdown", "```\nopen"), cell("code", "x = 1"), cell("markdown", "end"))
    )
    assert [(b.text, b.mark) for b in document.blocks if b.text == "x = 1"] == [("x = 1", "python")]
    assert "end" in document.blocks[-1].text


def test_old_notebooks_have_worksheets(read: Read) -> None:
    cells = [cell("heading", "Top", level=1), {"cell_type": "code", "input": "x", "outputs": [{"text": "y"}]}]
    [document] = read("a.ipynb", json.dumps({"worksheets": [{"cells": cells}]}))
    assert (document.title, [b.text for b in document.blocks]) == ("Top", ["x", "y"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("no json", "broken, or not a .ipynb file"),
        ("[]", "not a Jupyter notebook"),
        ('{"cells": 3}', "not a Jupyter notebook"),
        ('{"cells": [3, {"cell_type": "code", "source": {"a": 1}, "outputs": 5}], "metadata": []}', "empty, no text"),
        ("[" * 100_000, "broken, or not a .ipynb file"),
    ],
)
def test_a_broken_file_is_refused(read: Read, content: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        read("a.ipynb", content)
