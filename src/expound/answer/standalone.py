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
# What follows a subject: a verb, perhaps behind an adverb or something in brackets or commas.
_PREDICATE = (
    r"(?: \([^()]*\)|, [^,]{1,80},)?(?: (?:\w+ly|also|often|then|later|first|never|always|still))?"
    r" (?:is|was|are|were|has|had|have|will|would|can|could|may|began|won|became|took|went|made|lost|left|ran|came|saw|"
    r"got|held|gave|set|did|said|led|wrote|met|grew|fell|told|put|[a-z]{2,}(?:ed|es|[a-z]s))\b"
)
_QUOTED = re.compile(r'"([^"]{2,80}[^",])" (?=[a-z])|“([^”]{2,80}[^”,])” (?=[a-z])')
# "Life of Pi", "Came Here for Love": works; a person has such words behind a comma, if at all ("Grace, Duchess of X").
_WORK_WORDS = re.compile(r"^[^,]* (?:of the|of|for|to|from|with|and|in|on|at|by|or|is|are|my|your)\b")
# "History of the canal" is about the canal, and "2018 season" about the team in one year.
_ABOUT = re.compile(
    r"^(?:List|History|Timeline|Outline|Geography|Economy|Politics|Culture|Index|Adaptations|Family) of "
)
_PERIOD = re.compile(r" (season|episode|discography|filmography)s?$", re.IGNORECASE)
_SAME_THINGS = {
    "movie": ("film",),
    "film": ("movie",),
    **dict.fromkeys(
        ("show", "programme", "program", "series", "sitcom", "drama"), ("series", "show", "sitcom", "drama")
    ),
    **dict.fromkeys(("single", "track", "song"), ("song", "single")),
}
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
    # "Coca-Cola paid for it. The company …": the company is not what the page is about.
    if _speaks_of_another(before[-1:], name) or not _is_proved(title, generic.group("noun"), before):
        return sentence
    if name.lower() in sentence.lower() or generic.group("noun").endswith("series"):
        return sentence  # a series may be the whole programme or one year of it
    # A qualifier with a number tells versions apart: "Nashville (season 6)".
    shown = title if re.search(r"\([^)]*\d[^)]*\)$", title) else name
    return f"{generic.group('noun')} [{shown}]{sentence[generic.end('noun') :]}"


def _speaks_of_another(before: Sequence[str], name: str) -> bool:
    """Whether the sentence before opens with a name that is not the title's."""
    return any(
        (subject := _opening_name(previous)) is not None
        and not (_opens_with(previous, name) or _shares_opening(previous, name) or subject in name)
        for previous in before
    )


def _is_proved(title: str, noun: str, before: Sequence[str]) -> bool:
    """Whether the page's title is what the noun means: the title says so, or a sentence before it does.

    "The film" is True Grit behind "True Grit is a 2010 film"; "The team" is neither Michael Jordan nor a season.
    """
    name, thing = _plain_title(title), noun.split()[-1].lower()
    things = {thing, *_SAME_THINGS.get(thing, ())}
    told = _PERIOD.search(name) or re.search(rf"\([^()]*?\b({_THINGS})\)$", title, re.IGNORECASE)
    if told:
        return told.group(1).lower() in things
    # A passage that opens with "The song" is about what its title names.
    said = [name, *(text for text in before if _opens_with(text, name) or _shares_opening(text, name))]
    is_named = any(things & set(re.findall(r"[a-z]+", text.lower())) for text in said)
    return is_named or not (before or is_person_like(name))


def _antecedent(pronoun: str, title: str, before: Sequence[str]) -> str | None:
    """Who or what a pronoun stands for, as a sentence shortly before proves; empty where none does.

    A person's pronoun in an article on a person needs no other proof. "It" does: in an article on jumps it may be one.
    """
    name = _plain_title(title)
    for previous in list(reversed(before))[:_LOOK_BACK]:
        if _opens_with(previous, name) or _shares_opening(previous, name):
            # "The Dolphins won. They …": not "1982 Miami Dolphins season".
            return "" if _PERIOD.search(name) else name
        # That sentence has the same open question: the one before it is looked at.
        if _OPENING.match(previous) or _DEMONSTRATIVE.match(previous):
            continue
        subject = _opening_name(previous)
        # Another thing was spoken of in between: what came before it is no longer meant.
        if subject is None or _GENERIC.match(previous):
            # "In the novel, a hunter named Richard Parker is hired. … he": somebody else may be meant.
            if pronoun in _PERSONAL and _names_another_person(previous, name):
                return ""
            break
        # A name that does not fit the pronoun shows that something else is meant, which we cannot name; and in the
        # article on a person the pronoun may be that person's as well.
        if not _fits(pronoun, subject):
            return None
        is_doubtful = is_person_like(name) or _WORK_WORDS.match(subject)
        return "" if pronoun in _PERSONAL and is_doubtful else subject
    if not name or not _fits(pronoun, name):
        return None
    return name if pronoun in _PERSONAL and not _WORK_WORDS.match(name) else ""


def _opens_with(sentence: str, name: str) -> bool:
    opening = sentence.lstrip('"“(').lower().removeprefix("the ")
    return bool(name) and opening.startswith(name.lower().removeprefix("the "))


def _shares_opening(sentence: str, name: str) -> bool:
    """Whether the sentence opens with a form of the name: "Curry is", or "Charles Day is" on Charlie Day."""
    subject = _opening_name(sentence)
    # Short words are "of", "de", initials: everybody shares them.
    return subject is not None and bool(set(subject.split()) & {word for word in name.split() if len(word) > 2})


def _names_another_person(sentence: str, name: str) -> bool:
    """Whether a sentence names somebody who shares no name with the title."""
    own = set(name.split())
    return any(is_person_like(found) and own.isdisjoint(found.split()) for found in names(sentence))


def _opening_name(sentence: str) -> str | None:
    """The name that opens a sentence as its subject, or the work whose title does, in quotation marks."""
    quoted = _QUOTED.match(sentence)
    if quoted:
        return quoted.group(1) or quoted.group(2)
    # A list of works opens with a work, which is nobody: '"I'll Fly Away", "If We Never Meet" are hymns.'
    if sentence.startswith(('"', "“")):
        return None
    found = names(sentence)
    # "Boston Celtics center Bill Russell holds": the subject is not the name that opens the sentence.
    if found and not re.match(rf"[\"“(]?(?:The )?{re.escape(found[0])}{_PREDICATE}", sentence):
        return None
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
    return "" if _ABOUT.match(name) else name
