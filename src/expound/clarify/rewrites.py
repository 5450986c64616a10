"""Questions rewritten by a text model, one for each answer; code decides whether a rewrite may stand."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from expound.clarify.candidates import Candidate
from expound.clarify.contrast import rewrite_all
from expound.clarify.groups import names_asked, words_said
from expound.clarify.settings import EDITING, Editing
from expound.models.question_rewriter import GivenAnswer, QuestionRewriter
from expound.prompts import prompt, quote
from expound.protocols import TextModel
from expound.text.normal import normalize_answer
from expound.text.words import content_stems
from expound.types import Prompt

# Room for a question; the pattern below ends it sooner.
_TOKENS = 32
# Capitals and digits are facts, which must be true; other words only shape the question.
_FACT = re.compile(r"(?<!^)\b(?:[A-Z]\w*|\w*\d\w*)")
# Verbs that many others may stand for: women get the vote, gain it or receive it.
_LIGHT = re.compile(r"\b(?:get|gets|got|come|comes|came|take|takes|took|make|makes|made|happens?|happened)\b")
# One question, and no more: small models go on with what they have read.
_QUESTION = r"^[^?<>]{8,140}\?$"


@dataclass(frozen=True)
class Rewriter:
    """Minimal edits of a question, each conditioned on all answers.

    The ablations of Min et al. (2020), Table 4: `with_question=False` hides the question that was asked,
    `with_others=False` the other answers.
    """

    model: TextModel
    with_question: bool = True
    with_others: bool = True
    editing: Editing = EDITING

    def rewrite(self, question: str, groups: Sequence[Sequence[Candidate]]) -> list[str | None]:
        """A question for each group of candidates, all different; None for one that nothing sets apart."""
        return self.mend(question, groups, self.write(question, groups))

    def mend(self, question: str, groups: Sequence[Sequence[Candidate]], written: Sequence[str]) -> list[str | None]:
        """What was written for each group where it may stand, else what code makes of the question."""
        checked = [
            text if text and self._may_stand(text, question, group, groups) else None
            for text, group in zip(written, groups, strict=True)
        ]
        # Code's rewrites are made in any case: they stand in wherever the model's may not.
        plain = rewrite_all(question, groups)
        # Checked once more together: a model's question may equal one that code has made for another reading.
        return distinct([text or other for text, other in zip(checked, plain, strict=True)], question)

    def write(self, question: str, groups: Sequence[Sequence[Candidate]]) -> list[str]:
        """What the model writes, before any check."""
        if self.with_others:
            name = "rewrites" if self.with_question else "question_for"
            # In one call where the model may see all answers: what sets them apart is seen side by side.
            [reply] = self.model.complete([_prompt(name, question, groups)])
            return _questions(reply, len(groups))
        name = "rewrite_alone" if self.with_question else "question_for"
        replies = self.model.complete([_prompt(name, question, [group]) for group in groups])
        return [_questions(reply, 1)[0] for reply in replies]

    def _may_stand(
        self, text: str, question: str, group: Sequence[Candidate], groups: Sequence[Sequence[Candidate]]
    ) -> bool:
        others = [other for other in groups if other is not group]
        # The ablation cannot keep the words of a question that it is not shown.
        keeps = not self.with_question or is_minimal(text, question, self.editing)
        return keeps and not gives_away(text, question, group) and sets_apart(text, question, group, others)


def write_taught(writer: str, question: str, groups: Sequence[Sequence[Candidate]]) -> list[str]:
    """What a writer that was taught to rewrite makes of a question for each group, unchecked."""
    best = [group[0] for group in groups]
    given = [GivenAnswer(one.answer, one.passage.title, one.sentence.text) for one in best]
    return QuestionRewriter(writer).rewrite(question, given)


def mend_taught(question: str, groups: Sequence[Sequence[Candidate]], written: Sequence[str]) -> list[str | None]:
    """What a writer that was taught to rewrite has written, where its facts stand somewhere; else what code makes.

    Taught on what people added, it may say more freely than a prompted model what sets an answer apart.
    """
    known = _words_known(question, groups)
    checked = [
        text if _facts(text) <= known and _differs(text, question) and not gives_away(text, question, group) else None
        for text, group in zip(written, groups, strict=True)
    ]
    plain = rewrite_all(question, groups)
    return distinct([text or other for text, other in zip(distinct(checked, question), plain, strict=True)], question)


def _differs(text: str, question: str) -> bool:
    """Whether a rewrite has other words than the question: "in The Lion King in The Lion King" only repeats some."""
    return set(content_stems(text)) != set(content_stems(question))


def _facts(text: str) -> set[str]:
    return {word.lower() for fact in _FACT.findall(text) for word in _words(fact)}


def _words_known(question: str, groups: Sequence[Sequence[Candidate]]) -> set[str]:
    """The words of the question, of all answers and of where they stand."""
    sources = (f"{one.answer} {one.passage.title} {one.sentence.text}" for group in groups for one in group)
    return {word for text in (question, *sources) for word in _words(text)}


def is_minimal(text: str, question: str, editing: Editing = EDITING) -> bool:
    """Whether most words of the question are kept, its names among them, and only a few are added."""
    before, after = _words(question), _words(text)
    kept = sum(word in after for word in before)
    names = [word.lower() for word in names_asked(question)]
    # Counted as added: all words behind those kept, so that a paraphrase is long even if it is not longer.
    is_short = len(after) - kept <= editing.most_added
    return kept >= editing.least_kept * len(before) and is_short and set(names) <= set(after)


def leaves_out(text: str, question: str, group: Sequence[Candidate]) -> bool:
    """Whether a rewrite leaves out what the question is about, and the answer's source does not speak of it either."""
    about = _LIGHT.sub("", question)
    source = f"{group[0].passage.title} {group[0].sentence.text}"
    return bool(text) and words_said(about, f"{text} {source}") < words_said(about, about)


def gives_away(text: str, question: str, group: Sequence[Candidate]) -> bool:
    """Whether the rewrite says an answer that the question did not."""
    normal, asked = f" {normalize_answer(text)} ", f" {normalize_answer(question)} "
    answers = [f" {normalize_answer(candidate.answer)} " for candidate in group]
    return any(answer in normal and answer not in asked for answer in answers)


def sets_apart(text: str, question: str, group: Sequence[Candidate], others: Sequence[Sequence[Candidate]]) -> bool:
    """Whether added names and numbers stand in the reading's own sources, and something added in no other's."""
    asked = set(content_stems(question))
    own = _stems(group)
    facts = {stem for word in _FACT.findall(text) for stem in content_stems(word)} - asked
    added = own & set(content_stems(text)) - asked
    # Against the others' best sentence: that is what their own questions are made of.
    return own >= facts and all(added - _stems(other[:1]) for other in others) and bool(added)


def distinct(texts: Sequence[str | None], question: str) -> list[str | None]:
    """Rewrites without those that equal another one or the question: they do not change what the answers are."""
    normals = [normalize_answer(text) if text else "" for text in texts]
    asked = normalize_answer(question)
    return [
        text if text and normal != asked and normals.count(normal) == 1 else None
        for text, normal in zip(texts, normals, strict=True)
    ]


def schema_of(count: int) -> str:
    """The shape of a reply with one question for each number."""
    names = [str(number) for number in range(1, count + 1)]
    fields = {name: {"type": "string", "pattern": _QUESTION} for name in names}
    return json.dumps({"type": "object", "properties": fields, "required": names, "additionalProperties": False})


def _prompt(name: str, question: str, groups: Sequence[Sequence[Candidate]]) -> Prompt:
    lines = [
        f"{number}. {quote(group[0].answer)} ({quote(group[0].passage.title)}: {quote(group[0].sentence.text)})"
        for number, group in enumerate(groups, start=1)
    ]
    fields = {"question": question, "answers": "\n".join(lines)}
    # Sixteen for the braces and names of the JSON.
    return prompt(name, schema=schema_of(len(groups)), max_tokens=16 + _TOKENS * len(groups), **fields)


def _questions(reply: str, count: int) -> list[str]:
    """The questions of a reply; empty ones where it is broken, which a cut-off reply is."""
    try:
        found = json.loads(reply)
    except (json.JSONDecodeError, RecursionError):
        return [""] * count
    # A reply of another shape, such as a bare list, is as broken as one that was cut off.
    texts = [found.get(str(number), "") for number in range(1, count + 1)] if isinstance(found, dict) else []
    return [_tidy(text) if isinstance(text, str) else "" for text in texts] or [""] * count


def _tidy(text: str) -> str:
    text = quote(text).rstrip(" .")  # a question that a document has a hand in goes into prompts again
    return text if not text or text.endswith("?") else f"{text}?"


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _stems(group: Sequence[Candidate]) -> set[str]:
    return {
        stem for candidate in group for stem in content_stems(f"{candidate.passage.title} {candidate.sentence.text}")
    }
