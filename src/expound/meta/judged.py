"""What people said, as pairs of answers one of which they prefer, and as answers with grades."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from statistics import fmean

from expound.datasets.item_ids import rated_item, sides_of
from expound.datasets.spec import open_judged, split_spec
from expound.errors import UserError
from expound.types import Preference, Question, Rating

OVERALL = "overall"
WITHOUT_ORDER = "holds values without an order: a metric cannot be compared with them"
_HUMAN = "human"
_OTHER = {"a": "b", "b": "a", "tie": "tie"}


@dataclass(frozen=True)
class JudgedAnswer:
    """An answer that people judged; `scores` are those that the file has of it."""

    question: Question
    text: str
    system: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, ...]:
        """What makes it another answer to a metric."""
        # With the system, though a metric reads only the text: released scores are by system. With the evidence, since
        # a claim may have the words of the whole answer, and sources of its own.
        return self.question.id, self.system, self.text, *(passage.text for passage in self.question.evidence)

    @property
    def is_human(self) -> bool:
        """Whether the file says that a person wrote it."""
        # By its beginning: Xu et al. have `human-fewer-upvotes` beside `human`.
        return self.system.startswith(_HUMAN)


@dataclass(frozen=True)
class JudgedPair:
    """Two answers to a question, and which most raters prefer: `a`, `b`, or None for a tie and for split votes."""

    a: JudgedAnswer
    b: JudgedAnswer
    criterion: str
    domain: str
    choice: str | None
    votes: Mapping[str, int]

    @property
    def setting(self) -> str:
        """Who is compared: people, models, or one of each; nothing where the file does not say."""
        humans = self.a.is_human + self.b.is_human
        if not (self.a.system and self.b.system):
            return ""
        return ("model/model", "human/model", "human/human")[humans]


@dataclass(frozen=True)
class GradedAnswer:
    """An answer, or a piece of one, and the mean of what its raters gave it."""

    answer: JudgedAnswer
    criterion: str
    domain: str
    grade: float


@dataclass(frozen=True)
class People:
    """One file of judgments: pairs, and graded answers where single answers were judged."""

    source: str
    pairs: tuple[JudgedPair, ...]
    graded: tuple[GradedAnswer, ...] = ()

    @property
    def has_order(self) -> bool:
        """Whether people prefer anything to anything, or grade it."""
        return bool(self.pairs or self.graded)

    @cached_property
    def criteria(self) -> list[str]:
        """The criteria of the file, the one that stands for all of them first: `overall`, or the first one."""
        # Graded answers first: a criterion may have grades and no two answers to one question.
        both: tuple[JudgedPair | GradedAnswer, ...] = (*self.graded, *self.pairs)
        found = list(dict.fromkeys(one.criterion for one in both))
        return sorted(found, key=lambda criterion: criterion != OVERALL)

    @cached_property
    def answers(self) -> list[JudgedAnswer]:
        """Every answer once."""
        of_pairs = (answer for pair in self.pairs for answer in (pair.a, pair.b))
        return list({answer.key: answer for answer in (*of_pairs, *(one.answer for one in self.graded))}.values())


def read_people(specs: Sequence[str]) -> list[People]:
    """The judgments of some specs, each of which a metric can be compared with."""
    found = read_judged(specs)
    for spec, people in zip(specs, found, strict=True):
        if not people.has_order:
            raise UserError(f"{spec} {WITHOUT_ORDER}")
    return found


def read_judged(specs: Sequence[str]) -> list[People]:
    """The same, also without an order; a source is called by its layout, or by its file where a layout comes twice."""
    repeated = {layout for layout, count in Counter(split_spec(spec)[0] for spec in specs).items() if count > 1}
    # Its people would be counted twice, and every interval be too narrow.
    if twice := [spec for spec, count in Counter(specs).items() if count > 1]:
        raise UserError(f"{twice[0]} is named twice; name each file once")
    return [_read(spec, is_alone=split_spec(spec)[0] not in repeated) for spec in specs]


def people_from(source: str, judged: Iterable[Preference | Rating]) -> People:
    """Judgments that are at hand as a source."""
    found = list(judged)
    graded = tuple(_join_grades([one for one in found if isinstance(one, Rating)]))
    pairs = [*_join_votes([one for one in found if isinstance(one, Preference)]), *_of_grades(graded)]
    return People(source, tuple(pairs), graded)


def _read(spec: str, *, is_alone: bool) -> People:
    found: list[Preference | Rating] = list(open_judged(spec))
    return people_from(split_spec(spec)[0] if is_alone else spec, found)


def _join_votes(preferences: Sequence[Preference]) -> Iterator[JudgedPair]:
    """One pair for all its raters, who may have seen it in either order."""
    groups: dict[tuple[object, ...], list[Preference]] = defaultdict(list)
    for one in preferences:
        groups[one.question.id, one.criterion, *sides_of(one)].append(one)
    return map(_pair, groups.values())


def _pair(group: Sequence[Preference]) -> JudgedPair:
    first = group[0]
    # Turned to the order of the first rater: sides are shown in either order, and votes have to be of the same answer.
    votes = Counter(
        one.choice if (one.a, one.a_system) == (first.a, first.a_system) else _OTHER[one.choice] for one in group
    )
    return JudgedPair(
        a=JudgedAnswer(first.question, first.a, first.a_system, _scores(first, "a")),
        b=JudgedAnswer(first.question, first.b, first.b_system, _scores(first, "b")),
        criterion=first.criterion,
        domain=first.domain,
        choice=_find_majority(votes),
        votes=votes,
    )


def _find_majority(votes: Counter[str]) -> str | None:
    """What most said; nothing where as many said something else, or most saw no difference."""
    ranked = votes.most_common(2)
    is_split = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return None if is_split or ranked[0][0] == "tie" else ranked[0][0]


def _scores(one: Preference, side: str) -> Mapping[str, float]:
    found: Mapping[str, float] = one.meta.get("scores", {}).get(side, {})
    return found


def _join_grades(ratings: Sequence[Rating]) -> Iterator[GradedAnswer]:
    """One answer for all its raters; what has no grade is left out."""
    groups: dict[tuple[str, str], list[Rating]] = defaultdict(list)
    for one in ratings:
        if one.grade is not None:
            groups[rated_item(one), one.criterion].append(one)
    for group in groups.values():
        first = group[0]
        answer = JudgedAnswer(first.question, first.answer, first.system, first.meta.get("scores", {}))
        # The mean of the raters, as papers with several of them report it; one alone is its own mean.
        grade = fmean(one.grade for one in group if one.grade is not None)
        yield GradedAnswer(answer, first.criterion, first.domain, grade)


def _of_grades(graded: Sequence[GradedAnswer]) -> Iterator[JudgedPair]:
    """Every two answers to a question by one criterion: the higher grade is preferred."""
    groups: dict[tuple[str, str], list[GradedAnswer]] = defaultdict(list)
    for one in graded:
        groups[one.answer.question.id, one.criterion].append(one)
    for group in groups.values():
        for one, other in combinations(group, 2):
            # Equal grades stay, without a choice: the page says how many pairs were left undecided.
            choice = None if one.grade == other.grade else "a" if one.grade > other.grade else "b"
            # One vote, whoever stands behind the means: two raters of one answer need not have judged the other.
            votes = {choice or "tie": 1}
            # Two answers of different parts of a file, such as people's and models', belong to none of the two.
            domain = one.domain if one.domain == other.domain else ""
            yield JudgedPair(
                a=one.answer, b=other.answer, criterion=one.criterion, domain=domain, choice=choice, votes=votes
            )
