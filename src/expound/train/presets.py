"""The sizes that the papers trained at, by name: what is told on the command line wins over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from expound.errors import UnknownName, nearest
from expound.train.data.writer_tasks import TASKS
from expound.train.training_settings import RETRIEVER, WRITER, TrainingSettings, WriterSettings

Preset = TypeVar("Preset")


@dataclass(frozen=True)
class WriterPreset:
    """The sizes that a paper trained a writer at, or ours."""

    writing: WriterSettings
    batch: int = WRITER.batch
    steps: int = WRITER.steps
    rate: float = WRITER.learning_rate
    scratch: str = ""
    """Sizes to start from nothing with."""
    about: str = ""
    """Whose sizes they are, for the help."""


# T5-large's context lengths and batches for ASQA (Stelmakh et al. 2022, appendix); its answers have 65 words. Neither
# steps nor rate are published: ten passes over their 4,353 questions, at our rate for all weights of a trained model.
_ASQA = WriterPreset(WriterSettings(input="asqa", lora=0), batch=8, steps=5400, rate=WRITER.learning_rate / 5)
WRITER_PRESETS: Mapping[str, WriterPreset] = {
    "usual": WriterPreset(WriterSettings()),
    # 15 passages of a support document have some 850 words; the batch of the paper is only called large. Steps and the
    # highest rate are those of the big Transformer of Vaswani et al. 2017, whom they follow.
    "eli5": WriterPreset(
        WriterSettings(shape="seq2seq", k=1, most_tokens=2048, answer_words=250, lora=0, tasks=TASKS),
        batch=32,
        steps=300_000,
        rate=5e-4,
        scratch="eli5",
        about="Fan et al.'s big Transformer from nothing",
    ),
    "asqa-closed": replace(
        _ASQA, writing=replace(_ASQA.writing, most_tokens=128), batch=16, steps=2700, about="T5-C's 128 tokens"
    ),
    "asqa-1": replace(_ASQA, writing=replace(_ASQA.writing, k=1, most_tokens=512), about="T5-O-1's 512"),
    "asqa-3": replace(_ASQA, writing=replace(_ASQA.writing, k=3, most_tokens=1024), about="T5-O-3's 1,024"),
    "asqa-5": replace(_ASQA, writing=replace(_ASQA.writing, k=5, most_tokens=2048), about="T5-O-5's 2,048"),
    # Krishna et al. 2021, appendix A.1: documents, question and answer of 288 tokens each, of a vocabulary of 98,000.
    # With fewer words in it the same texts are more tokens: 4,096 leave room. 180 words are counted as 288 tokens.
    "hurdles": WriterPreset(
        WriterSettings(input="hurdles", k=7, most_tokens=4096, answer_words=180, lora=0),
        batch=128,
        steps=100_000,
        rate=5e-5,
        about="Krishna et al.'s 7 documents in 4,096 tokens",
    ),
}
"""Of `expound train writer`."""


RETRIEVER_PRESETS: Mapping[str, TrainingSettings] = {
    "usual": RETRIEVER,
    # Krishna et al. 2021, appendix A.1; the rate is not published, and ours.
    "hurdles": replace(RETRIEVER, steps=4000, batch=12_288),
}
"""Of `expound train retriever`."""


@dataclass(frozen=True)
class AnswersPreset:
    """How many models list all answers of a question together, and how each is trained."""

    training: TrainingSettings
    writing: WriterSettings
    models: int = 6
    rounds: int = 2
    final: int = 0
    """Models after the last round; 0 is as many as in a round."""


# Question, passages and a list of answers: as much as SmolLM2 learns from at some tens of rows a CPU-minute.
_LISTING = WriterSettings(k=3, most_tokens=384, answer_words=40)
ANSWERS_PRESETS: Mapping[str, AnswersPreset] = {
    "usual": AnswersPreset(WRITER, _LISTING),
    # Min et al. 2020, section 5 and appendix D: six models vote in two rounds, and four of them are the ensemble. As
    # many passages as 1,024 tokens hold; 15 passes over AmbigNQ's 10,036 questions. The batch is not published.
    "ambigqa": AnswersPreset(
        replace(WRITER, steps=18_800, learning_rate=5e-6, batch=8),
        replace(_LISTING, k=10, most_tokens=1024, lora=0),
        final=4,
    ),
}
"""Of `expound train answers`."""


def choose_preset(name: str, presets: Mapping[str, Preset]) -> Preset:
    """The preset of a name."""
    if name not in presets:
        raise UnknownName(f"no preset named {name!r}; {nearest(name, presets)}")
    return presets[name]
