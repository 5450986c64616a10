"""Split English text into Penn Treebank words, like Stanford's tokenizer (CoreNLP 3.4.1) inside pycocoevalcap."""

from __future__ import annotations

import re

# Letters are Unicode's of the first plane and these marks; the soft hyphen is one of them.
_MARKS = (
    r"\xad\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed\u02ef-\u036f\u0375\u0378\u0379\u0384\u0385\u03f6\u0483-\u0487"
    r"\u055a-\u055f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0615-\u061a\u064b-\u065e\u0670\u06d6-\u06e4"
    r"\u06e7-\u06ed\u06fd\u06fe\u070f\u0711\u0730-\u074c\u07a6-\u07b0\u07eb-\u07f3\u0900-\u0903\u093c\u093e-\u094e"
    r"\u0951-\u0955\u0962\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3"
    r"\u0a01-\u0a03\u0a3c\u0a3e-\u0a4f\u0a81-\u0a83\u0abc\u0abe-\u0acf\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd"
    r"\u0c01-\u0c03\u0c3e-\u0c56\u0d3e-\u0d44\u0d46-\u0d48\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    r"\u0ec8-\u0ecd"
)
_NO_LETTER = (
    r"\W_\xb2\xb3\xb9\xbc-\xbe\u2070-\u209c\u2150-\u2189\u2460-\u2793\u3007\u3021-\u303a\u3192-\u32bf"
    r"\U00010000-\U0010ffff"
)
_SYMBOLS = (
    r"%&=\\^~|+@/\x80\xa1-\xa9\xac\xae-\xb1\xb4\xb6-\xb8\xbc-\xbf\xd7\xf7\u037e\u0387\u0589\u05be\u05c0\u05c3\u05c6\u05f3"
    r"\u05f4\u0600-\u0603\u0606-\u060c\u0614\u061b\u061e\u061f\u066a\u066d\u06d4\u0700-\u070d\u07f6-\u07f8\u0964\u0965"
    r"\u0e3f\u0e4f\u1fbd\u2016\u2017\u2020-\u2023\u2030-\u2038\u203b\u203e-\u2042\u2044\u207a-\u207e\u208a-\u208e\u20a0"
    r"\u20a4\u20ac\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129\u212e\u213a\u213b"
    r"\u2140-\u2144\u214a-\u214d\u214f\u2153-\u215e\u2190-\u2bff\u3001\u3002\u3012\u30fb\uff01-\uff0f\uff1a-\uff20"
    r"\uff3b-\uff40\uff5b-\uff65\uffe0\uffe1\uffe5\uffe6"
)
_BASE = rf"[^\d{_NO_LETTER}]"
_BASE_OR_DIGIT = rf"[^{_NO_LETTER}]"
_ACCENTED = "&[aeiouAEIOU](?:acute|grave|uml);"
_LETTER = rf"(?:{_BASE}|[{_MARKS}]|{_ACCENTED})"
_APOSTROPHE = r"(?:['\x92\u2019]|&apos;)"
_ANY_APOSTROPHE = r"(?:['\x92\u2019`\x91\u2018\u201b]|&apos;)"
_QUOTES = {
    "`": "`", "\x91": "`", "\u2018": "`", "\u201b": "`", "\u2039": "`", "\x92": "'", "\u2019": "'", "\u203a": "'",
    "\x93": "``", "\u201c": "``", "\xab": "``", "\x94": "''", "\u201d": "''", "\xbb": "''",
    "\u201a": "\u201a", "\u201e": "\u201e", "\u201f": "\u201f",
}  # fmt: skip

# Parts of the rules.
_WORD = rf"{_LETTER}(?:{_BASE_OR_DIGIT}|[{_MARKS}]|{_ACCENTED})*"
_DOTTED = rf"{_WORD}(?:[.!?]{_WORD})*"
_SUFFIX = rf"{_APOSTROPHE}(?i:[msd]|re|ve|ll)"
_NOT = rf"(?i:n{_ANY_APOSTROPHE}t)"
_ACRONYM = r"[A-Za-z](?:\.[A-Za-z])+"
_PIECE = rf"(?:[dDoOlL]{_ANY_APOSTROPHE}{_BASE_OR_DIGIT})?{_BASE_OR_DIGIT}+"
_HYPHENATED = rf"{_PIECE}(?:[-_\u058a\u2010\u2011]{_PIECE})*"
_SLASHED = "[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"
_COMPANY = "[A-Z]+(?:(?:&(?i:amp);|[+&])[A-Z]+)+"
_LINK = r"[^\s<>|(){}]*[^\s<>|(){}.!?,-]"
_HOST = "[A-Za-z0-9-]+"
_MARKUP = r"(?:</?[A-Za-z][^<>\r\n]*>)"
_GAP = r"[- \xa0]"


def _any_of(words: str) -> str:
    """A pattern for one of these words, in any case; the apostrophe stands for all kinds of it."""
    return f"(?i:{'|'.join(words.split())})".replace("'", _APOSTROPHE)


_TWO_IN_ONE = _any_of("cannot gonna gotta lemme gimme wanna")
_APOSTROPHE_WORD = _any_of(
    "'n'? [ldj]' dunkin' somethin' ol' 'em 'cause 'till? '[2-9]0s c'mon cont'd\\.? nor'easter e'er s'mores ev'ry li'l "
    "nat'l cap'n c'est"
)
_ENDING_ABBREVIATION = _any_of(
    "jan feb mar apr jun jul aug sept? oct nov dec mon tues? wed thu(?:rs)? fri ala ariz calif colo conn ct dak fla ga "
    "ind kans? ky md mich minn mo mont neb nev okla penn tenn va vt wisc? wyo inc cos? corp ltd plc rt bancorp bhd "
    "assn univ intl sys jr sr bros (?:ed|ph)\\.d blvd rd esq bldg al etc seq est ext sq tel pp?t(?-i:[ey])s? "
    "(?-i:A)(?:rk|z) (?-i:D)el (?-i:I)ll (?-i:L)a (?-i:M)[ai]ss (?-i:O)re (?-i:P)a (?-i:T)ex (?-i:W)ash"
)
_ABBREVIATION = _any_of(
    "mr mrs ms mme mlle messrs msgr drs? profs? sens? reps? attys? lt col gen govs? adm rev maj sgt cpl pvt mt capt "
    "ste? ave pres lieut hon brig comdr cmdr pfc spc sfc supt det ens insp treas ft asst assoc adj adv dept elec invt "
    "m(?-i:[ft])g natl alex wm jos cie vs cf ph [a-z]"
)
_NUMBER_ABBREVIATION = _any_of("art ca figs? nos? op pp prop")
_SENTENCE_START = _any_of(
    "a about according additionally after an as at but earlier he her here however if in it last many more mr\\. ms\\. "
    "now once one other our she since so some such that the their then there these they this we what when while yet you"
)
_EXTENSION = _any_of(
    "bat bmp c class cgi cpp dll docx? exe gif gz h html? jar java jpe?g mov mp3 pdf php pl png ppt ps py sql tar txt "
    "wav x xml zip"
)

# Of all rules the longest match counts, on a tie the first. The group is the token; what stands after it is context,
# which has to be there and counts as part of the match. Characters that no rule takes are left out.
_RULES = {
    "two_in_one": f"(?i:(?={_TWO_IN_ONE})(...)(?:not|na|ta|me))",
    "it": "((?i:'t))(?i:is|was)",
    "markup": f"({_MARKUP})",
    "entity": "(&(?i:amp|lt|gt|HT|TL|UR|LR|QC|QL|QR|odq|cdq|#[0-9]+);)",
    "before_suffix": f"({_DOTTED}){_SUFFIX}",
    "before_not": rf"([A-Za-z\xad]*[A-MO-Za-mo-z\xad]){_NOT}",
    "word": f"({_WORD})",
    "dotted": f"({_DOTTED})",
    "between_vowels": f"({_BASE}+(?i:[aeiouy]){_ANY_APOSTROPHE}[aeiouA-Z]{_BASE}*)",
    "foreign_name": f"([A-HJ-XZn]{_ANY_APOSTROPHE}{_BASE}{{2,}})",
    "apostrophe_word": f"({_APOSTROPHE_WORD}|[oO]{_ANY_APOSTROPHE}[oO])",
    "you": f"([yY]{_APOSTROPHE}){_BASE}",
    "address": f"((?i:https?)://{_LINK})",
    "website": rf"((?i:www)(?:\.{_HOST})+\.[A-Za-z]{{2,4}}(?:/{_LINK})?)",
    "domain": rf"((?:{_HOST}\.)+(?i:com|net|org|edu)(?:/{_LINK})?)",
    "email": rf"([A-Za-z0-9][\w.+-]*@(?:{_HOST}\.)*{_HOST})",
    "handle": "(@[a-zA-Z_][a-zA-Z_0-9]*)",
    "hashtag": f"(#{_LETTER}+)",
    "suffix": f"({_SUFFIX})[^A-Za-z]",
    "not": f"({_NOT})",
    "date": r"(\d{1,2}[-/]\d{1,2}[-/]\d{2,4})",
    "number": r"([-+]?(?:\d*(?:[.:,\xad\u066b\u066c]\d+)+|\d+))",
    "superscript": r"([\u207a\u207b\u208a\u208b]?(?:[\u2070\xb9\xb2\xb3\u2074-\u2079]+|[\u2080-\u2089]+))",
    "fraction": rf"((?:\d{{1,4}}{_GAP})?\d{{1,4}}(?:\\?/|\u2044)\d{{1,4}})",
    "special": r"((?i:c\.d\.s|pro-|anti-|s(?:&|&amp;)p-500|s(?:&|&amp;)ls|c\+\+|[cf]#))",
    "short_year": rf"({_APOSTROPHE}\d\d)\s",
    "ending_abbreviation": rf"({_ENDING_ABBREVIATION}\.)(?s:..)",
    "abbreviation": rf"({_ABBREVIATION}\.)",
    "number_abbreviation": rf"({_NUMBER_ABBREVIATION}\.)\s?\d",
    "last_letter": rf"([A-Za-z])\.\s+(?:(?=[A-Z]){_SENTENCE_START}|{_MARKUP})\s",
    "acronym": rf"({_ACRONYM}\.)",
    "file": rf"({_BASE_OR_DIGIT}+(?:\.{_BASE_OR_DIGIT}+)*\.{_EXTENSION})[\s.,?!]",
    "stop_inside": rf"((?:{_HYPHENATED}|{_DOTTED}|{_COMPANY})\.)[,;:\u3001]",
    "phone": rf"((?:\(\d{{2,3}}\) ?|(?:\+?\d{{2,4}}{_GAP})?\d{{2,4}}{_GAP})\d{{3,4}}{_GAP}?\d{{3,5}})",
    "hyphenated": f"({_HYPHENATED})",
    "hyphenated_number": rf"([A-Za-z0-9][A-Za-z0-9.,\xad]*(?:-(?:{_ACRONYM}\.|[A-Za-z0-9\xad]+))+)",
    "slashed": rf"({_SLASHED}(?:\\?/{_SLASHED}){{1,2}})",
    "company": f"({_COMPANY})",
    "face": r"([:;=]-?[()DP])[^A-Za-z0-9]",
    "sideways_face": r"([-^=~<>]_[-^=~<>])",
    "dollar": r"([A-Z]*\$|#+)",
    "long_dash": "(-{5,})",
    "quotes": f"([{''.join(_QUOTES)}]{{1,2}})",
    "sign": rf"([?!]+|@+|\*+|(?:\\\*){{1,3}}|_+|<<|>>|[][(){{}}<>{_SYMBOLS}])",
    "quoted": r"(')[A-Za-z][^ \t\n\xa0]",
    "suffix_anywhere": f"({_SUFFIX})",
    "silent": r"(''|-{1,4}|\.{3,5}|\.(?:[ \xa0]\.){2,4}|&(?i:quot|nbsp|MD|mdash|ndash|apos);)",
}
_DROPPED = frozenset(("", "''", "'", "``", "`", "?", "!"))
_ROUND = {"(": "-lrb-", ")": "-rrb-"}
_SIGNS = {
    "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-", "\x80": "$", "\xa4": "$", "\u20a0": "$", "\u20ac": "$",
    "\xa2": "cents", "\xa3": "#", "\xbc": "1/4", "\xbd": "1/2", "\xbe": "3/4", "\u2153": "1/3", "\u2154": "2/3",
}  # fmt: skip
_NO_BREAK = {" ": "\xa0"}
# How the tokens of a rule are written; rules that are not here only lose their soft hyphens.
_REWRITES = {
    "markup": _NO_BREAK,
    "suffix": _QUOTES,
    "not": _QUOTES,
    "fraction": _NO_BREAK,
    "phone": _ROUND | _NO_BREAK,
    "face": _ROUND,
    "quotes": _QUOTES,
    "sign": _ROUND | _SIGNS,
    "suffix_anywhere": _QUOTES,
}
_VERBATIM = frozenset(("address", "website", "domain", "email", "hashtag"))
_UNESCAPED = frozenset(("entity", "suffix", "not", "special", "company", "suffix_anywhere"))
_CHARACTERS = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}
_SILENT = frozenset(("quoted", "silent"))

_NAMES = tuple(_RULES)
_TABLES = {name: str.maketrans(_REWRITES.get(name, {}) | {"\xad": ""}) for name in _NAMES if name not in _VERBATIM}
# A rule that does not match leaves its groups empty, and the next one is tried at the same place.
# One search tries all rules: each is an optional look ahead with two groups, the match and its token.
_ALL_RULES = re.compile("".join(f"(?:(?=({pattern}))|)" for pattern in _RULES.values()))
_MATCHES = range(1, 2 * len(_RULES), 2)
# Most text is words between spaces, about which the rules agree; numbers before numbers may be one telephone number.
_PLAIN_WORDS = re.compile(rf"\s*(?:(?!{_TWO_IN_ONE}\b)(?:[A-Za-z][A-Za-z0-9]*[?!,;:]?\s+|[0-9]+[?!,;:]?\s+(?![0-9])))*")
_PLAIN_PUNCTUATION = str.maketrans("", "", "?!,;:")


def ptb_words(text: str) -> list[str]:
    """The words of the text, lower-cased, without punctuation marks.

    Contractions and possessives are words of their own, brackets are spelled out, and currency signs stay. Every line
    separator counts as a space: the original goes on to the next text at some of them, and so gives all texts after it
    the words of their neighbours.

    >>> ptb_words("Who can't stand Dr. No's U.S. (1962) release?")
    ['who', 'ca', "n't", 'stand', 'dr.', 'no', "'s", 'u.s.', '-lrb-', '1962', '-rrb-', 'release']
    """
    # Some rules want to see what comes next, so something does.
    # One line: the original reads line by line and gives the words to the next text.
    line = " ".join(text.splitlines()) + "\n\n"
    words: list[str] = []
    position = 0
    # The quick way for runs of plain words; the rules only see what is left.
    while plain := _PLAIN_WORDS.match(line, position):
        words += plain[0].lower().translate(_PLAIN_PUNCTUATION).split()
        if plain.end() == len(line):
            break
        rule, position = _longest(line, plain.end())
        word = _write_token(rule, line[plain.end() : position].lower())
        if word not in _DROPPED:
            words.append(word)
    return words


def _longest(line: str, position: int) -> tuple[str, int]:
    """The rule with the longest match here and where its token ends; without one, the next character is silent."""
    match = _ALL_RULES.match(line, position)
    ends = [match.end(group) for group in _MATCHES] if match else [-1]
    longest = max(ends)
    if not match or longest < 0:
        return "silent", position + 1
    # The first of equals, as the original's generator of scanners decides.
    index = ends.index(longest)
    return _NAMES[index], match.end(_MATCHES[index] + 1)


def _write_token(rule: str, token: str) -> str:
    if rule in _SILENT:
        return ""
    if rule in _VERBATIM:
        return token
    if rule in _UNESCAPED:
        for escaped, character in _CHARACTERS.items():
            token = token.replace(escaped, character)
    return token.translate(_TABLES[rule])
