"""The text of a forum's posts as a dataset wants it: addresses and names as tokens, no entities, no forum habits."""

from __future__ import annotations

import hmac
import html
import re
from dataclasses import dataclass, field
from hashlib import pbkdf2_hmac, sha256

# What the forum leaves where a text was taken away.
GONE = frozenset({"", "[removed]", "[deleted]", "[deleted by user]", "[removed by reddit]"})
# "ELI5:", "[ELI5]", "(eli5) -", "ELIF": what every title of the forum Explain Like I'm Five begins with.
_HABIT = re.compile(r"(?:\s*[\[(]?\s*eli\s?[5f]\b\s*[\])]?\s*[:;,.\-–—]*\s*)+", re.IGNORECASE)
# With a scheme, or without one where a path or a well-known ending shows that a name is an address. Brackets end it:
# in "[text](address)" they belong to the link, and a pair of them within ("Mercury_(planet)") to the address. What has
# no scheme is looked at from its beginning only: from every dot of a hostile line it would take for ever.
_ADDRESS = re.compile(
    r"""(?:https?://|www\.)(?:[^\s()<>\[\]{}"]|\([^\s()<>]*\))+(?<![.,;:!?'’”*])"""
    r"""|(?<![\w.@-])[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|info|io|be|it|uk|de|eu)"""
    r"""(?:/(?:[^\s()<>\[\]{}"]|\([^\s()<>]*\))*(?<![.,;:!?'’”*])|\b(?![@.\w]))""",
    re.IGNORECASE,
)
# The editor puts a backslash before a line below, which would otherwise be italic type.
_NAME = r"(?P<name>(?:\\?[A-Za-z0-9_-]){2,32})"
# People are spoken to as "u/name", "/u/name", "/user/name" or "@name"; "r/u_name" is a person's own forum.
_PERSON = re.compile(rf"(?<![\w/.])(?:/?u/|/user/|/?r/u\\?_){_NAME}", re.IGNORECASE)
_HANDLE = re.compile(r"(?<![\w@./])@(?P<name>[A-Za-z_](?:\\?\w){2,31})")
# The words of a link to somebody are the name once more.
_PROFILE = re.compile(
    rf"\[[^\[\]]{{1,200}}\]\((?:https?://)?(?:\w{{1,20}}\.)?(?:reddit\.com)?/u(?:ser)?/{_NAME}/?\)", re.IGNORECASE
)
# A name that is no word: with a digit or a sign in it, or a capital within.
_DISTINCT = re.compile(r"(?=.*(?:[\d_-]|[a-z][A-Z])).{4,}")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_EDIT = re.compile(r"^\W{0,4}edit(?:ed)?(?:\s*\d+)?\W{0,3}\s*[:\-–—].*$", re.IGNORECASE | re.MULTILINE)
_ROUNDS = 600_000  # what is advised for passwords
_HASH_DIGITS = 12  # as the ids of questions that come without one


@dataclass(frozen=True, slots=True)
class Names:
    """How people are named in what is written: not at all, or by a hash that only who has the salt can repeat."""

    salt: str = field(default="", repr=False)
    """Never written anywhere: whoever has it can find out who wrote what."""
    mark: str = ""
    """By which a build that goes on knows that the salt is the same; slow to make, so that trying salts is, too."""

    @classmethod
    def salted(cls, salt: str) -> Names:
        """Names by hashes under a salt; without one, no names at all."""
        return cls(salt, pbkdf2_hmac("sha256", salt.encode(), b"expound", _ROUNDS).hex()[:8] if salt else "")

    def token(self, name: str) -> str:
        """What stands in a text for a person.

        >>> Names().token("someone")
        'USER'
        """
        return f"USER_{self.hash(name)}" if self.salt else "USER"

    def hash(self, text: str) -> str:
        """Keyed, not only salted: names are few enough to try them all."""
        # Names differ in their capitals and are the same person.
        return hmac.new(self.salt.encode(), text.lower().encode(), sha256).hexdigest()[:_HASH_DIGITS]


def is_gone(text: str) -> bool:
    """Whether nothing is left of a text: removed by a moderator, deleted by its author, or never there."""
    return text.strip().lower() in GONE


def clean_text(text: str, names: Names, *, author: str = "", keep_edits: bool = True) -> str:
    """A post's text on one line, its addresses as URL_0, URL_1 … and its people as tokens; nothing of one that is gone.

    The author's own name goes as well, unless it could be a word of the text.

    >>> clean_text("See [this](https://a.org/b_(c)), &amp; ask u/someone", Names())
    'See [this]( URL_0 ), & ask USER'
    """
    if is_gone(text):
        return ""
    # Twice: dumps of some years escaped what was escaped already. The forum's editor leaves spaces of no width.
    plain = html.unescape(html.unescape(text)).replace("\u200b", " ")
    if not keep_edits:
        plain = _EDIT.sub("", plain)
    plain = _replace_people(_PROFILE, _MAIL.sub(" USER ", plain), names)
    tokens = _replace_people(_HANDLE, _replace_people(_PERSON, _replace_addresses(plain), names), names)
    # Looked for first: a pattern for every author of a dump would take longer than all other work.
    if author.lower() in tokens.lower() and _DISTINCT.fullmatch(author):
        tokens = _replace_people(
            re.compile(rf"(?<!\w)(?P<name>{re.escape(author)})(?!\w)", re.IGNORECASE), tokens, names
        )
    return " ".join(tokens.split())


def clean_title(title: str, names: Names, *, author: str = "") -> str:
    """A question's title without the forum's own word before it.

    >>> clean_title("ELI5: Why is the sky blue?", Names())
    'Why is the sky blue?'
    """
    habit = _HABIT.match(title)
    return clean_text(title[habit.end() :] if habit else title, names, author=author)


def _replace_people(pattern: re.Pattern[str], text: str, names: Names) -> str:
    return pattern.sub(lambda found: names.token(found["name"].replace("\\", "")), text)


def _replace_addresses(text: str) -> str:
    """Each address by its token; one that comes again has the same."""
    known: dict[str, int] = {}
    return _ADDRESS.sub(lambda found: f" URL_{known.setdefault(found[0], len(known))} ", text)
