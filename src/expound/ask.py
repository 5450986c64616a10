"""Question to answer, the main job: retrieve, clarify, answer, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from expound import plugins
from expound.errors import UserError
from expound.protocols import Answerer, Clarifier, InformedAnswerer, InformedClarifier, Retriever
from expound.records import question_id
from expound.retrieve.given import Given
from expound.types import Answer, Evidence, Interpretation, Prediction, Question, Sentence

DEFAULT_SYSTEM = "Extractive"
RETRIEVED = 20


@dataclass(frozen=True)
class System:
    """Everything that answers a question, opened once and used for many."""

    retriever: Retriever
    clarifier: Clarifier | InformedClarifier
    answerer: Answerer | InformedAnswerer
    corpora: tuple[str, ...]
    embedder: str

    def ask(self, question: str) -> Prediction:
        """The answer to a question that nothing else is known of."""
        for part in (self.clarifier, self.answerer):
            if isinstance(part, InformedAnswerer | InformedClarifier):
                raise UserError(f"{part!r} looks at a dataset's own answers: use it in expound run")
        return self.predict(Question(question_id(question), question))

    def predict(self, question: Question) -> Prediction:
        """The answer with its readings and its evidence; an empty one when the evidence does not hold it."""
        started = time.perf_counter()
        evidence = self._evidence(question)
        interpretations = self.readings(question, evidence)
        answer = self._answer(question, evidence, interpretations)
        if not answer.text:
            interpretations = []
        answer, interpretations, evidence = numbered_by_appearance(answer, interpretations, evidence)
        return Prediction(
            id=question.id,
            question=question.text,
            system=repr(self.answerer),
            answer=answer,
            interpretations=tuple(interpretations),
            evidence=tuple(evidence),
            abstained=not answer.text,
            seconds=time.perf_counter() - started,
            meta={"corpora": list(self.corpora), "retriever": repr(self.retriever), "embedder": self.embedder},
        )

    def _evidence(self, question: Question) -> list[Evidence]:
        if isinstance(self.retriever, Given):
            return self.retriever.evidence_of(question)
        return self.retriever.retrieve(question.text, k=RETRIEVED)

    def readings(self, question: Question, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """What the clarifier makes of a question."""
        if isinstance(self.clarifier, InformedClarifier):
            return self.clarifier.clarify_to(question, evidence)
        return self.clarifier.clarify(question.text, evidence)

    def _answer(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation]
    ) -> Answer:
        if isinstance(self.answerer, InformedAnswerer):
            return self.answerer.answer_to(question, evidence, interpretations)
        return self.answerer.answer(question.text, evidence, interpretations)


def ask(
    question: str,
    *,
    corpus: str | Path | Sequence[str | Path] = (),
    model: str = "auto",
    words: int = 80,
    system: str = DEFAULT_SYSTEM,
) -> Prediction:
    """Answer a question from a corpus: a name, a path, or several; by default the user's only one, else the sampler."""
    specs = [corpus] if isinstance(corpus, str | Path) else list(corpus)
    return open_system([str(spec) for spec in specs], model=model, words=words, system=system).ask(checked(question))


def open_system(
    corpora: Sequence[str] = (),
    *,
    model: str = "auto",
    words: int = 80,
    system: str = DEFAULT_SYSTEM,
    retrieve: str = "Hybrid",
    clarify: str = "EvidenceOnly",
    without: str = "",
) -> System:
    """Open the corpora and build the parts that the specs name.

    `without` is the dataset that will be asked: parts that look at training questions leave its questions out.
    """
    if model not in ("auto", "none"):
        raise UserError(f"no text model {model!r}: this version answers with --model none (sentences from the sources)")
    if words < 1:
        raise UserError("--words must be at least 1")
    # Imported here: `import expound` and `expound --help` need none of it.
    from expound import library
    from expound.models import default_ranker
    from expound.models.scorer import Scorer

    opened = library.open_corpora(corpora) if plugins.takes("retrieve", retrieve, "corpora") else []
    embedder = library.default_embedder()
    scorer = Scorer(embedder, default_ranker())
    return System(
        retriever=plugins.build("retrieve", retrieve, corpora=opened, embedder=embedder),
        clarifier=plugins.build("clarify", clarify, scorer=scorer),
        answerer=plugins.build("answer", system, scorer=scorer, words=words, embedder=embedder, without=without),
        corpora=tuple(item.name for item in opened),
        embedder=embedder.name if embedder else "",
    )


def numbered_by_appearance(
    answer: Answer, interpretations: Sequence[Interpretation], evidence: Sequence[Evidence]
) -> tuple[Answer, list[Interpretation], list[Evidence]]:
    """Number the evidence in the order in which it is cited; what is not cited comes after."""
    parts: list[Sentence | Interpretation] = [*answer.sentences, *interpretations]
    cited = [number for part in parts for number in part.citations]
    order = dict.fromkeys([*cited, *(item.number for item in evidence)])
    new = {old: number for number, old in enumerate(order, start=1)}

    def renumbered(numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(new[number] for number in numbers))

    sentences = tuple(replace(sentence, citations=renumbered(sentence.citations)) for sentence in answer.sentences)
    readings = [replace(reading, citations=renumbered(reading.citations)) for reading in interpretations]
    items = [replace(item, number=new[item.number]) for item in evidence]
    return replace(answer, sentences=sentences), readings, sorted(items, key=lambda item: item.number)


def checked(question: str) -> str:
    """The question without surrounding space; an empty one is a user's mistake."""
    text = " ".join(question.split())
    if not any(character.isalnum() for character in text):
        raise UserError("the question is empty: it has no word in it")
    if len(text) > 2000:
        raise UserError(f"the question has {len(text):,} characters; 2,000 are the most")
    return text
