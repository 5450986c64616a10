"""Over the real passages, when they are at hand: every sentence of every answer is proved, and reads as prose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from expound.corpus import library
from expound.datasets.asqa import Asqa
from expound.system import open_system

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
PASSAGES = DATA / "wikipedia" / "wikipedia_passages_59460.jsonl.gz"
QUESTIONS = DATA / "asqa" / "asqa_dev_748.json.gz"
DANGLING = re.compile(r"(?:He|She|They|His|Her|Their|This|These)\b(?! \w+ \[)")  # "This season [of …]" is named

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not PASSAGES.exists(), reason="the real passages are not at hand")]


def test_answers_over_real_passages_are_proved_and_clean() -> None:
    corpus, summary = library.add([PASSAGES], name="wiki")
    assert (summary.added, summary.passages + summary.aliases) == (1, 59_460)
    assert len(corpus.lexical) == corpus.store.count() > 58_000
    system = open_system(["wiki"])
    dangling = total = 0
    for question in Asqa(QUESTIONS):
        prediction = system.ask(question.text)
        texts = {item.number: item.passage.text for item in prediction.evidence}
        for place, sentence in enumerate(prediction.answer.sentences):
            total += 1
            [number] = sentence.citations
            assert sentence.source_text in texts[number]
            assert "==" not in sentence.text
            assert not re.search(r"\[\d+\]| ,|`` ", sentence.text)
            follows = place and prediction.answer.sentences[place - 1].citations == sentence.citations
            title = next(item.passage.title for item in prediction.evidence if item.number == number)
            is_title = sentence.text.lstrip('"').startswith(title.split(" (")[0])  # "This Is the Sea was released"
            dangling += bool(DANGLING.match(sentence.text)) and not follows and not is_title
    assert total > 1500
    assert dangling <= total / 100  # "it" stays where no sentence before it says what it is
