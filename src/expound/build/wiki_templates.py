"""What a reader sees of a template: its words in running text, or its rows as a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

# Templates whose words belong to the sentence that they stand in, by the arguments that hold them.
_WORDS = {
    **dict.fromkeys("nowrap nobr small smaller big large midsize abbr tooltip sic angbr vr iast".split(), "1"),
    **dict.fromkeys("smallcaps sc unicode polytonic mvar noitalic nobold nastaliq sup sub".split(), "1"),
    **dict.fromkeys(("ipa", "ipalink", "ipa link", "ipablink", "ipaslink", "key press", "format price"), "1"),
    **dict.fromkeys(("vanchor", "linktext", "keypress", "nts", "center", "chem2", "railgauge"), "1"),
    **dict.fromkeys(("start-date", "end-date"), "1"),
    **dict.fromkeys("quote cquote bquote blockquote quotation".split(), "1 text quote"),
    **dict.fromkeys(("lang", "transl", "transliteration", "legend", "wikt-lang", "rtl-lang"), "2"),
    **dict.fromkeys(("native name", "script", "resize"), "2"),
    **dict.fromkeys(("bartable", "oldstyledate"), "1 2"),
}
_SIGNS = {
    # Between the items of a list in one line.
    **dict.fromkeys(("·", "dot", "•", "bullet"), ", "),
    **dict.fromkeys(("nbsp", "spaces", "thinsp", "hairsp", "pad"), " "),
    **dict.fromkeys(("snd", "spnd", "spaced ndash", "spaced en dash"), " – "),
    **dict.fromkeys(("ndash", "en dash", "–"), "–"),
    **dict.fromkeys(("mdash", "mdashb", "em dash", "—"), "—"),
    "'": "'", "'s": "'s", "' \"": "' \"", "=": "=", "!": "|", "extinct": "†",
    "cmain": "Main", "crecurring": "Recurring", "cguest": "Guest",
    # What a wiki reckons anew each day: that there was a number is all that a dump tells.
    **dict.fromkeys(("inflation", "inflation-year", "currentyear", "age"), "…"),
}  # fmt: skip
_CURRENCIES = {"us$": "US$", "usd": "$", "£": "£", "gbp": "£", "€": "€", "eur": "€", "inr": "₹", "a$": "A$", "c$": "C$"}
_SHIPS = frozenset("uss usns usat hms hmas hmcs rms ss mv".split())
_NOTES = {"flat": "♭", "sharp": "♯", "natural": "♮"}
_NUCLIDES = ("nuclide", "simplenuclide")
_DATES = ("start date", "birth date", "death date", "film date", "dts")
_LISTS = frozenset(("hlist", "flatlist", "plainlist", "unbulleted list", "ubl", "vunblist", "collapsible list"))
# Between the numbers of a measure: "1600 to 1800 mm".
_BETWEEN = frozenset(("to", "-", "–", "to(-)", "and", "or", "by", "x", "×", "+/-", "±", "to about"))
_NUMBER = re.compile(r"[-−+]?[\d,]*\.?\d+(?:e[-+]?\d+)?|[\d/+.]+", re.IGNORECASE)
_LANGUAGE = re.compile("[a-z]{2,3}(?:-[a-z]+)?")

_BOX = re.compile(
    r"(?:infobox|taxobox|speciesbox|automatic taxobox|chembox|drugbox|geobox|paraphyletic group|spaceflight crew)\b",
    re.IGNORECASE,
)
_LAYOUT = frozenset(
    "image caption alt width imagesize image_size image_caption logo_size map_size mapcaption familycolor ref".split()
)
_IS_LOOK = re.compile(r".*\.(?:png|jpe?g|svg|gif|tiff?|webp|og[agv]|webm)|\d+ ?px", re.IGNORECASE)
_BAR = re.compile(r"(?:label|data)(\d+)")

Row = tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """A template of a page, with the function that tells the words of a piece of wikitext."""

    node: Any
    read: Callable[[Any], str]

    @property
    def name(self) -> str:
        return " ".join(str(self.node.name).split()).casefold().replace("_", " ")

    def words(self, *places: str) -> list[str]:
        """The words of those arguments that it has and that are not empty."""
        return [words for place in places if self.node.has(place) and (words := self.read(self.node.get(place).value))]

    def unnamed(self) -> list[str]:
        """The words of all arguments without a name that are not empty."""
        return self.words(*(str(parameter.name) for parameter in self.node.params if not parameter.showkey))

    def named(self) -> Iterator[tuple[str, str]]:
        """All other arguments, with their words."""
        for parameter in self.node.params:
            if parameter.showkey and (words := self.read(parameter.value)):
                yield str(parameter.name).strip(), words


def template_words(template: Template) -> str:
    """What a reader sees of a template in a sentence; empty for all that is not known."""
    name = template.name
    if name in _SIGNS:
        return _SIGNS[name]
    if name.startswith("lang-"):
        return " ".join(template.words("1"))
    if name.startswith(_DATES):
        return _date(template)
    if name.startswith(_NUCLIDES):
        return "-".join(template.words("1", "2"))
    if name.startswith("formatnum:"):
        return template.read(template.node.name).partition(":")[2].strip()
    if name in _LISTS:
        return ", ".join(template.unnamed() or [words for place, words in template.named() if place.isdigit()])
    if name in _SPECIAL:
        return _SPECIAL[name](template)
    return " ".join(template.words(*_WORDS.get(name, "").split()))


def template_rows(template: Template) -> list[Row]:
    """The rows of a template that is shown as a table or a chart: an infobox, or numbers by year or by kind."""
    name = template.name
    if _BOX.match(name):
        return [(place.replace("_", " "), words) for place, words in template.named() if _is_told(place, words)]
    if name == "us census population":
        return [(year, number) for year, number in template.named() if year.isdigit()]
    if name == "historical populations":
        told = template.unnamed()
        return list(zip(told[::2], told[1::2], strict=False))
    return _bars(template) if name in ("bar box", "bar chart") else []


def _is_told(place: str, words: str) -> bool:
    """Whether an argument of an infobox is shown in words."""
    place = place.casefold()
    is_look = place in _LAYOUT or place.startswith("image") or place.isdigit()
    return not is_look and not _IS_LOOK.fullmatch(words)


def _bars(template: Template) -> list[Row]:
    """The bars of a chart: a row each below the title."""
    bars: dict[str, list[str]] = {}
    for place, words in template.named():
        if found := _BAR.fullmatch(place):
            bars.setdefault(found[1], []).append(words)
    rows: list[Row] = [tuple(bar) for bar in bars.values()]
    if template.node.has("bars"):
        inner = template.node.get("bars").value.filter_templates(recursive=False)
        rows += [tuple(Template(node, template.read).words("1", "3")) for node in inner]
    return [tuple(template.words("title")), *rows] if rows else []


def _date(template: Template) -> str:
    return "-".join(part.zfill(2) for part in template.words("1", "2", "3") if part.isdigit())


def _as_of(template: Template) -> str:
    return f"{'as' if template.node.has('lc') else 'As'} of {_date(template)}" if template.node.has("1") else ""


def _flag(template: Template) -> str:
    return "".join(template.words("name", "1")[:1])


def _with_original(template: Template) -> str:
    shown, *original = template.words("1", "2", "3") or [""]
    return f"{shown} ({', '.join(original)})" if original else shown


def _formula(template: Template) -> str:
    return "".join(template.unnamed())


def _quantity(template: Template) -> str:
    number, exponent, unit = ("".join(template.words(place)) for place in ("1", "e", "u"))
    return f"{number}{f'×10^{exponent}' if exponent else ''} {unit}".strip()


def _measure(template: Template) -> str:
    """The measure as it was given, without what it is converted to: "5 ft 11 in", "1600 to 1800 mm"."""
    given = template.unnamed()
    end = next((place for place, word in enumerate(given) if not _is_amount(word)), len(given)) + 1
    # A number behind the unit is a precision, unless it has a unit of its own.
    has_second = list(map(_is_amount, given[end : end + 2])) == [True, False]
    return " ".join(given[: end + 2] if has_second else given[:end])


def _is_amount(word: str) -> bool:
    return word in _BETWEEN or _NUMBER.fullmatch(word) is not None


def _rounded(template: Template) -> str:
    """A number with so many significant digits."""
    number, digits = [*template.words("1", "2"), "", ""][:2]
    try:
        return f"{Decimal(f'{Decimal(number):.{max(0, int(digits) - 1)}e}'):f}"
    except (InvalidOperation, ValueError):
        return number


def _fraction(template: Template) -> str:
    """A fraction by one number, two or three: 1/3, 2/3, 1 2/3; beside a digit it wants a space."""
    parts = template.words("1", "2", "3")
    if not parts:
        return ""
    *whole, above, below = parts if len(parts) > 1 else ["1", *parts]
    return " ".join([*whole, f"{above}/{below}"])


def _marriage(template: Template) -> str:
    who, *years = template.words("1", "2", "3") or [""]
    return f"{who} ({'–'.join(years)})" if years else who


def _height(template: Template) -> str:
    return " ".join(f"{words} {place}" for place, words in template.named() if place in ("m", "cm", "ft", "in"))


def _last(template: Template) -> str:
    """The last argument: what stands before it is how it looks."""
    return "".join(template.unnamed()[-1:])


def _other_language(template: Template) -> str:
    """A link to another Wikipedia: the first argument that is no code of a language."""
    return "".join([word for word in template.unnamed() if not _LANGUAGE.fullmatch(word)][:1])


def _before(sign: str) -> Callable[[Template], str]:
    return lambda template: " ".join([sign, *template.words("1")])


def _stuck_before(sign: str) -> Callable[[Template], str]:
    return lambda template: "".join([sign, *template.words("1")[:1]]) if template.words("1") else ""


def _cell(sign: str) -> Callable[[Template], str]:
    return lambda template: "".join(template.words("1")) or sign


_SPECIAL: dict[str, Callable[[Template], str]] = {
    **dict.fromkeys(("flag", "flagcountry", "flagu"), _flag),
    **dict.fromkeys(("convert", "cvt"), _measure),
    **dict.fromkeys(("frac", "sfrac", "fraction"), _fraction),
    **dict.fromkeys(("ill", "interlanguage link"), _other_language),
    **{name: _before(name.upper()) for name in _SHIPS},
    **{name: _stuck_before(sign) for name, sign in _CURRENCIES.items()},
    **dict.fromkeys(("circa", "c."), _before("c.")),
    "as of": _as_of,
    "nihongo": _with_original,
    "chem": _formula,
    "val": _quantity,
    "sigfig": _rounded,
    "marriage": _marriage,
    "height": _height,
    "longitem": _last,
    "e": lambda template: "".join(f"×10^{words}" for words in template.words("1")),
    "music": lambda template: "".join(_NOTES.get(words, "") for words in template.words("1")),
    "yes": _cell("Yes"),
    "no": _cell("No"),
    "n/a": _cell("N/A"),
}


def join_fraction(before: Sequence[str], words: str, name: str) -> str:
    """A fraction behind a digit stands by itself: 1 1/4, and not 11/4."""
    is_joined = name in ("frac", "sfrac", "fraction") and bool(before) and before[-1][-1:].isdigit()
    return f" {words}" if is_joined else words
