"""Before anything is scored: are the answers about their questions, and are they texts to read?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from expound.audit.inputs import Inputs
from expound.audit.numbers import share_of
from expound.audit.raw_output import JSON, MARKDOWN, TAGS, special_token
from expound.audit.section import Section, ShownExample, ShownTable
from expound.audit.verdict import judge

TITLE = "Answers: are they about the questions, and texts to read?"
# Enough to see what is meant; the page of the audit is read, not searched.
_EXAMPLES = 3


def answers(inputs: Inputs) -> Section:
    """Verdicts on topic and form, with examples of what fails."""
    texts = inputs.answers()
    # An empty answer has no form; another check counts it.
    filled = [form for form, text in zip(inputs.forms, texts, strict=True) if text.strip()]
    verdicts = (
        judge("off-topic", inputs.topic_estimate),
        judge("raw-output", share_of([form in (JSON, TAGS) for form in filled])),
        judge("markdown", share_of([form == MARKDOWN for form in filled])),
    )
    examples = (*_examples(inputs, inputs.off_topic, "off topic"), *_examples(inputs, inputs.forms, "raw"))
    return Section(
        name="answers",
        title=TITLE,
        verdicts=verdicts,
        tables=(_table(filled),),
        examples=examples,
        notes=_notes(inputs, texts),
    )


def _table(forms: Sequence[str]) -> ShownTable:
    counts = Counter(forms)
    rows = tuple((form or "prose", counts[form], 100 * counts[form] / len(forms)) for form in sorted(counts))
    return ShownTable("What answers are written in", ("form", "answers", "%"), rows)


def _notes(inputs: Inputs, texts: Sequence[str]) -> tuple[str, ...]:
    untold = sum(is_off is None for is_off in inputs.off_topic)
    notes = [
        "An answer is off topic when one of nine other questions, with their references, has as much of its words."
    ]
    if untold:
        notes.append(f"{untold:,} answers share no content word with any of these questions and are left out of that.")
    if tokens := [token for token in map(special_token, texts) if token]:
        notes.append(f"{len(tokens):,} answers have a special token of a language model in them, such as {tokens[0]}.")
    return tuple(notes)


def _examples(inputs: Inputs, signs: Sequence[object], what: str) -> tuple[ShownExample, ...]:
    """The first answers that have the sign."""
    places = [place for place, sign in enumerate(signs) if sign][:_EXAMPLES]
    return tuple(
        ShownExample(inputs.questions[place].text, ((f"answer, {what}", ((inputs.answers()[place], False),)),))
        for place in places
    )
