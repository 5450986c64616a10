"""AmbigQA's Table 4 (Min et al. 2020): rewriting alone, with gold answers, and what it is worth in the full task."""

from __future__ import annotations

from expound.recipes.findings import Row
from expound.recipes.systems import Parts, system_recipe

_GOLD = "gold answers: those of the annotation that has most"
_FULL = "full task: the readings that ask shows"
_SHOWN = "EvidenceOnly(single=True)"


def _make_row(name: str, clarify: str, published: tuple[float, float] | None = None, why: str = _GOLD) -> Row:
    figures = dict(zip(("f1_bleu4", "f1_edit_f1"), published, strict=True)) if published else {}
    # Gold answers are told apart by the passages that hold them; the question as it was asked needs none.
    needs_none = clarify.startswith("GoldAnswersPrompt") or name.endswith("without passages")
    parts = Parts(
        "ListAnswers()",
        "Nothing" if needs_none else "Hybrid",
        clarify,
        reader="auto" if _SHOWN in clarify else "none",
    )
    return Row(name, figures, parts, why=why)


def _make_writer_row(name: str, clarify: str) -> Row:
    # Words alone find the evidence, as they did for what the writer has learnt.
    return Row(name, how=Parts("ListAnswers()", retrieve="Lexical", clarify=clarify), why=_GOLD)


RECIPE = system_recipe(
    name="ambigqa-table4",
    title="AmbigQA, Table 4: a question for each answer",
    layout="ambignq",
    metrics=("F1Bleu(order=4)", "F1EditF1()", "F1Answer(multi=True)"),
    rows=(
        _make_row("QD model", "GoldAnswers()", (40.1, 19.2)),
        _make_row("QD model without the prompt question", "GoldAnswers(with_question=False)", (15.1, 19.2)),
        _make_row("QD model without untargeted answers", "GoldAnswers(with_others=False)", (41.2, 17.2)),
        _make_row("always the prompt question", "GoldAnswersPromptQuestion()", (47.4, 0.0)),
        _make_row("QD model without passages", "GoldAnswers()"),
        _make_writer_row("by a trained writer", "GoldAnswers(writer='{rewriter}')"),
        _make_writer_row("by a trained writer, checked", "GoldAnswers(writer='{rewriter}', checked=True)"),
        _make_row("full task, QD model", _SHOWN, (14.3, 8.0), _FULL),
        _make_row("full task, always the prompt question", f"PromptQuestion(of={_SHOWN!r})", (15.9, 0.0), _FULL),
    ),
    is_sampled=True,
    why="Published: a trained rewriter, and in the full task an ensemble with co-training. Ours: code rewrites, or the "
    "text model named with --model, without which no question can be written that does not see the one that was asked; "
    "the full task's ablations with a model are rows of clarify-models.",
)
