"""QAFactEval: questions that the answer itself gives back are asked of the evidence, and both answers are compared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from expound.errors import BadInput, ResourceMissing, UserError
from expound.models.question_writer import MARKS, QuestionWriter
from expound.plugins import build
from expound.score.qa_fact_eval import (
    COMPARER,
    READER,
    WRITER,
    AskedOfEvidence,
    FactModels,
    QaFactEval,
    compare_answers,
    iter_kept,
)
from expound.text.spacy_pipeline import NounPhrase, has_spacy, iter_noun_phrases
from expound.types import Answer, Evidence, Passage, Prediction, Question, Span
from models.tiny_folders import make_folder

QUESTION = Question("1", "why are boats white ?")
EVIDENCE = "the harbour is deep ."


def say(text: str, *evidence: str) -> Prediction:
    passages = tuple(Evidence(Passage(str(n), one), n, 1.0) for n, one in enumerate(evidence, start=1))
    return Prediction("1", QUESTION.text, "demo", Answer(text), evidence=passages)


def first_word(text: str) -> Iterator[NounPhrase]:
    yield NounPhrase(text, 0, len(text.split()[0]))


class Parts:
    """In place of the models: asks by repeating, finds the first word, and tells what was compared."""

    def __init__(self, *found: str) -> None:
        self.found, self.compared = list(found), list[str]()

    def write(self, sentence: str, start: int, end: int) -> str:
        return f"what is {sentence[start:end]}?"

    def read(self, pairs: list[tuple[str, str]]) -> list[Span]:
        texts = [self.found.pop(0) for _ in pairs]
        return [Span(text=text, start=0, end=len(text), score=1.0, null_score=0.0) for text in texts]

    def logits(self, text: str) -> list[float]:
        self.compared.append(text)
        return [4.5]


def models_of(parts: Parts) -> FactModels:
    return FactModels(parts, parts, parts)  # type: ignore[arg-type]  # they have all that is asked of the models


def make_writer(folder: Path) -> Path:
    """A tiny BART whose tokenizer knows the marks."""
    make_folder(folder, "writer")
    transformers: Any = pytest.importorskip("transformers")
    torch: Any = pytest.importorskip("torch")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(list(MARKS))
    tokenizer.save_pretrained(folder)
    model = transformers.BartForConditionalGeneration.from_pretrained(folder)
    torch.manual_seed(1)
    model.resize_token_embeddings(len(tokenizer))
    # Else random weights would seldom come to an end.
    model.final_logits_bias[0, model.config.eos_token_id] += 4
    model.save_pretrained(folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_writer(tmp_path / WRITER)
    make_folder(tmp_path / READER, "reader")
    make_folder(tmp_path / COMPARER, "scorer")
    return tmp_path


def test_a_question_that_the_answer_does_not_give_back_is_dropped() -> None:
    phrases = [NounPhrase("Ann won a prize", 0, 3), NounPhrase("Ann won a prize", 8, 15)]
    kept = list(iter_kept(models_of(Parts("ann", "money")), "Ann won a prize", phrases))
    assert kept == [AskedOfEvidence("what is Ann?", "Ann")]


def test_what_the_evidence_does_not_answer_is_nothing_and_the_rest_is_compared() -> None:
    parts = Parts("", "Bea")
    scores = compare_answers(
        models_of(parts), [AskedOfEvidence("who lost?", "Ann"), AskedOfEvidence("who won?", "Ann")], "Bea won."
    )
    assert scores == [0.0, 4.5]
    assert parts.compared == ["who won? <q> Ann <r> Bea <c> Bea won."]


def test_the_published_layout_is_scored_as_its_parts_say(folder: Path) -> None:
    metric = QaFactEval(str(folder), phrases=first_word)
    metric.load()
    assert math.isfinite(metric.count(QUESTION, say("paint is cheap .", EVIDENCE)))
    assert math.isnan(metric.count(QUESTION, say("", EVIDENCE)))
    assert math.isnan(metric.count(QUESTION, say("paint is cheap .")))
    built = build("score", f"QaFactEval(folder={str(folder)!r})")
    assert built.options == {"weights": metric.weights[:12]}


def test_a_question_is_the_likeliest_of_a_search_that_adds_up_logarithms(tmp_path: Path) -> None:
    folder = make_writer(tmp_path / "writer")
    import torch
    import transformers

    model: Any = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    read = tokenizer("the <m> harbour </m> is deep", return_tensors="pt")["input_ids"]
    # Beams by hand: four kept at each step, what ends is put aside.
    beams, ended = [(0.0, [model.config.bos_token_id])], list[tuple[float, list[int]]]()
    for _ in range(20):
        grown = []
        for total, ids in beams:
            with torch.no_grad():
                step = model(input_ids=read, decoder_input_ids=torch.tensor([ids])).logits[0, -1].log_softmax(-1)
            grown += [(total + float(step[token]), [*ids, token]) for token in range(len(step))]
        grown.sort(key=lambda one: -one[0])
        ended += [one for one in grown[:4] if one[1][-1] == model.config.eos_token_id]
        beams = [one for one in grown if one[1][-1] != model.config.eos_token_id][:4]
    best = max(ended)
    assert best[0] > beams[0][0], "what has not ended can only get less likely"
    written = QuestionWriter(folder).write("the harbour is deep", 4, 11)
    assert written == tokenizer.decode(best[1], skip_special_tokens=True).strip()


def test_what_is_missing_is_named(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(ResourceMissing, match="generation is not the folder of a model"):
        QaFactEval(str(tmp_path / "none")).load()
    with pytest.raises(BadInput, match="does not know <m> and </m>"):
        QuestionWriter(make_folder(tmp_path / "plain", "writer")).write("paint", 0, 5)


@pytest.mark.skipif(not has_spacy(), reason="needs the extra nlp")
def test_noun_phrases_keep_their_sentence() -> None:
    phrases = list(iter_noun_phrases("The harbour is deep. White boats need cheap paint."))
    assert [(one.text, one.sentence[:5]) for one in phrases] == [
        ("The harbour", "The h"),
        ("White boats", "White"),
        ("cheap paint", "White"),
    ]


@pytest.mark.skipif(has_spacy(), reason="needs the extra nlp to be absent")
def test_without_the_extra_it_says_what_to_install() -> None:
    with pytest.raises(UserError, match="noun phrases need the extra nlp"):
        list(iter_noun_phrases("The harbour is deep."))
