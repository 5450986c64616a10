"""Every number that training depends on, with its reason: one set for the loop, one for each kind of model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from expound.models.token_limits import NLI_TOKENS, RANKER_TOKENS

# What may differ when a run goes on: none of it moves a weight of the steps that are taken, but for the last digits
# that another number of threads rounds otherwise. A run that goes on elsewhere is better than none.
_FREE = ("checkpoint_every", "hours", "log_every", "patience", "threads")


class NumberFormat(StrEnum):
    """What a step is computed in. Weights, the optimiser's memory and all that is measured stay float32."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


@dataclass(frozen=True)
class TrainingSettings:
    """The choices of the loop. Values without a remark are those of the first reader that shipped."""

    steps: int
    learning_rate: float = 1e-4
    head_learning_rate: float = 1e-3
    """A new head starts from random numbers and the body from trained ones: the head may move ten times as fast."""
    warmup_share: float = 0.06
    weight_decay: float = 0.01
    batch: int = 12
    largest_gradient: float = 1.0
    """A longer gradient is cut to this length: one odd batch cannot throw the weights about."""
    seed: int = 13
    threads: int = 2
    """With another number of threads sums are rounded otherwise, and the last digits of the weights differ."""
    checkpoint_every: int = 50
    """At most a minute or two of work is lost; a checkpoint of MiniLM is 130 MB and written in a second."""
    measure_every: int = 500
    patience: int = 4
    """So many measurements on dev in a row without a better one end the run; 0 never does."""
    hours: float = 0.0
    """CPU-hours that a run may take, all its calls together; 0 is no limit."""
    log_every: int = 20
    precision: NumberFormat = NumberFormat.FLOAT32
    """A step of SmolLM2 takes two thirds of the time in bfloat16, where the processor computes in it (LOG.md)."""
    frozen: int = 0
    """Lowest layers of an encoder that stay as the base has them: what is below is not computed backwards."""

    def fixed(self) -> dict[str, Any]:
        """What must stay the same for a run to go on."""
        return {name: value for name, value in asdict(self).items() if name not in _FREE}


READER = TrainingSettings(steps=1000)
# The shipped ranker's (models/ranker.md); 27 pairs a CPU-second.
RANKER = TrainingSettings(steps=1100, learning_rate=7e-5, warmup_share=0.08, batch=8, measure_every=400)
SENTENCES = TrainingSettings(steps=300, learning_rate=7e-5, warmup_share=0.08, batch=8, measure_every=100)
# Gentler: MiniLM is a trained retriever already, and has no new head to follow.
RETRIEVER = TrainingSettings(steps=500, learning_rate=2e-5, warmup_share=0.1, batch=16, measure_every=100)
# The reader's rates: the same kind of head over every token.
TAGGER = TrainingSettings(steps=500, batch=16, measure_every=100)
# A head of random weights over vectors that stay as they are: a fast rate, and a few hundred pairs a second.
REWRITER = TrainingSettings(steps=2000, learning_rate=1e-3, batch=32, measure_every=100, checkpoint_every=100)

# Four texts a pair: a checkpoint is due after ten steps. A gentle rate: a few hundred pairs a source are soon known
# by heart. Its own dev, if any, is small.
PREFERENCE = TrainingSettings(
    steps=100, learning_rate=5e-5, warmup_share=0.1, batch=8, measure_every=50, checkpoint_every=10
)

# Two sequences of some 300 tokens take about 3 GB with SmolLM2's 49,152 words; more of them are no faster on a CPU.
# LoRA's usual rate; what is trained as a whole takes a fifth of it, what starts from nothing five times as much.
WRITER = TrainingSettings(steps=200, learning_rate=2e-4, batch=2, measure_every=100, checkpoint_every=20)


# Short pairs: a larger batch costs little. Three passes over 11,700 pairs of SNLI dev and RTE, 20 minutes of a core.
NLI = TrainingSettings(steps=1100, batch=32, measure_every=275, checkpoint_every=100)


@dataclass(frozen=True)
class ReaderSettings:
    """How a context is shown to a reader in training."""

    most_tokens: int = 144
    """Longer contexts are cut; one window of each is trained on. Twice the length costs more than twice the time."""
    overlap: int = 64
    seed: int = 13
    """Chooses which window of a long context that is."""


@dataclass(frozen=True)
class RankerSettings:
    """What a group is to a ranker: the choices of the shipped one (`models/ranker.md`)."""

    most_tokens: int = RANKER_TOKENS
    """As many as the product reads."""
    negatives: int = 5
    """Wrong texts of a group in one pass, drawn anew in the next."""
    confidence_weight: float = 0.5
    """Of the cross-entropy of each pair beside the softmax over the group: it makes the sigmoid a confidence."""


@dataclass(frozen=True)
class RetrieverSettings:
    """How questions and texts are held against each other."""

    most_tokens: int = 128
    """A passage of a hundred words; the product reads up to 256 tokens, which takes twice the time to train."""
    negatives: int = 1
    """Wrong texts that a group brings along; the right texts of all other groups of the batch are wrong as well."""
    temperature: float = 0.05
    """What cosines are divided by before the softmax: the 1/20 that MiniLM itself was trained with."""


@dataclass(frozen=True)
class TaggerSettings:
    """How much of a text is read."""

    most_tokens: int = 128
    """A question and a passage of some eighty words; what is beyond gets no tag."""


@dataclass(frozen=True)
class RewriterSettings:
    """The sizes of the rewriter's head (recipes/LOG.md, "A tagger for additions")."""

    width: int = 128
    layers: int = 2
    heads: int = 4
    dropout: float = 0.2
    input_dropout: float = 0.4
    """Of the reader's vectors: they are wider than the head, and the pairs few."""
    width_in: int = 384
    """The reader's."""


@dataclass(frozen=True)
class NliSettings:
    """How much of a premise is read."""

    most_tokens: int = NLI_TOKENS
    """As many as the product reads."""


@dataclass(frozen=True)
class PreferenceSettings:
    """What a learned preference sees of an answer."""

    most_tokens: int = 128
    """Of question and answer, and of answer and evidence; some eighty words. Twice the length takes twice the time."""
    sees_evidence: bool = False
    most_of_a_source: int = 200
    """Pairs of a file in one pass: the smallest file that was trained on has about so many."""


@dataclass(frozen=True)
class WriterSettings:
    """What a writer reads and writes, and which of its weights are trained."""

    shape: str = "causal"
    input: str = "eli5"
    """In which order question and documents stand: eli5 and asqa have the question first, hurdles the best last."""
    k: int = 0
    """Documents of a row that are read; 0 is closed book."""
    most_tokens: int = 384
    """Read and written together; documents are cut to what is left for them."""
    answer_words: int = 100
    """Longer answers are cut, at words: perplexity is then over the same words whatever the tokenizer."""
    loss: str = "answer"
    """On the answer's tokens alone, or on `all`, as a language model's (Fan et al. 2019)."""
    lora: int = 16
    """The rank of an adapter; 0 trains all weights."""
    tasks: tuple[str, ...] = ()
    """The tasks of a row, the first of which is measured and used; none is question (and documents) to answer."""
    is_shuffled: bool = False
    """A control: every question is learnt with another one's answer."""
