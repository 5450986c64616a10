"""An ambiguity check, rewrites, then an answer for each (after DISAMBIG-FIRST of Min et al. 2020)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from expound.clarify.candidates import Candidate
from expound.clarify.groups import group_candidates, make_readings, same_answer
from expound.clarify.rewrites import distinct, is_minimal, sets_apart
from expound.clarify.settings import EDITING, FOUNDING, REACH, Editing, Founding, Reach
from expound.clarify.spans import ModelSpans, OnSentence, find_promising
from expound.plugins import spec_text
from expound.prompts import check_model, prompt, quote
from expound.protocols import SentenceScorer, TextModel
from expound.text.answer_types import expected_type
from expound.text.normal import normalize_answer
from expound.text.words import content_stems
from expound.types import Evidence, Interpretation, Passage, Prompt, ScoredSentence

_SCHEMA = json.dumps(
    # Bounds for the grammar: a small model would go on with its list, and within one string.
    {"type": "array", "items": {"type": "string", "maxLength": 200}, "minItems": 1, "maxItems": 5},
)
# Sentences read for an answer to each rewrite: every one is a call to the model.
_READ = 3


@dataclass(frozen=True, repr=False)
class QuestionFirst:
    """The model says whether the question is ambiguous, writes its readings, and answers each from the evidence."""

    only_of_articles: ClassVar[bool] = True

    model: TextModel | None = field(default=None, repr=False)
    scorer: SentenceScorer | None = field(default=None, repr=False)
    on_sentence: OnSentence | None = field(default=None, repr=False)
    most: int = 4
    sentences: int = 6
    threshold: float = 0.5
    """How probable "Yes, it is ambiguous" has to be."""
    reach: Reach = REACH
    founding: Founding = FOUNDING
    editing: Editing = EDITING

    __repr__ = spec_text

    def __post_init__(self) -> None:
        check_model(self.model, self)

    @property
    def most_calls(self) -> int:
        """How many calls to the model a question takes at most."""
        # The check and the rewrites, then the sentences of every rewrite
        # and, where none stands, of the question itself.
        return 2 + _READ * (self.most + 1)

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings that have an answer of their own; one, as it was asked, when there is one answer."""
        assert self.scorer is not None
        if expected_type(question) == "explanation":
            return []
        scored, passages = find_promising(self.scorer, question, evidence, self.sentences, reach=self.reach)
        if not scored:
            return []
        rewrites = self._rewrites(question, scored, passages)
        found = self._answer_rewrites(rewrites, scored, passages)
        kept = _set_apart(question, _with_own_answer(rewrites, found))[: self.most]
        if len(kept) > 1:
            return make_readings(question, [text for text, _ in kept], [[candidate] for _, candidate in kept])
        candidates = self._spans(question, scored[:_READ], passages)
        groups = group_candidates(question, candidates, founding=self.founding)[:1]
        return make_readings(question, [None] * len(groups), groups)

    def _rewrites(self, question: str, scored: Sequence[ScoredSentence], passages: Mapping[int, Passage]) -> list[str]:
        """The readings that the model writes, if it finds the question ambiguous: minimal edits, all different."""
        assert self.model is not None
        asked = _prompt("is_ambiguous", question, scored, passages)
        [(yes, no)] = self.model.weigh([asked], ["Yes", "No"])
        # The two options' share of each other: what the model would rather have said does not count.
        if yes <= self.threshold * (yes + no):
            return []
        [reply] = self.model.complete([_prompt("readings", question, scored, passages, schema=_SCHEMA)])
        # What neither the sentences nor the question say was made up.
        said = {stem for sentence in scored for stem in _stems(sentence, passages)} | set(content_stems(question))
        # A rewrite goes into prompts as a question does, so it must not carry marks that stand in a document.
        plain = {normalize_answer(text): text for text in _texts(reply) if quote(text) == text}.values()
        minimal = [text for text in plain if is_minimal(text, question, self.editing)]
        # A word from nowhere makes a question that the evidence cannot answer.
        texts = [text for text in minimal if said.issuperset(content_stems(text))]
        return [text for text in distinct(texts, question) if text]

    def _answer_rewrites(
        self, rewrites: Sequence[str], scored: Sequence[ScoredSentence], passages: Mapping[int, Passage]
    ) -> list[Candidate | None]:
        """The first answer that the sentences nearest to each rewritten question give to it."""
        asked = [(text, _nearest(text, scored, passages)) for text in rewrites]
        return [next(iter(found), None) for found in self._spans.read_all(asked, passages)]

    @property
    def _spans(self) -> ModelSpans:
        assert self.model is not None
        return ModelSpans(self.model, self.on_sentence)


def _nearest(text: str, scored: Sequence[ScoredSentence], passages: Mapping[int, Passage]) -> list[ScoredSentence]:
    """The few sentences that share most with a question."""
    wanted = set(content_stems(text))
    return sorted(scored, key=lambda sentence: -len(wanted & _stems(sentence, passages)))[:_READ]


def _with_own_answer(rewrites: Sequence[str], found: Sequence[Candidate | None]) -> list[tuple[str, Candidate]]:
    """A rewrite whose answer an earlier one has already does not change the answers: it is left out."""
    kept: list[tuple[str, Candidate]] = []
    for text, candidate in zip(rewrites, found, strict=True):
        if candidate and not any(same_answer(candidate.answer, other.answer) for _, other in kept):
            kept.append((text, candidate))
    return kept


def _set_apart(question: str, kept: Sequence[tuple[str, Candidate]]) -> list[tuple[str, Candidate]]:
    """The rewrites whose added names and numbers stand where their answer does; all they add, with no other answer."""
    asked = set(content_stems(question))
    return [
        (text, candidate)
        for text, candidate in kept
        # Fewer words than were asked add nothing that could be wrong: "the PM and viceroy" to "the PM".
        if set(content_stems(text)) < asked
        or sets_apart(text, question, [candidate], [[other] for _, other in kept if other is not candidate])
    ]


def _prompt(
    name: str,
    question: str,
    scored: Sequence[ScoredSentence],
    passages: Mapping[int, Passage],
    *,
    schema: str = "",
) -> Prompt:
    lines = [
        f"({quote(passages[sentence.number].title)}) <sentence>{quote(sentence.text)}</sentence>" for sentence in scored
    ]
    # Room for four or five questions; the schema ends them sooner.
    return prompt(name, schema=schema, max_tokens=160, question=question, sentences="\n".join(lines))


def _texts(reply: str) -> list[str]:
    try:
        found = json.loads(reply)
    except (json.JSONDecodeError, RecursionError):  # the reply was cut off, or nests without end
        return []
    return [" ".join(text.split()) for text in found if isinstance(text, str)] if isinstance(found, list) else []


def _stems(sentence: ScoredSentence, passages: Mapping[int, Passage]) -> set[str]:
    return set(content_stems(f"{passages[sentence.number].title} {sentence.text}"))
