"""What a text model adds: every way to clarify on AmbigNQ, and the default route against the extractive one on ASQA."""

from __future__ import annotations

from expound.recipes.table import Recipe, Row

_OURS = "ours"
_FULL = {"f1_answer": 39.7, "f1_answer_multi": 29.3, "f1_bleu4": 13.4, "f1_edit_f1": 7.2}
_SPANS = {"f1_answer": 37.1, "f1_answer_multi": 28.4, "f1_bleu4": 13.4, "f1_edit_f1": 6.6}
_VOTES = {"f1_answer": 42.3, "f1_answer_multi": 31.7, "f1_bleu4": 14.3, "f1_edit_f1": 8.0}
_FIRST = {"f1_answer": 28.1, "f1_answer_multi": 21.9, "f1_bleu4": 4.2, "f1_edit_f1": 2.7}
_QD = "published: QD model"
_WHY = (
    "Published: dev, models trained on NQ-open and AmbigNQ over all of Wikipedia. "
    "Ours: a prompted model over the corpus named with --corpus."
)


def _listed(name: str, clarify: str, published: dict[str, float] | None = None, why: str = _OURS) -> Row:
    reader = "auto" if clarify.startswith("Thresholded") else "none"
    return Row(name, published or {}, "ListAnswers()", "Hybrid", clarify, why=why, reader=reader)


CLARIFY = Recipe(
    "clarify-models",
    "Ways to clarify, with a text model (--model)",
    "ambignq",
    ("F1Answer()", "F1Answer(multi=True)", "F1Bleu(order=4)", "F1EditF1()"),
    (
        _listed("evidence only", "EvidenceOnly(single=True)"),
        _listed("answers first", "AnswersFirst()", _FULL, "published: SPANSEQGEN + QD"),
        _listed(
            "answers first, without the prompt question",
            "AnswersFirst(with_question=False)",
            {"f1_bleu4": 6.7, "f1_edit_f1": 7.7},
            _QD,
        ),
        _listed(
            "answers first, without the other answers",
            "AnswersFirst(with_others=False)",
            {"f1_bleu4": 14.2, "f1_edit_f1": 7.3},
            _QD,
        ),
        _listed("question first", "QuestionFirst()", _FIRST, "published: DISAMBIG-FIRST"),
        _listed("thresholded reader", "Thresholded()", _SPANS, "published: thresholding + QD"),
        _listed("ensemble", "Ensemble()", _VOTES, "published: ensemble with co-training + QD"),
        _listed("gold answers", "GoldAnswers()", {"f1_bleu4": 40.1, "f1_edit_f1": 19.2}, _QD),
        _listed(
            "gold answers, without the prompt question",
            "GoldAnswers(with_question=False)",
            {"f1_bleu4": 15.1, "f1_edit_f1": 19.2},
            _QD,
        ),
        _listed(
            "gold answers, without the other answers",
            "GoldAnswers(with_others=False)",
            {"f1_bleu4": 41.2, "f1_edit_f1": 17.2},
            _QD,
        ),
    ),
    _WHY,
    sampled=True,
)
WRITTEN = Recipe(
    "written-models",
    "Answers with a text model (--model) and without",
    "asqa",
    ("StrEm()", "Rouge(profile='asqa')", "Length()"),
    (
        Row("extractive", {}, "Extractive()", "Hybrid", "EvidenceOnly()", why=_OURS),
        Row("default route", {}, "Written()", "Hybrid", "AnswersFirst()", why=_OURS),
        Row("question first", {}, "Written()", "Hybrid", "QuestionFirst()", why=_OURS),
        Row("thresholded reader", {}, "Written()", "Hybrid", "Thresholded()", why=_OURS, reader="auto"),
        Row("ensemble", {}, "Written()", "Hybrid", "Ensemble()", why=_OURS),
    ),
    sampled=True,
)
