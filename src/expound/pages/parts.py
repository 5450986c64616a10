"""Tables, verdict lists and marked texts for pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from expound.pages.html import Html, anchor, escape, join_html, tag


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Html:
    """Rows under headings; columns of numbers are set flush right, and a wide table scrolls by itself."""
    numeric = [_is_numeric([row[place] for row in rows]) for place in range(len(columns))]
    head = tag("tr", *(_cell("th", name, is_number) for name, is_number in zip(columns, numeric, strict=True)))
    body = [
        tag("tr", *(_cell("td", value, is_number) for value, is_number in zip(row, numeric, strict=True)))
        for row in rows
    ]
    # Can be reached by the keyboard, since a wide table scrolls.
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body)), class_="scroll", tabindex="0")


def verdict_list(items: Iterable[tuple[str, str, str, str]]) -> Html:
    """Outcome, what it is about, sentence, and the name of the evidence that the sentence links to, if any."""
    rows = (
        tag(
            "li",
            tag("span", escape(outcome), class_=f"badge {anchor(outcome)}"),
            tag("span", escape(about), class_="about"),
            tag("a", escape(sentence), href=f"#{anchor(evidence)}", class_="plain-link")
            if evidence
            else tag("span", escape(sentence)),
        )
        for outcome, about, sentence, evidence in items
    )
    return tag("ul", *rows, class_="verdicts")


def marked_text(runs: Iterable[tuple[str, bool]]) -> Html:
    """A text whose marked runs stand out."""
    return Html("".join(tag("mark", escape(text)) if is_marked else escape(text) for text, is_marked in runs))


def fold(title: str, content: Iterable[Html]) -> Html:
    """Something to open: its title, and what is inside."""
    return tag("details", tag("summary", escape(title)), join_html(content))


def put_label(label: str, content: Html) -> Html:
    """A box of text with a small label above."""
    return tag("div", tag("span", escape(label), class_="label"), content, class_="part")


def say_count(number: int, what: str) -> str:
    """So many of something, one of them without the plural.

    >>> say_count(1, "rater"), say_count(2600, "judgment")
    ('1 rater', '2,600 judgments')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def paragraph(text: str, *, faint: bool = False) -> Html:
    """A paragraph of plain text."""
    return tag("p", escape(text), class_="faint") if faint else tag("p", escape(text))


def heading(level: int, text: str, name: str = "") -> Html:
    """A heading that links can point to."""
    return tag(f"h{level}", escape(text), id=anchor(name or text))


def _cell(kind: str, value: object, is_number: bool) -> Html:
    shown = escape(f"{value:.2f}" if isinstance(value, float) else value)
    return tag(kind, shown, class_="number") if is_number else tag(kind, shown)


def _is_numeric(values: Sequence[object]) -> bool:
    return bool(values) and all(_starts_as_number(value) for value in values)


def _starts_as_number(value: object) -> bool:
    return (
        # "–" stands for what cannot be computed, "< 0.0001" for a small p-value.
        isinstance(value, int | float) or value == "–" or str(value).removeprefix("< ").removeprefix("-")[:1].isdigit()
    )
