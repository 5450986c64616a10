"""Punkt: the algorithm on made-up parameters, and NLTK's sentences on the real ones."""

from __future__ import annotations

import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import BadInput
from expound.text.punkt import Punkt
from golden import golden
from linear_time import takes_time_in_proportion

FILES = {
    "abbrev_types.txt": "dr\ne.g\np.m\nu.s\ninc\n",
    "collocations.tab": "st\tlouis\n##number##\tjuly\n",
    "sent_starters.txt": "however\n",
    "ortho_context.tab": "the\t34\nit\t34\nsmith\t12\nshe\t34\nparis\t4\napple\t36\njuly\t4\nthen\t50\n",
}

# NLTK 3.9.1, PunktSentenceTokenizer with the parameters above.
SENTENCES = [
    ("Dr. Smith came. He left.", ["Dr. Smith came.", "He left."]),
    ("It closed at 5 p.m. The end.", ["It closed at 5 p.m.", "The end."]),
    ("It closed at 5 p.m. sharp.", ["It closed at 5 p.m. sharp."]),
    ("Many, e.g. Paris, are old.", ["Many, e.g. Paris, are old."]),
    ("Apple Inc. However, it grew.", ["Apple Inc.", "However, it grew."]),
    ("He saw St. Louis. It was big.", ["He saw St. Louis.", "It was big."]),
    ("J. Smith wrote it.", ["J. Smith wrote it."]),
    ("Vitamin C. It helps.", ["Vitamin C.", "It helps."]),
    ("On the 4. July they met. Then they left.", ["On the 4. July they met.", "Then they left."]),
    ("No. 5. Then it rained.", ["No.", "5.", "Then it rained."]),
    ("Wait... The end.", ["Wait...", "The end."]),
    ("Wait... what?", ["Wait... what?"]),
    ('He said "Stop." Then he ran.', ['He said "Stop."', "Then he ran."]),
    ("(It rained.) She left.", ["(It rained.)", "She left."]),
    ("Really?! Yes! ok", ["Really?!", "Yes!", "ok"]),
    ("One.\nTwo.\n\nThree", ["One.", "Two.", "Three"]),
    ("  Lead. Trail.  ", ["  Lead.", "Trail."]),
    ("3.14 is pi. It is.", ["3.14 is pi.", "It is."]),
    ("The U.S. is big. It is.", ["The U.S. is big.", "It is."]),
    ("He left.--She stayed.", ["He left.--She stayed."]),
    ("Quote.” Then", ["Quote.” Then"]),
    ("?! Hello", ["?", "!", "Hello"]),
    (".", ["."]),
    (" ", []),
    ("", []),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_sentences_match_nltk_on_made_up_parameters(folder: Path, text: str, expected: list[str]) -> None:
    assert Punkt.load(folder).sentences(text) == expected


def test_parameters_come_from_a_zip_as_well(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "punkt_tab.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name, text in FILES.items():
            file.writestr(f"punkt_tab/english/{name}", text)
    assert Punkt.load(archive).spellings == Punkt.load(folder).spellings


def test_a_folder_without_parameters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="punkt_tab"):
        Punkt.load(tmp_path)


def test_a_broken_zip_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "punkt_tab.zip"
    broken.write_bytes(b"PK, but not really")
    with pytest.raises(BadInput, match="punkt_tab"):
        Punkt.load(broken)


def test_sentences_match_nltk_on_the_golden_texts(punkt: Punkt) -> None:
    for item in golden("punkt/sentence_spans")["items"]:
        cased, lower = item.get("cased", item.get("lower")), item.get("lower", item.get("cased"))
        assert punkt.spans(item["text"]) == [tuple(span) for span in cased]
        assert punkt.spans(item["text"].lower()) == [tuple(span) for span in lower]


@given(st.text("aB1.?! \n\"')-,“é", max_size=60))
def test_sentences_hold_all_of_the_text_but_spaces(text: str) -> None:
    spans = Punkt().spans(text)
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


@pytest.mark.parametrize(
    "piece", ["a", "!", ". ", ".", " ", "a. ", '.")', "a.", "1,", "-", ". . x", "A. B", ",", "\x0b."]
)
def test_a_long_line_takes_time_in_proportion(piece: str) -> None:
    assert takes_time_in_proportion(Punkt().spans, piece, 20_000)
