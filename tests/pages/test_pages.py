"""Pages: whatever a text holds, it is shown and never obeyed; plots have round ticks."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.pages.html import Html, anchor, escape, page, tag
from expound.pages.parts import fold, marked_text, put_label, table, verdict_list
from expound.pages.plots import plot, ticks

HOSTILE = "<script>alert(1)</script>\" onload='x' &lt; \u202e\x00\ud800"


class Reader(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def everything(text: str) -> str:
    """A page with a text in every place that takes one."""
    body = [
        table([text], [[text]]), verdict_list([(text, text, text, text)]), marked_text([(text, True), (text, False)]),
        fold(text, [put_label(text, escape(text))]), tag("p", Html(""), title=text),
        plot(text, text, text, [(text, [(0, 1)]), (text, [(1, 2)])], note=text),
    ]  # fmt: skip
    return page(text, body)


@given(st.text() | st.just(HOSTILE))
def test_no_text_becomes_a_tag_or_an_attribute(text: str) -> None:
    plain, hostile = Reader(everything("plain")), Reader(everything(f"t{text}"))
    assert [name for name, _ in hostile.tags] == [name for name, _ in plain.tags]
    assert [set(attributes) for _, attributes in hostile.tags] == [set(attributes) for _, attributes in plain.tags]


def test_text_is_shown_as_it_is() -> None:
    assert "<script>alert(1)</script>" in Reader(everything(HOSTILE)).text
    assert escape("\u202e\x00\ud800") == "\ufffd\ufffd\ufffd"


def test_a_page_loads_and_runs_nothing() -> None:
    content = everything("text")
    assert "default-src 'none'" in content
    assert not re.search(r"(?:src|href)=\"(?!#)", content)
    assert "<script" not in content
    content.encode("utf-8")


def test_columns_of_numbers_are_set_flush_right() -> None:
    content = table(["name", "value"], [["a", 1.234], ["b", "5.0 (4–6)"]])
    assert '<td class="number">1.23</td>' in content
    assert "<td>a</td>" in content


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_ticks_enclose_what_is_plotted(low: float, spread: float) -> None:
    found = ticks(low, low + spread)
    assert found[0] <= low + 1e-6 * max(1, abs(low))
    assert found[-1] >= low + spread - 1e-6 * max(1, abs(low + spread))
    assert 2 <= len(found) <= 8
    assert found == sorted(set(found))


def test_points_that_are_not_numbers_are_left_out() -> None:
    content = plot("t", "x", "y", [("a", [(0, 1), (math.nan, 2), (2, math.inf)])])
    assert content.count("<circle") == 1
    assert "<svg" not in plot("t", "x", "y", [("a", [])])


def test_many_points_are_thinned() -> None:
    content = plot("t", "x", "y", [("a", [(float(n), 1.0) for n in range(10_000)])])
    assert content.count("<circle") <= 2000


@pytest.mark.parametrize(("text", "name"), [("Cannot tell", "cannot-tell"), ("é!", "x"), ("A b", "a-b")])
def test_anchors_are_plain(text: str, name: str) -> None:
    assert anchor(text) == name
