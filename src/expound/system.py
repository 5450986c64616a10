"""Question to answer, the main job: retrieve, clarify, answer, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

from expound import plugins, prompts, resources
from expound.answer.copied import STAND_IN_FOR, note_stand_in
from expound.answer.kinds import question_kind
from expound.answer.numbering import keep_cited, merge_evidence, number_by_appearance
from expound.errors import EndpointFailed, ModelFailed, ResourceMissing, UserError
from expound.models.engine import GREEDY, Sampling
from expound.models.remarks import to_stderr
from expound.protocols import (
    Abstainer,
    Answerer,
    Clarifier,
    ContinuingAnswerer,
    ExplainingClarifier,
    FollowingRetriever,
    InformedAnswerer,
    InformedClarifier,
    InformedRetriever,
    Reader,
    Retriever,
    TextModel,
)
from expound.records import question_id
from expound.text.genre import are_articles
from expound.types import Answer, Evidence, Interpretation, Prediction, Question, Sentence

if TYPE_CHECKING:
    from expound.corpus.named import Corpus
    from expound.models.account import Account
    from expound.models.ledger import Forecast

DEFAULT_RETRIEVER = "Hybrid"
RETRIEVED = 20
"""Passages in view of an answer: with fewer, ASQA's answers hold less (recipes/LOG.md, "Choosing sentences")."""
RETRIEVED_AGAIN = 3
"""Passages for every reading that a text model found."""
NEAREST = 3
"""Passages that are shown where there is no answer."""

_OUTREAD = "{} is not asked: the span reader finds righter answers; the strategy AnswersFirst asks it"

OnSentence: TypeAlias = Callable[[Sentence], None]
"""Called with every sentence that is proved, as soon as it is; the answer may leave it out or put it elsewhere."""


@dataclass(frozen=True)
class System:
    """Everything that answers a question, opened once and used for many."""

    retriever: Retriever
    clarifier: Clarifier | InformedClarifier
    answerer: Answerer | InformedAnswerer
    corpora: tuple[str, ...]
    embedder: str
    model: TextModel | None = None
    stand_in: System | None = None
    """What answers when the text model fails for good."""
    say: Callable[[str], None] | None = field(default=None, repr=False)
    on_stage: Callable[[str], None] | None = field(default=None, repr=False)
    """Hears what is being done: an answer of chosen sentences comes in one piece, and somebody waits for it."""

    def ask(self, question: str, *, explain: bool = False) -> Prediction:
        """The answer to a question that nothing else is known of; `explain` records what readings were weighed."""
        self.check_asks_alone()
        prediction = self.predict(Question(question_id(question), question))
        return self._explain_prediction(prediction) if explain else prediction

    def check_asks_alone(self) -> None:
        """Refuse parts that look at a dataset's answers, before anything is searched: here nobody has any."""
        for part in (self.retriever, self.clarifier, self.answerer):
            if isinstance(part, InformedRetriever | InformedClarifier | InformedAnswerer):
                raise UserError(f"{part!r} looks at a dataset's own answers: use it in expound run")

    def _explain_prediction(self, prediction: Prediction) -> Prediction:
        """With what the clarifier weighed: it looks a second time, which whoever asks for reasons can wait for."""
        question = Question(prediction.id, prediction.question)
        weighed = {} if prediction.abstained else self.weighed(question, self.evidence(question))
        return replace(prediction, meta={**prediction.meta, "explain": weighed}) if weighed else prediction

    def weighed(self, question: Question, evidence: Sequence[Evidence]) -> dict[str, str]:
        """The answers that were weighed for `shown_readings`, with what became of each; nothing if none were."""
        if not isinstance(self.clarifier, ExplainingClarifier) or self.why_no_readings(question, evidence):
            return {}
        return self.clarifier.explain(question.text, evidence)

    def predict(self, question: Question) -> Prediction:
        """The answer with its readings and its evidence; an empty one when the evidence does not hold it.

        Where the text model fails for good, the answer is made without it, and says so.
        """
        # Wall time: it is what somebody waits.
        started = time.perf_counter()
        try:
            prediction = self._predict(question)
        # Only what a text model did: a bug of ours must not hide behind a stand-in.
        except (EndpointFailed, ModelFailed) as error:
            if self.stand_in is None:
                raise
            prediction = predict_without_model(self, question, str(error))
        return replace(prediction, seconds=time.perf_counter() - started)

    def _predict(self, question: Question) -> Prediction:
        self._begin("searching")
        evidence = self.evidence(question)
        self._begin(f"reading {_counted(evidence)}")
        interpretations = self.shown_readings(question, evidence)
        evidence = self._with_evidence_of(interpretations, evidence)
        self._begin("writing the answer" if self.model else "choosing sentences")
        behind = self._evidence_behind(question, evidence)
        answer = self._answer(question, evidence, interpretations, behind)
        evidence = [*evidence, *keep_cited(behind, answer)]
        if not answer.text:
            # Readings without an answer would promise what is not there.
            interpretations = []
        answer, interpretations, evidence = number_by_appearance(answer, interpretations, evidence)
        return Prediction(
            id=question.id,
            question=question.text,
            system=repr(self.answerer),
            answer=answer,
            interpretations=tuple(interpretations),
            evidence=tuple(evidence),
            abstained=not answer.text,
            # Shown only where there is no answer, so that the user sees what was nearest.
            nearest=() if answer.text else tuple(evidence[:NEAREST]),
            # Several readings say more about a question than its form does.
            question_kind="ambiguous" if len(interpretations) > 1 else question_kind(question.text),
            meta=self._list_parts(answer),
        )

    def _begin(self, stage: str) -> None:
        if self.on_stage:
            self.on_stage(stage)

    @property
    def resources(self) -> list[str]:
        """The fetched files that some part cannot do without."""
        return resources.list_needed((self.retriever, self.clarifier, self.answerer))

    def forecast(self, questions: int) -> Forecast:
        """What asking the text model so many questions takes at most, by the pace of its latest calls."""
        from expound.models.ledger import forecast_calls

        calls = questions * sum(getattr(part, "most_calls", 0) for part in (self.clarifier, self.answerer))
        # A plug-in's model may know nothing of its pace.
        known = getattr(self.model, "forecast_calls", None)
        return known(calls) if known else forecast_calls(calls if self.model else 0, pace=None)

    def _list_parts(self, answer: Answer) -> dict[str, Any]:
        parts = {"retriever": repr(self.retriever), "clarifier": repr(self.clarifier), "embedder": self.embedder}
        meta = {"corpora": list(self.corpora), **parts}
        # Without a text model there is no prompt whose version could matter.
        if self.model is None:
            return meta
        said = {name: note for name, note in answer.notes.items() if name == STAND_IN_FOR}
        return meta | {"model": self.model.name, "prompts": prompts.version()} | said

    def evidence(self, question: Question) -> list[Evidence]:
        """The passages to answer from, best first."""
        if isinstance(self.retriever, InformedRetriever):
            return self.retriever.retrieve_to(question, k=RETRIEVED)
        return self.retriever.retrieve(question.text, k=RETRIEVED)

    def _with_evidence_of(self, readings: Sequence[Interpretation], evidence: Sequence[Evidence]) -> list[Evidence]:
        """What a text model's readings cite comes first, then what is found for each, then the rest."""
        # A dataset's own passages are all that there is to find.
        if self.model is None or len(readings) < 2 or isinstance(self.retriever, InformedRetriever):
            return list(evidence)
        found = [self.retriever.retrieve(reading.question, k=RETRIEVED_AGAIN) for reading in readings]
        return merge_evidence(readings, evidence, found)

    def shown_readings(self, question: Question, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """The readings that an answer has: none where there is no answer, and none of manuals and the like."""
        return [] if self.why_no_readings(question, evidence) else self.readings(question, evidence)

    def why_no_readings(self, question: Question, evidence: Sequence[Evidence]) -> str:
        """Why evidence gives no readings, whatever the clarifier would find; nothing if it may."""
        # Asked first: where nothing supports an answer, readings would be invented and a model paid for nothing.
        if isinstance(self.answerer, Abstainer) and self.answerer.abstains_from(question.text, evidence):
            return "the evidence does not hold an answer"
        # What our clarifiers take for readings in manuals is mostly one thing said of several others: none are shown
        # there. Given readings, and a plug-in's, have nothing to do with where the passages come from.
        if getattr(self.clarifier, "only_of_articles", False) and not are_articles(evidence):
            return "the passages are of manuals, notes and the like, which have none"
        return ""

    def readings(self, question: Question, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """What the clarifier makes of a question."""
        if isinstance(self.clarifier, InformedClarifier):
            return self.clarifier.clarify_to(question, evidence)
        return self.clarifier.clarify(question.text, evidence)

    def _evidence_behind(self, question: Question, evidence: Sequence[Evidence]) -> list[Evidence]:
        """What stands behind the evidence in its documents, where the answer may have to go on there."""
        if not (isinstance(self.retriever, FollowingRetriever) and isinstance(self.answerer, ContinuingAnswerer)):
            return []
        if not self.answerer.may_continue(question.text, evidence):
            return []
        known = {item.passage.id for item in evidence}
        followed = (passage for item in evidence for passage in self.retriever.passages_behind(item.passage))
        new = {passage.id: passage for passage in followed if passage.id not in known}
        # Nobody searched for it: a score would pretend that it had been compared with the question.
        return [Evidence(passage, number, 0.0) for number, passage in enumerate(new.values(), start=len(evidence) + 1)]

    def _answer(
        self,
        question: Question,
        evidence: Sequence[Evidence],
        interpretations: Sequence[Interpretation],
        behind: Sequence[Evidence],
    ) -> Answer:
        if behind and isinstance(self.answerer, ContinuingAnswerer):
            return self.answerer.answer(question.text, evidence, interpretations, behind)
        if isinstance(self.answerer, InformedAnswerer):
            return self.answerer.answer_to(question, evidence, interpretations)
        return self.answerer.answer(question.text, evidence, interpretations)


def _counted(evidence: Sequence[Evidence]) -> str:
    """How much there is to read, in words.

    >>> _counted([])
    '0 passages of 0 documents'
    """
    documents = len({item.passage.source.file or item.passage.title for item in evidence})
    passages = "1 passage" if len(evidence) == 1 else f"{len(evidence)} passages"
    return f"{passages} of {'one document' if documents == 1 else f'{documents} documents'}"


def predict_without_model(system: System, question: Question, reason: str) -> Prediction:
    """What the system's stand-in answers, under the system's name; notes, meta and a remark give the reason."""
    assert system.stand_in is not None
    if system.say:
        system.say(f"{reason}; the answer is made of the sources' own sentences")
    made = system.stand_in.predict(question)
    answer = note_stand_in(made.answer, repr(system.answerer), reason)
    # Under its own name: the row of a table is the system that was asked.
    return replace(made, system=repr(system.answerer), answer=answer, meta=system._list_parts(answer))


def ask(
    question: str,
    *,
    corpus: str | Path | Sequence[str | Path] = (),
    model: str = "auto",
    words: int = 0,
    system: str = "",
    retrieve: str = DEFAULT_RETRIEVER,
    clarify: str = "",
    embedder: str = "",
) -> Prediction:
    """Answer a question from a corpus: a name, a path, or several; by default all of the user's, else the sampler."""
    specs = [corpus] if isinstance(corpus, str | Path) else list(corpus)
    opened = open_system(
        [str(spec) for spec in specs],
        model=model,
        words=words,
        system=system,
        retrieve=retrieve,
        clarify=clarify,
        embedder=embedder,
    )
    return opened.ask(check_question(question))


def open_system(
    corpora: Sequence[str | Corpus] = (),
    *,
    model: str | TextModel = "auto",
    sampling: Sampling = GREEDY,
    threads: int = 0,
    words: int = 0,
    style: str = "asqa",
    system: str = "",
    retrieve: str = DEFAULT_RETRIEVER,
    clarify: str = "",
    reader: str = "auto",
    embedder: str = "",
    without: str = "",
    on_sentence: OnSentence | None = None,
    account: Account | None = None,
    say: Callable[[str], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> System:
    """Open the corpora and build the parts that the specs name; without specs, those that fit the text model.

    Corpora and a text model that are open already are taken as they are.
    `embedder` is a file of `expound train retriever` to compare texts by.
    `without` is the dataset that will be asked: parts that look at training questions leave its questions out.
    `account` hears what the text model takes; `say` gets remarks, for example that evidence had to be left out because
    the model's context is too small; `on_stage` hears what is being done.
    """
    # 0 is the default and means that the kind of question decides.
    if words < 0:
        raise UserError("--words must be at least 1; without it the kind of question decides")
    # Imported here: `import expound` and `expound --help` need none of it.
    from expound.answer.answerable import MOST_COUNTED
    from expound.answer.sentence_scores import SignScorer
    from expound.corpus import library
    from expound.models.shipped import default_static

    text_model = _text_model(model, system, clarify, sampling=sampling, threads=threads, account=account, say=say)
    if not _asks_model(system, clarify) and _is_outread(text_model, reader):
        # Who let us choose need not hear of it every time.
        if model != "auto":
            (say or to_stderr)(_OUTREAD.format(text_model.name))
        text_model = None
    system = system or ("Written" if text_model else "Composed")
    clarify = clarify or ("AnswersFirst" if text_model else "EvidenceOnly")
    # A retriever that needs no corpus opens none: the sampler would be built for nothing.
    opened = library.open_corpora(corpora) if plugins.takes("retrieve", retrieve, "corpora") else []
    vectors = library.open_embedder(embedder)
    static = default_static()
    scorer = SignScorer(vectors, library.default_ranker(), static=static)
    # What a part does not take is left out by `plugins.build`.
    parts: dict[str, Any] = {"scorer": scorer, "model": text_model, "on_sentence": on_sentence, "say": say}
    # Counted no further than where it stops to matter, since a corpus may have millions.
    parts |= {"passages": sum(corpus.store.count_up_to(MOST_COUNTED) for corpus in opened)} if opened else {}
    # 0 words means that a part's own default holds.
    parts |= {"words": words} if words else {}
    built = System(
        retriever=plugins.build(
            "retrieve",
            retrieve,
            corpora=opened,
            embedder=vectors,
            static=static,
            ranker=library.default_passage_ranker(),
        ),
        clarifier=plugins.build("clarify", clarify, reader=_reader(reader, "clarify", clarify), **parts),
        answerer=plugins.build(
            "answer",
            system,
            style=style,
            embedder=vectors,
            without=without,
            reader=_reader(reader, "answer", system),
            **parts,
        ),
        corpora=tuple(item.name for item in opened),
        embedder=vectors.name if vectors else "",
        model=text_model,
        say=say,
        on_stage=on_stage,
    )
    return replace(built, stand_in=_stand_in(built, parts | {"reader": _reader(reader, "answer", "Composed")}))


def _stand_in(system: System, parts: Mapping[str, Any]) -> System | None:
    """The system without its text model, if its answerer has something for that case: a baseline has not."""
    # Only where the answerer says what stands in for it: a baseline that fails must fail.
    spec = getattr(system.answerer, "without_model", "")
    if not spec or system.model is None:
        return None
    without = {**parts, "model": None}
    clarifier = plugins.build("clarify", "EvidenceOnly", **without)
    answerer = plugins.build("answer", spec, **without)
    return replace(system, clarifier=clarifier, answerer=answerer, model=None)


def _text_model(model: str | TextModel, system: str, clarify: str, **options: Any) -> TextModel | None:
    """The text model, if one of the parts would ask it."""
    # Parts that were not named are chosen by whether there is a model: it has to be known first.
    asked = not system or not clarify or plugins.takes("answer", system, "model")
    if not asked and not plugins.takes("clarify", clarify, "model"):
        return None
    if not isinstance(model, str):
        return model
    from expound.models.text import choose_model
    from expound.models.unreached import Unreached

    try:
        return choose_model(model, tries=1, **options)
    # A server that does not answer has not said its model's name either: an answer without it stands in.
    except EndpointFailed:
        # Not "none", which fails at nothing.
        return Unreached(cast("Callable[..., TextModel]", partial(choose_model, model, **options)))


def _asks_model(system: str, clarify: str) -> bool:
    """Whether a part that somebody named asks a text model."""
    named = (("answer", system), ("clarify", clarify))
    return any(spec and plugins.takes(kind, spec, "model") for kind, spec in named)


def _is_outread(model: TextModel | None, reader: str) -> TypeGuard[TextModel]:
    """Whether the span reader is there and the model is a small one of the table, which finds fewer right answers.

    Other models are asked: nothing is known of them (recipes/LOG.md, "A 1.5B text model beside the span reader").
    """
    is_small = model is not None and model.name in resources.RESOURCES and model.capability == "reader"
    return is_small and _reader(reader, "clarify", "EvidenceOnly") is not None


def _reader(name: str, kind: str, spec: str) -> Reader | None:
    """The span reader, if the part takes one and it is there."""
    if not plugins.takes(kind, spec, "reader"):
        return None
    from expound.models.readers import open_reader

    with suppress(ResourceMissing):  # a clarifier that cannot do without it says so
        return open_reader(name)
    return None


def check_question(question: str) -> str:
    """The question without surrounding space; an empty one is a user's mistake."""
    text = " ".join(question.split())
    # "???" has no word to search for.
    if not any(character.isalnum() for character in text):
        raise UserError("the question is empty: it has no word in it")
    # A pasted page is no question, and would be searched word by word.
    if len(text) > 2000:
        raise UserError(f"the question has {len(text):,} characters; 2,000 are the most")
    return text
