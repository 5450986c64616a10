"""What a text model adds: every way to clarify on AmbigNQ, and what it reads for answers to ASQA's questions."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, system_recipe

_OURS = "ours"
_QD = "published: QD model"


def _answers(found: float, multi: float, bleu: float, edit: float) -> dict[str, float]:
    return {"f1_answer": found, "f1_answer_multi": multi, **_questions(bleu, edit)}


def _questions(bleu: float, edit: float) -> dict[str, float]:
    return {"f1_bleu4": bleu, "f1_edit_f1": edit}


def _make_listed_row(name: str, clarify: str, published: dict[str, float] | None = None, why: str = _OURS) -> Row:
    return Row(name, published or {}, _over_passages("ListAnswers()", clarify), why=why)


def _make_written_row(name: str, answer: str, clarify: str) -> Row:
    return Row(name, how=_over_passages(answer, clarify), why=_OURS)


def _over_passages(answer: str, clarify: str) -> Parts:
    """Without a text model a span reader reads the passages, as for `ask`."""
    reads = clarify.startswith(("Thresholded", "EvidenceOnly"))
    return Parts(answer, "Hybrid", clarify, reader="auto" if reads else "none")


CLARIFY = system_recipe(
    name="clarify-models",
    title="Ways to clarify, with a text model (--model)",
    layout="ambignq",
    metrics=("F1Answer()", "F1Answer(multi=True)", "F1Bleu(order=4)", "F1EditF1()"),
    rows=(
        _make_listed_row("evidence only", "EvidenceOnly(single=True)"),
        _make_listed_row(
            "answers first", "AnswersFirst()", _answers(39.7, 29.3, 13.4, 7.2), "published: SPANSEQGEN + QD"
        ),
        _make_listed_row(
            "answers first, without the prompt question", "AnswersFirst(with_question=False)", _questions(6.7, 7.7), _QD
        ),
        _make_listed_row(
            "answers first, without the other answers", "AnswersFirst(with_others=False)", _questions(14.2, 7.3), _QD
        ),
        _make_listed_row(
            "question first", "QuestionFirst()", _answers(28.1, 21.9, 4.2, 2.7), "published: DISAMBIG-FIRST"
        ),
        _make_listed_row(
            "thresholded reader", "Thresholded()", _answers(37.1, 28.4, 13.4, 6.6), "published: thresholding + QD"
        ),
        _make_listed_row(
            "ensemble", "Ensemble()", _answers(42.3, 31.7, 14.3, 8.0), "published: ensemble with co-training + QD"
        ),
        _make_listed_row("gold answers", "GoldAnswers()", _questions(40.1, 19.2), _QD),
        _make_listed_row(
            "gold answers, without the prompt question", "GoldAnswers(with_question=False)", _questions(15.1, 19.2), _QD
        ),
        _make_listed_row(
            "gold answers, without the other answers", "GoldAnswers(with_others=False)", _questions(41.2, 17.2), _QD
        ),
    ),
    is_sampled=True,
    why="Published: dev, models trained on NQ-open and AmbigNQ over all of Wikipedia. "
    "Ours: a prompted model over the corpus named with --corpus.",
)
WRITTEN = system_recipe(
    name="written-models",
    title="Answers with a text model (--model) and without",
    layout="asqa",
    metrics=("StrEm()", "Rouge(profile='asqa')", "Length()"),
    rows=(
        _make_written_row("extractive", "Extractive()", "EvidenceOnly()"),
        _make_written_row("answers first", "Written()", "AnswersFirst()"),
        _make_written_row("question first", "Written()", "QuestionFirst()"),
        _make_written_row("thresholded reader", "Written()", "Thresholded()"),
        _make_written_row("ensemble", "Written()", "Ensemble()"),
    ),
    is_sampled=True,
)
