"""What the named characters of roff stand for."""

from __future__ import annotations

import unicodedata

_PAIRS = r"""
aq '  dq "  cq ’  oq ‘  lq “  rq ”  Bq „  bq ‚  fm ′  sd ″  Fo «  Fc »  fo ‹  fc ›  em —  en –  hy -  mi −  pl +
ul _  bu •  ci ○  sq □  lz ◊  dg †  dd ‡  ps ¶  sc §  co ©  rg ®  tm ™  de °  ct ¢  Po £  Ye ¥  Eu €  eu €  Cs ¤
ba |  br │  or |  bb ¦  bv |  rs \  sl /  at @  sh #  Do $  pc ·  md ⋅  ha ^  ti ~  ga `  aa ´  a^ ˆ  a~ ˜  ad ¨
ac ¸  ao ˚  a- ¯  lB [  rB ]  lC {  rC }  la ⟨  ra ⟩  <- ←  -> →  <> ↔  ua ↑  da ↓  va ↕  lA ⇐  rA ⇒  hA ⇔  uA ⇑
dA ⇓  <= ≤  >= ≥  != ≠  == ≡  ~~ ≈  ~= ≅  =~ ≅  ap ∼  +- ±  -+ ∓  mc µ  mu ×  tmu ×  di ÷  if ∞  pt ∝  no ¬  tno ¬
AN ∧  OR ∨  fa ∀  te ∃  st ∋  mo ∈  nm ∉  es ∅  sb ⊂  sp ⊃  ib ⊆  ip ⊇  ca ∩  cu ∪  sr √  is ∫  pd ∂  gr ∇  sum ∑
product ∏  << ≪  >> ≫  OK ✓  CR ↵  12 ½  14 ¼  34 ¾  18 ⅛  38 ⅜  58 ⅝  78 ⅞  S1 ¹  S2 ²  S3 ³  ss ß  AE Æ  ae æ
OE Œ  oe œ  -D Ð  Sd ð  TP Þ  Tp þ  IJ Ĳ  ij ĳ  /L Ł  /l ł  /O Ø  /o ø  oA Å  oa å  .i ı  r! ¡  r? ¿  Of ª  Om º
fi fi  fl fl  ff ff  Fi ffi  Fl ffl  SP ♠  CL ♣  HE ♥  DI ♦  lh ☜  rh ☞  wp ℘  Im ℑ  Re ℜ  Ah ℵ  -h ℏ  %0 ‰  lt ⎧
lk ⎨  lb ⎩  rt ⎫  rk ⎬  rb ⎭  lc ⌈  rc ⌉  lf ⌊  rf ⌋  rn ‾  ru _  - -  ' ´  ` `  u2010 -
""".split()
# The last two cannot be written above: a blank, and nothing.
_NAMED = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)) | {"space": " ", "bs": ""}
_GREEK = dict(
    zip(
        "*a *b *g *d *e *z *y *h *i *k *l *m *n *c *o *p *r *ts *s *t *u *f *x *q *w".split(),
        "αβγδεζηθικλμνξοπρςστυφχψω",
        strict=True,
    )
)
_ACCENTS = {
    ":": "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    ",": "\u0327",
    "o": "\u030a",
    "aa": "\u0301",
    "ga": "\u0300",
    "a^": "\u0302",
    "a~": "\u0303",
    "ad": "\u0308",
    "ac": "\u0327",
    "ah": "\u030c",
    "v": "\u030c",
    "ho": "\u0328",
    "a-": "\u0304",
    "ao": "\u030a",
    "ab": "\u0306",
}
# The last code point of Unicode: a page may name any number.
_LAST_CHARACTER = 0x10FFFF


def character(name: str) -> str:
    """The character of a name; of one that nobody knows the name itself, as far as it can be read."""
    if name in _NAMED:
        return _NAMED[name]
    if name.lower() in _GREEK:
        return _GREEK[name] if name in _GREEK else _GREEK[name.lower()].upper()
    if (code := _code(name)) is not None:
        return chr(code)
    return _accented(name) or ""


def _code(name: str) -> int | None:
    """The number in `u00E9` or `char233`."""
    digits, base = (name[1:].split("_")[0], 16) if name[:1] == "u" else (name.removeprefix("char"), 10)
    # `int` takes blanks and underscores as well; seven digits are more than any character has.
    if not (digits.isascii() and digits.isalnum() and len(digits) <= 7) or name == digits:
        return None
    try:
        code = int(digits, base)
    except ValueError:
        return None
    return code if 0 < code <= _LAST_CHARACTER else None


def _accented(name: str) -> str:
    """`:a`, `'e` or `e aa`: a letter and its accent."""
    letter, accent = name.split(" ", 1) if " " in name else (name[1:], name[:1])
    if len(letter) != 1 or accent not in _ACCENTS:
        return ""
    return unicodedata.normalize("NFC", letter + _ACCENTS[accent])
