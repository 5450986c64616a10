"""A made-up world of questions, passages and training answers, and systems with a known flaw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from expound.audit.inputs import Inputs
from expound.audit.swap import RandomPassages
from expound.score.results import Scorer
from expound.testing import write_jsonl
from expound.text.sentences import split_sentences
from expound.text.words import content_stems
from expound.types import Answer, Evidence, Passage, Prediction, Question

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_VERBS = "carries feeds holds moves guards shapes warms drains splits joins covers lifts".split()
_LINKS = "near under against beside beyond within above along across toward despite except".split()
_FILLER = (
    "It is a good thing to ask about and many people wonder about it every day. "
    "There is a lot to say here and it all depends on how you look at it in the end. "
    "In general this is how such matters tend to go, as one would expect from them. "
    "That is about all there is to know, and it should be clear enough by now to everyone. "
)

System = Callable[[Question, Sequence[Evidence], Random], str]


@dataclass(frozen=True)
class World:
    """Questions with two references and passages each, and training questions in a file."""

    questions: tuple[Question, ...]
    evidence: dict[str, tuple[Evidence, ...]]
    train: str
    answers: dict[str, str]
    """By question, the answer to its paraphrase in training, if there is one."""


def world(folder: Path, *, n: int = 80, seed: int = 0, leaks: bool = False) -> World:
    """A world of `n` questions; with `leaks`, each has a paraphrase in the training file."""
    random = Random(seed)
    topics = [_Topic(random) for _ in range(2 * n)]
    questions = tuple(topic.question(f"q{number}") for number, topic in enumerate(topics[:n]))
    evidence = {q.id: topic.evidence() for q, topic in zip(questions, topics, strict=False)}
    trained = topics[:n] if leaks else topics[n:]
    rows: list[dict[str, Any]] = [
        {"id": f"t{number}", "question": topic.paraphrase(), "references": [topic.told(random)]}
        for number, topic in enumerate(trained)
    ]
    file = write_jsonl(folder / f"train-{seed}-{n}-{leaks}.jsonl", rows)
    known = {q.id: str(row["references"][0]) for q, row in zip(questions, rows, strict=True)} if leaks else {}
    return World(questions, evidence, f"qa:{file}", known)


def audited(made: World, system: System, *, seed: int = 0, train: bool = True) -> Inputs:
    """What the audit sees of a system in a world: answers with the right passages and with random ones."""
    predictions = {q.id: _prediction(q, made.evidence[q.id], system, seed) for q in made.questions}
    retriever = RandomPassages.of(list(predictions.values()), seed=seed)
    random = {q.id: _prediction(q, tuple(retriever.retrieve(q.text, k=20)), system, seed) for q in made.questions}
    return Inputs(
        made.questions,
        predictions,
        Scorer(["Eli5Rouge(kind='l')"], seed=seed),
        "",
        made.train if train else "",
        random,
        seed=seed,
    )


def clean(question: Question, evidence: Sequence[Evidence], random: Random) -> str:
    """The sentences of the passages that have most to do with the question."""
    wanted = set(content_stems(question.text))
    sentences = [sentence for item in evidence for sentence in split_sentences(item.passage.text)]
    ranked = sorted(sentences, key=lambda sentence: -len(wanted & set(content_stems(sentence))))
    return " ".join(ranked[:4])


def pads(question: Question, evidence: Sequence[Evidence], random: Random) -> str:
    return f"{clean(question, evidence, random)} {_FILLER}{_FILLER.replace('good', 'fine')}"


def repeats_question(question: Question, evidence: Sequence[Evidence], random: Random) -> str:
    return " ".join([question.text] * 5)


def invents_names(question: Question, evidence: Sequence[Evidence], random: Random) -> str:
    """A clean answer whose names and numbers are made up."""
    words = clean(question, evidence, random).split()
    return " ".join(_invented(word, random) for word in words)


def ignores_passages(question: Question, evidence: Sequence[Evidence], random: Random) -> str:
    """What a system would know by heart: a reference in other words, whatever it is given."""
    return question.references[0].replace("the", "that")


def copies_training(made: World) -> System:
    """The answer to the paraphrase in training."""
    return lambda question, evidence, random: made.answers[question.id]


class _Topic:
    """A thing with a name and facts about it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.name = _word(random).capitalize()
        self.nouns = [_word(random) for _ in range(14)]
        self.facts: list[str] = []
        for _ in range(9):
            self.facts.append(self._fact(random))
        self.asked = self.nouns[:2]

    def question(self, id: str) -> Question:
        asked = f"Why does the {self.asked[0]} of {self.name} need the {self.asked[1]}?"
        return Question(id, asked, (self._written(), self._written()))

    def paraphrase(self) -> str:
        return f"Why is the {self.asked[1]} needed by the {self.asked[0]} of {self.name}?"

    def told(self, random: Random) -> str:
        """An answer in the words of someone else."""
        return " ".join(
            f"Well, {self.asked[0]} and {random.choice(self.nouns)} go with {word}, I think." for word in self.nouns[:6]
        )

    def evidence(self) -> tuple[Evidence, ...]:
        parts = [self.facts[start : start + 3] for start in (0, 3, 6)]
        return tuple(
            Evidence(Passage(f"{self.name}-{number}", " ".join(part), self.name), number, 1 / number)
            for number, part in enumerate(parts, start=1)
        )

    def _written(self) -> str:
        """What a person makes of the facts: half in their words, half in other ones, longer or shorter."""
        kept = self.random.sample([fact for fact in self.facts if self.name in fact], self.random.randint(3, 5))
        others = [_word(self.random) for _ in range(3)]
        words = " ".join(kept).split()
        return " ".join(self.random.choice(others) if self.random.random() < 0.25 else word for word in words) + "."

    def _fact(self, random: Random) -> str:
        one, two, three = random.sample(self.nouns[2:], 3)
        verb, year = random.choice(_VERBS), random.randint(1200, 2000)
        opening = random.choice((f"In {year}", f"Since {year}", f"By {year}, it is said,", f"Until about {year}"))
        is_key = not self.facts or len(self.facts) % 3 != 2
        subject = f"the {random.choice(self.nouns[:2])} of {self.name}" if is_key else f"a {one}"
        link, joint = random.sample(_LINKS, 2)
        reason = f"{link} {three} {joint} {one}"
        return f"{opening} {subject} {verb} {random.choice(('the', 'every', 'some'))} {two} {reason}."


def _word(random: Random) -> str:
    return "".join(random.choice(_CONSONANTS) + random.choice(_VOWELS) for _ in range(3)) + random.choice("nrlk")


def _invented(word: str, random: Random) -> str:
    if word[:1].isdigit():
        return str(random.randint(2100, 9000))
    is_name = word[:1].isupper() and word not in ("In", "The", "A", "Why")
    return _word(random).capitalize() if is_name else word


def _prediction(question: Question, evidence: tuple[Evidence, ...], system: System, seed: int) -> Prediction:
    text = system(question, evidence, Random(f"{seed} {question.id}"))
    return Prediction(question.id, question.text, system.__name__, Answer(text), evidence=evidence)
