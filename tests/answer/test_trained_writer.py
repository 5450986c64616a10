"""What a trained writer says: as it stands, or only what the passages support."""

from __future__ import annotations

import pytest

from expound.answer.trained_writer import TrainedWriter, prove
from expound.errors import UserError
from expound.models.decoder import Decoding
from expound.models.torch_writer import TorchWriter
from expound.models.writer_card import WriterCard
from expound.types import Evidence, Passage

EVIDENCE = [Evidence(Passage("1", "Charles X was king of France until 2 August 1830.", "Charles X"), 1, 1.0)]
SAID = "Charles X was the king of France until August 1830. The moon is made of green cheese. He was"


def test_only_what_a_passage_supports_is_kept_with_its_citation() -> None:
    answer = prove(SAID, EVIDENCE)
    assert answer.text == "Charles X was the king of France until August 1830."
    assert [sentence.citations for sentence in answer.sentences] == [(1,)]
    assert prove(SAID, []).text == ""


def test_a_support_document_may_be_read_in_place_of_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    class Writer(TorchWriter):
        def token_ends(self, text: str) -> list[int]:
            return []

        def write(self, source: str, decoding: Decoding, *, begun: str = "") -> str:
            read.append(source)
            return SAID

    writer = object.__new__(Writer)
    writer.card = WriterCard(k=1)
    monkeypatch.setattr("expound.answer.trained_writer.open_writer", lambda folder: writer)
    far = Evidence(Passage("2", "He ruled France. It rained."), 2, 0.5)
    system = TrainedWriter("run/model", over="support")
    assert system.answer("Who was king of France?", [*EVIDENCE, far]).text == SAID
    assert read[0].endswith(f"{EVIDENCE[0].passage.text} He ruled France. It rained.")
    assert system.answer("Who wrote it?", []).text == ""
    with pytest.raises(UserError, match="over 'pages'"):
        TrainedWriter("run/model", over="pages")


def test_nothing_is_proved_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Writer(TorchWriter):
        def token_ends(self, text: str) -> list[int]:
            return [place + len(word) for place, word in enumerate(text.split())]

        def write(self, source: str, decoding: Decoding, *, begun: str = "") -> str:
            return SAID

    writer = object.__new__(Writer)
    writer.card = WriterCard(k=1)
    monkeypatch.setattr("expound.answer.trained_writer.open_writer", lambda folder: writer)
    asked = "Who ruled France?"
    assert TrainedWriter("run/model").answer(asked, EVIDENCE).text == SAID
    proved = TrainedWriter("run/model", proved=True).answer(asked, EVIDENCE)
    assert "cheese" not in proved.text
    assert proved.sentences[0].citations == (1,)
