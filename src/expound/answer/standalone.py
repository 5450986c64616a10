"""Make a quoted sentence stand on its own: a pronoun gets its subject in brackets, or the sentence is not used."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.text.answer_types import is_person_like, names

_PERSONAL = ("he", "she", "his", "her")
_POSSESSIVE = ("his", "her", "its", "their")
# Sentences in which a pronoun's subject is looked for: further back it is mostly another one.
_LOOK_BACK = 3
_OF_A_PERSON = re.compile(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b|\(born\b")
# A longer title is a sentence, and nobody's subject.
_LONGEST_TITLE = 200
_QUOTED = re.compile(r'"([^"]{2,80}[^",])" (?=[a-z])|“([^”]{2,80}[^”,])” (?=[a-z])')
_PLURAL = re.compile(r"s$|\b(?:Club|Team|Band|Group|Party|Orchestra)\b")

# Not "it's": with a name in the pronoun's place the verb would be lost.
_PRONOUN = r"(?P<pronoun>[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir)\b(?!['’]s\b)"
_OPENING = re.compile(rf"(?P<intro>[\"“(]?|[^,;:\"“”]{{1,70}}, (?:(?:and|but|when|where|while|although) )?){_PRONOUN}")
_EXPLETIVE = re.compile(
    r"it (?:is|was|has been|can be|may be|will be|would be|remains|became|seems|appears|turned out)"
    r" (?:(?:\w+ ){0,3}(?:said|believed|thought|estimated|known|possible|impossible|likely|unlikely|clear|unclear|"
    r"important|common|necessary|reported|announced|revealed|confirmed|suggested|argued|claimed|assumed|expected|illegal|legal|"
    r"difficult|easy|customary|hoped|noted|agreed|decided)\b[^.;]{0,60}\b(?:that|to|whether|how|why)\b"
    r"|(?:not |only )?(?:until|here|there|because|when|through|in|on|at|during)\b"
    r"[^.;]{0,60}\b(?:that|when|where|who)\b)",
    re.IGNORECASE,
)
_DEMONSTRATIVE = re.compile(
    r"[\"“]?(?:This|These|That|Those|Such|Here|Both|Another|Others?|Neither|Either|(?:One|Some) of (?:them|these))\b"
)
_THINGS = (
    "film|movie|song|album|single|series|show|book|novel|game|band|group|team|club|city|town|village|company|play|musical|"
    "episode|season|programme|program|sitcom|drama|character|building|stadium|tournament|competition|award|magazine|"
    "newspaper|party|franchise|video|track|record|story|event|organization|organisation|school|university|island|river|"
    "country|state|county|district|ship|station|aircraft|car|bridge|museum|church|battle|war|treaty|election|law|act"
)
# What follows must be the predicate: "The town was founded", not "The town company was formed".
_GENERIC = re.compile(
    rf"(?P<noun>(?:The|This) (?:{_THINGS}))"
    r"(?=,? (?:is|was|are|were|has|had|have|will|would|can|could|may|also|then|later|first|now|itself|which|who|"
    r"that|began|won|became|took|went|made|lost|left|ran|came|saw|got|held|gave|set|"
    r"[a-z]{2,}(?:ed|es|[a-z]s))\b)"
)


def standalone(sentence: str, *, title: str, before: Sequence[str]) -> str | None:
    """The sentence with its dangling subject named in brackets; None if it cannot be understood alone."""
    if _opens_with(sentence, _plain_title(title)):
        return sentence
    generic = _GENERIC.match(sentence)
    if generic:
        return _with_title(sentence, generic, title, before)
    # Nothing in brackets can be put in the place of "such" or "both": what they point to is a sentence.
    if _DEMONSTRATIVE.match(sentence):
        return None
    opening = _OPENING.match(sentence)
    # "It is said that" points to nothing, and a name before the pronoun is what it stands for.
    if opening is None or _EXPLETIVE.match(sentence, opening.start("pronoun")) or names(opening.group("intro")):
        return sentence
    pronoun = opening.group("pronoun").lower()
    if opening.group("intro").strip('"“( ') and pronoun in _POSSESSIVE:
        return sentence  # "Michigan won the tournament, their first since 1998": the owner is named already
    subject = _antecedent(pronoun, title, before)
    if subject is None:
        return None
    # No proof, but no doubt either: the pronoun stays ("Subjects in brackets" in recipes/LOG.md).
    if not subject:
        return sentence
    named = f"[{subject}'s]" if pronoun in _POSSESSIVE else f"[{subject}]"
    return sentence[: opening.start("pronoun")] + named + sentence[opening.end("pronoun") :]


def _with_title(sentence: str, generic: re.Match[str], title: str, before: Sequence[str]) -> str | None:
    """ "The film was shot in 1993" does not say which film, unless its title stands in the sentence."""
    name = _plain_title(title)
    # In an article on a person "the film" is one that the person made.
    if not name or (is_person_like(name) and _OF_A_PERSON.search(" ".join(before))):
        return None
    if name.lower() in sentence.lower() or generic.group("noun").endswith("series"):
        return sentence  # a series may be the whole programme or one year of it
    # A qualifier with a number tells versions apart: "Nashville (season 6)".
    shown = title if re.search(r"\([^)]*\d[^)]*\)$", title) else name
    return f"{generic.group('noun')} [{shown}]{sentence[generic.end('noun') :]}"


def _antecedent(pronoun: str, title: str, before: Sequence[str]) -> str | None:
    """Who or what a pronoun stands for, as a sentence shortly before proves; empty where none does.

    A person's pronoun in an article on a person needs no other proof. "It" does: in an article on jumps it may be one.
    """
    name = _plain_title(title)
    for previous in list(reversed(before))[:_LOOK_BACK]:
        if _opens_with(previous, name) or _shares_opening(previous, name):
            return name
        # That sentence has the same open question: the one before it is looked at.
        if _OPENING.match(previous) or _DEMONSTRATIVE.match(previous):
            continue
        subject = _opening_name(previous)
        # Another thing was spoken of in between: what came before it is no longer meant.
        if subject is None or _GENERIC.match(previous):
            break
        # A name that does not fit the pronoun shows that something else is meant, which we cannot name.
        return subject if _fits(pronoun, subject) else None
    if not name or not _fits(pronoun, name):
        return None
    return name if pronoun in _PERSONAL else ""


def _opens_with(sentence: str, name: str) -> bool:
    opening = sentence.lstrip('"“(').lower().removeprefix("the ")
    return bool(name) and opening.startswith(name.lower().removeprefix("the "))


def _shares_opening(sentence: str, name: str) -> bool:
    """Whether the sentence opens with a form of the name: "Curry is", or "Charles Day is" on Charlie Day."""
    subject = _opening_name(sentence)
    # Short words are "of", "de", initials: everybody shares them.
    return subject is not None and bool(set(subject.split()) & {word for word in name.split() if len(word) > 2})


def _opening_name(sentence: str) -> str | None:
    """The name that opens a sentence as its subject, or the work whose title does, in quotation marks."""
    quoted = _QUOTED.match(sentence)
    if quoted:
        return quoted.group(1) or quoted.group(2)
    found = names(sentence)
    return found[0] if found and sentence.lstrip('"“(').startswith((found[0], f"The {found[0]}")) else None


def _fits(pronoun: str, name: str) -> bool:
    if pronoun in ("they", "their"):
        # "They" of a single person is left alone: it cannot be told from several people.
        return bool(_PLURAL.search(name)) and not is_person_like(name)
    return is_person_like(name) if pronoun in _PERSONAL else not is_person_like(name)


def _plain_title(title: str) -> str:
    """The title without a bracketed qualifier or a section name; a list is not what its sentences are about."""
    # " - " stands between a page's title and its section in ready passages.
    name = re.sub(r"\([^()]*\)$", "", title[:_LONGEST_TITLE].split(" - ")[0].strip()).strip()
    return "" if name.startswith("List of ") else name
