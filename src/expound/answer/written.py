"""A model that can write does, and every sentence is proved; a small one only reads, and code assembles its finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

from expound.answer.copied import note_stand_in, read_by
from expound.answer.extractive import Choice, Extractive
from expound.answer.verification import find_uncovered, is_whole, proof_of, repeats, verify, without_repetition
from expound.errors import UserError
from expound.prompts import check_model, prompt, quote
from expound.protocols import SentenceScorer, TextModel
from expound.text.ambiguity import OPENINGS, kind_of
from expound.text.sentences import split_sentences
from expound.types import Answer, Evidence, Interpretation, Prompt, ScoredSentence, Sentence

STYLES = {
    "asqa": "",
    "eli5": ", in simple words, for someone who knows nothing of the subject",
    "brief": ", as short as the matter allows",
}
# Share of the words that the style "brief" takes.
_BRIEF = 0.5
# About 400 tokens: a model of 1.5 billion weights reads some 30 of them a second on two cores.
_EVIDENCE_WORDS = 300
# Room for names and numbers, which take several tokens a word.
_TOKENS_A_WORD = 2
# A model has found the readings: each of them is to be answered before anything else is said.
_FOR_READINGS = Choice(reading_bonus=1.0)

OnSentence: TypeAlias = Callable[[Sentence], None]
"""Called with each sentence as soon as it is proved."""
Say: TypeAlias = Callable[[str], None]
"""Called with what the user should know about how an answer was made."""


@dataclass(frozen=True)
class Written:
    """One paragraph over all readings, in about `words` words; `style` is asqa, eli5 or brief."""

    model: TextModel | None = field(default=None, repr=False)
    scorer: SentenceScorer | None = field(default=None, repr=False)
    on_sentence: OnSentence | None = field(default=None, repr=False)
    say: Say | None = field(default=None, repr=False)
    words: int = 80
    style: str = "asqa"
    without_model: ClassVar[str] = "Composed"
    """What answers where the model cannot be asked."""

    def __post_init__(self) -> None:
        check_model(self.model, self)
        if self.style not in STYLES:
            raise UserError(f"no style {self.style!r}; there are: {', '.join(STYLES)}")

    @property
    def most_calls(self) -> int:
        """How many calls to the model a question takes at most."""
        return 1 if self.model and self.model.capability == "writer" else 0

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The paragraph, every sentence with what proves it; empty when the evidence does not hold an answer."""
        assert self.model is not None
        # Always, and first: it decides about abstaining, it stands in when
        # the model fails, and the prompt needs the same scores.
        copied = self._assembler.answer(question, evidence, interpretations)
        if not copied.text:
            return copied
        if self.model.capability != "writer":
            return read_by(add_opening(copied, question, interpretations), self.model.name)
        asked = self._prompt(question, evidence, interpretations)
        if asked is None:
            # Nothing was asked: the model is not to blame, but the answer has to say why it is copied.
            return self._stand_in(copied, "has no room for the evidence")
        text, written = self._write_proved(asked, evidence, interpretations)
        wrote = "wrote nothing that the sources prove" if text.strip() else "wrote nothing"
        return _join_answer(written) if written else self._stand_in(copied, wrote)

    def abstains_from(self, question: str, evidence: Sequence[Evidence]) -> bool:
        """Whether nothing in the evidence supports an answer: then no model needs to read it."""
        return self._assembler.abstains_from(question, evidence)

    @property
    def _assembler(self) -> Extractive:
        """What answers by copying, in as many words as the style takes."""
        assert self.scorer is not None
        words = round(self.words * _BRIEF) if self.style == "brief" else self.words
        return Extractive(self.scorer, words, choice=_FOR_READINGS)

    def _stand_in(self, copied: Answer, failing: str) -> Answer:
        """The sources' sentences in the place of the model's, which is said."""
        assert self.model is not None
        reason = f"{self.model.name} {failing}"
        if self.say:
            self.say(f"{reason}; the answer is made of the sources' own sentences")
        return note_stand_in(copied, repr(self), reason)

    def _write_proved(
        self, asked: Prompt, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation]
    ) -> tuple[str, list[Sentence]]:
        """What the model writes, and of it what is proved; with every reading that it left out."""
        assert self.model is not None
        paragraph = _Paragraph(evidence, self.on_sentence)
        [text] = self.model.complete([asked], on_text=lambda _place, piece: paragraph.hear(piece))
        sentences = paragraph.finished(text)
        if not sentences:
            return text, []
        # A reading that the model passed over is answered by a source's sentence, so that no reading goes missing.
        missing = (proof_of(reading, evidence) for reading in find_uncovered(sentences, interpretations))
        return text, without_repetition([*sentences, *(proof for proof in missing if proof)])

    def _prompt(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation]
    ) -> Prompt | None:
        """The prompt with as many of the sentences that matter as fit into the model's context; None if none does."""
        assert self.model is not None
        assert self.scorer is not None
        chosen, words = compress(self.scorer.score(question, evidence), interpretations), self._assembler.words
        style = STYLES[self.style]
        # The best sentences first: whatever is dropped for room is the least promising.
        for count in range(len(chosen), 0, -1):
            asked = _prompt(question, evidence, chosen[:count], interpretations, words=words, style=style)
            if self.model.fits(asked):
                self._say_trimmed(count, len(chosen))
                return asked
        self._say_trimmed(0, len(chosen))
        return None

    def _say_trimmed(self, count: int, of: int) -> None:
        if self.say and count < of:
            self.say(f"the model's context has room for {count} of the {of} sentences of evidence that it should see")


class _Paragraph:
    """Text that arrives in pieces: each sentence is proved as soon as the next one begins."""

    def __init__(self, evidence: Sequence[Evidence], on_sentence: OnSentence | None) -> None:
        self._evidence, self._on_sentence = evidence, on_sentence
        self._text, self._done = "", 0
        self._proved: list[Sentence] = []

    def hear(self, piece: str) -> None:
        self._text += piece
        # Whether a full stop ends a sentence is sure once the word behind it is whole: "St. J" may go on.
        whole_words, _, _ = self._text.rpartition(" ")
        self._prove(split_sentences(whole_words)[:-1])

    def finished(self, text: str) -> list[Sentence]:
        """All sentences that could be proved. One that was cut off by the length limit is not a sentence."""
        if not text.startswith(self._text):  # the reply broke off, was begun again and came out otherwise
            self._proved, self._done = [], 0
        sentences = split_sentences(text)
        self._prove(sentences if is_whole(text) else sentences[:-1])
        return self._proved

    def _prove(self, sentences: Sequence[str]) -> None:
        # A sentence that was shown cannot be taken back: none is looked at twice.
        for text in sentences[self._done :]:
            sentence = verify(text, self._evidence)
            if sentence and not repeats(sentence, self._proved):
                self._proved.append(sentence)
                if self._on_sentence:
                    self._on_sentence(sentence)
        self._done = max(self._done, len(sentences))


def compress(scored: Sequence[ScoredSentence], interpretations: Sequence[Interpretation]) -> list[ScoredSentence]:
    """The sentences that matter, about 400 tokens of them: first one for each reading, then the best of the rest."""
    firsts = [
        next((sentence for sentence in scored if sentence.number in reading.citations), None)
        for reading in interpretations
    ]
    ordered = dict.fromkeys([*(sentence for sentence in firsts if sentence), *scored])
    chosen: list[ScoredSentence] = []
    length = 0
    for sentence in ordered:
        length += len(sentence.text.split())
        # The first in any case: an overlong sentence is better than a prompt without evidence.
        if chosen and length > _EVIDENCE_WORDS:
            break
        chosen.append(sentence)
    return chosen


def add_opening(answer: Answer, question: str, interpretations: Sequence[Interpretation]) -> Answer:
    """The answer with a remark in brackets on where the ambiguity comes from, if it gives two readings' answers."""
    given = len(interpretations) - len(find_uncovered(answer.sentences, interpretations))
    # Two, since one answer alone is no ambiguity that the reader could see.
    if given < 2:
        return answer
    first, *rest = answer.sentences
    remark = OPENINGS[kind_of(question, interpretations)]
    return _join_answer([replace(first, text=f"[{remark}] {first.text}"), *rest])


def _prompt(
    question: str,
    evidence: Sequence[Evidence],
    chosen: Sequence[ScoredSentence],
    interpretations: Sequence[Interpretation],
    *,
    words: int,
    style: str,
) -> Prompt:
    titles = {item.number: item.passage.title for item in evidence}
    lines = [
        f"{number}. ({quote(titles[sentence.number])}) <sentence>{quote(sentence.text)}</sentence>"
        for number, sentence in enumerate(chosen, start=1)
    ]
    # Six: more readings would ask for more sentences than the paragraph has.
    readings = "".join(f"Reading: {reading.question} ({reading.answers[0]})\n" for reading in interpretations[:6])
    fields = {"question": question, "sentences": "\n".join(lines), "words": str(words), "style": style}
    # Sixty for what the words do not count: brackets, dates and a last sentence that runs over.
    return prompt("paragraph", max_tokens=_TOKENS_A_WORD * words + 60, readings=quoted_lines(readings), **fields)


def quoted_lines(text: str) -> str:
    """Several lines of quoted text, each on its own line still."""
    return "".join(f"{quote(line)}\n" for line in text.splitlines())


def _join_answer(sentences: Sequence[Sentence]) -> Answer:
    return Answer(" ".join(sentence.text for sentence in sentences), tuple(sentences))
