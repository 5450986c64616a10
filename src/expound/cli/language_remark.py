"""Say when a question is in another language than the documents: words of one seldom find the other."""

from __future__ import annotations

from collections.abc import Sequence

from expound.cli import screen
from expound.corpus.library import Corpus
from expound.corpus.question_language import other_language

_NAMES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fi": "Finnish", "fr": "French", "hu": "Hungarian", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def say_language(question: str, corpora: Sequence[Corpus]) -> None:
    """A remark on stderr if we are sure; never more than that."""
    if found := other_language(question, corpora):
        asked, main = map(_name, found)
        what = "corpus is" if len(corpora) == 1 else "corpora are"
        screen.say(f"the question looks {asked}, the {what} {main}: asked in {main}, it will find more")


def _name(language: str) -> str:
    return _NAMES.get(language, f"‘{language}’")
