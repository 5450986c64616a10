"""The numbers that decide about readings, each with where it comes from; a spec may write other ones."""

from __future__ import annotations

from dataclasses import dataclass

from expound.plugins import spec_text


@dataclass(frozen=True, repr=False)
class Founding:
    """How sure a sentence must be to found a reading (recipes/LOG.md, "Readings", "A 1.5B text model as a reader")."""

    least: float = 0.3
    """The ranker's confidence below which a sentence founds none; .05 to .3 made no difference to F1 answer."""
    of_best: float = 0.5
    """The share of the best sentence's confidence that is asked for; .3 did no better."""
    with_other_words: float = 0.8
    """The share from which on a read answer's sentence may leave one word of the question out: "nearly sure"."""

    __repr__ = spec_text


@dataclass(frozen=True, repr=False)
class Reach:
    """Which sentences are worth the reading (recipes/LOG.md, "A 1.5B text model as a reader")."""

    least: float = 0.1
    """The ranker's confidence below which a sentence is not read."""
    of_best: float = 0.3
    """The share of the best sentence's confidence that is asked for."""
    fewest: int = 3
    """Sentences that are read in any case: the ranker is no judge of near misses."""

    __repr__ = spec_text


@dataclass(frozen=True, repr=False)
class Editing:
    """When a rewritten question still asks what was asked."""

    least_kept: float = 0.6
    """The share of the question's words that stays; AmbigQA's annotators made minimal edits."""
    most_added: int = 10
    """Words that are added at the most: a title with its year, and no sentence."""
    same_question: float = 0.875
    """The cosine from which on another wording asks the same: "ruler of France" and "king of France" are .93."""

    __repr__ = spec_text


@dataclass(frozen=True, repr=False)
class Choosing:
    """Which of the weighed answers are readings (recipes/LOG.md, "Readings by many signs")."""

    passages: int = 10
    """Passages that are read: with 20 F1 answer was the same, at twice the time."""
    least: float = 0.22
    """The confidence that a further reading needs (recipes/LOG.md, "Readings in the question's own words")."""
    least_both: float = 0.12
    """Its confidence times that of the best answer (recipes/LOG.md, "Second readings, by stage")."""
    least_untimed: float = 0.25
    """The same where not both are told apart by a time (recipes/LOG.md, "Readings told apart by a time")."""

    __repr__ = spec_text


FOUNDING, REACH, EDITING, CHOOSING = Founding(), Reach(), Editing(), Choosing()
