"""What kind of answer a question wants, told by its form.

| kind | asks for | answered with |
|---|---|---|
| value | a number, a name, a date, a setting | the sentence or row that holds it, first |
| list | several things of a kind | the list, rows or sentences that name them |
| how-to | what to do | the steps and code of one place, in order |
| why | a reason | the stretch of text that gives it |
| definition | what something is | the stretch of text that says it |
| comparison | how two things differ | the stretches that speak of both |
| yes-no | whether something holds | the stretch of text that says so |
| ambiguous | one of several readings | a sentence for each of them |
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from expound.text.sentences import split_sentences

QuestionKind: TypeAlias = Literal["value", "list", "how-to", "why", "definition", "comparison", "yes-no", "ambiguous"]

_SOMEONE = r"(?:i|you|we|one|someone|users?|people|they|he|she)"
# Politeness, a joining word or a preposition may stand before the word that asks.
_ASKS = r"(?:please |so |and |but |(?:in|after|within|before|from|to|at|by) (?=how|what|which)|in \w+,? )?"
_WORD = r"[\w.+'’\"“”`-]+"
_THING = (
    r"(?:address|argument|button|colou?r|command|directive|field|file|flag|function|key|keyword|line|macro|menu|method|"
    r"module|name|number|option|package|page|parameter|part|person|place|plug-?in|program|property|section|service|"
    r"setting|shortcut|signal|switch|system|tab|tool|unit|value|variable|version|word)"
)
# The first pattern that fits decides: the more telling forms come first.
_PATTERNS: tuple[tuple[QuestionKind, str], ...] = (
    (
        "comparison",
        r"\b(?:differences? between|differs?\b|different from|compared? (?:to|with)|versus|vs\b|distinguish|"
        r"better .{1,60}\b(?:than|or)\b|rather than|instead of .{1,60}\?|"
        r"(?:which|what) (?:is|one|should) .{1,80}\bor\b)",
    ),
    (
        "why",
        rf"^{_ASKS}(?:why\b|how come\b|what(?:'s| is| are| was| were) the (?:\w+ )?"
        r"(?:reasons?|purpose|point of|cause|motivation|rationale|advantages?|benefits?)\b|"
        r"what (?:causes?|makes|explains)\b|for what (?:reason|purpose)\b|"
        r"what (?!.*\b(?:stand|short) for).{1,40}\bfor\?*$)",
    ),
    (
        "how-to",
        rf"^{_ASKS}(?:how (?:do|does|can|could|should|would|might|to|must|did) (?:{_SOMEONE}\b|\w+ing\b)|how to\b|"
        r"how (?:do|can|should)\b|"
        r"how (?:is|are) .{1,60}\b(?:done|set|made|(?!called|defined|named|related|spelled)\w{3,}ed)\b|"
        rf"(?:can|could|may|should) {_SOMEONE}\b|is (?:it possible|there (?:a|any) way)\b|"
        rf"what (?:should|must|do|can) {_SOMEONE} (?:have to |need to )?(?:do|use|type|run|write|change|set|press)\b|"
        r"what(?:'s| is) the (?:\w+ )?way to\b|what steps\b|i (?:want|need|would like) to\b)",
    ),
    (
        "list",
        rf"^{_ASKS}(?:list\b|name (?:the|all|three|some)|what are (?:the|some|all)\b|"
        r"(?:what|which) (?:\w+ ){0,3}?(?:kinds|types|sorts|forms|ways|options|formats|values|methods|modes|steps|"
        r"parts|files|commands|things|platforms|languages|systems|states|fields|levels|categories)\b|"
        # "What quick checks does it make?": several things, or there would be no plural.
        r"what (?!(?:is|was|does|has|this)\b)(?:[\w+#-]+ ){0,2}(?!(?:does|is|was|has)\b)\w{2,}(?<![sui])s "
        r"(?:do|does|did|can|could|are|were|have|has|may|must|should|will|would|exist)\b|"
        # "Which setting turns it off?": what looks like a plural is its verb.
        rf"which (?:(?!{_THING}\b)\w+ )?\w+(?<![sui])s (?!the\b)|what (?:all|else)\b)",
    ),
    (
        "value",
        rf"^{_ASKS}(?:who|whom|whose|when|where|"
        r"how (?:many|much|long|old|far|often|big|large|high|fast|deep|wide|tall|late|early|soon|small|heavy)|"
        r"at what|since when|(?:in|to|from|on|under|with|by|for) (?:what|which|whom))\b",
    ),
    (
        "definition",
        rf"^{_ASKS}(?:what (?:is|are|was|were)(?: meant by)? (?:an? |the )?{_WORD}(?: {_WORD}){{0,2}}\??$|"
        r"what (?:does|do|is) .{1,80}\b(?:mean|stand for|short for|do|refer to)\b|define\b|explain\b|describe\b|"
        r"what(?:'s| is) meant\b|tell me about\b|what happens\b|how (?:is|are|does|did|do|was|were)\b)",
    ),
    (
        "yes-no",
        # "Do you know when it was built?" wants the year, and so does "Is it known when …?".
        rf"^{_ASKS}(?!(?:[\w']+ ){{1,5}}(?:known?|idea|say)\b.{{0,40}}\b(?:what|which|whom?|when|where|how|why)\b)"
        r"(?:is|am|are|was|were|do|does|did|has|have|had|will|would|can|could|should|may|might|must)(?:n't)?\b",
    ),
    # A question word anywhere is better than none: "The tower was built in which year?".
    ("value", r"\b(?:which|what|who|whom|when|where|how (?:many|much))\b"),
    # What only has a question mark is mostly a name with something unsaid: "The port of the admin page?".
    ("value", r"\?$"),
)
_FORMS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)
_ATTRIBUTE = re.compile(
    r"\b(?:default|name|number|value|size|port|limit|version|path|maximum|minimum|length|time|date|price|cost|address|"
    r"command|option|setting|parameter|extension|suffix|unit|range|colou?r|licen[cs]e|file|keyboard|shortcut|key)\b",
    re.IGNORECASE,
)
# "What is the capital of Mongolia?"; what a thing means, or is for, wants to be explained.
_OF = re.compile(
    r"what(?:'s| is) the (?!(?:concept|contents?|definition|format|function|idea|meaning|nature|sense|structure)\b)"
    r"\w+(?<!s) of ",
    re.IGNORECASE,
)
_FEW_WORDS = 3
"""A bare name wants to be explained; more words without the form of a question name something to be done."""
_WHAT_IS = re.compile(r"what(?:'s| is| are)\b", re.IGNORECASE)
_TERM = re.compile(
    r"(?:what(?:'s| is| are| was| were)(?: meant by)?|what do(?:es)?|define|explain|describe) "
    r"(?:(?:an?|the) )?(.+?)(?: (?:mean|stand for|refer to))?\?*$",
    re.IGNORECASE,
)
_LAST_CLAUSE = re.compile(r"[;,:] ((?:and |so )?(?:how|what|which|why|when|where|who)\b[^;,]*)$", re.IGNORECASE)
EXPLAINING: frozenset[QuestionKind] = frozenset(("how-to", "why", "comparison"))
"""Kinds whose answer is a stretch of text even in an article, where other kinds get a sentence from each place."""


def question_kind(question: str) -> QuestionKind:
    """The kind of a question by its form; without any form of one, words that want explaining.

    >>> question_kind("How do I restore a backup?"), question_kind("What is the default port?")
    ('how-to', 'value')
    """
    asked = _asking_clauses(" ".join(question.split()))
    kind = next((kind for kind, pattern in _FORMS if any(map(pattern.search, asked))), None)
    if kind is None:
        return "definition" if len(asked[0].split()) <= _FEW_WORDS else "how-to"
    # "What is the default port?" has the form of a definition, and wants the number.
    if kind == "definition" and _WHAT_IS.match(asked[0]) and (_ATTRIBUTE.search(asked[0]) or _OF.match(asked[0])):
        return "value"
    return kind


def asked_term(question: str) -> str:
    """What a definition is asked for, without its article; empty where none is, or where it is a whole clause.

    >>> asked_term("What is a ply?"), asked_term("What does CHD stand for?"), asked_term("Why is it slow?")
    ('ply', 'CHD', '')
    """
    found = _TERM.match(question.strip())
    term = found.group(1) if found else "" if question.rstrip().endswith("?") else question.strip()
    return term if question_kind(question) == "definition" and len(term.split()) <= _FEW_WORDS else ""


def _asking_clauses(text: str) -> list[str]:
    """Where a question stands behind what led to it: "It stopped. What now?", "I want one, which do I take?"."""
    sentences = split_sentences(text)
    # From the end: people tell what happened first, and ask last.
    asked = next((sentence for sentence in reversed(sentences) if sentence.endswith("?")), sentences[-1])
    clause = _LAST_CLAUSE.search(asked)
    return [asked, clause.group(1)] if clause else [asked]
