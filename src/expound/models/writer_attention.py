"""Where a writer looks before its first word: at the question, or at the documents (Fan et al. 2019, Figure 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from expound.models.torch_writer import TorchWriter


@dataclass(frozen=True)
class FirstLook:
    """Shares of question and documents, together one: of the attention, and of the tokens that could be looked at."""

    question: float
    question_tokens: float

    @property
    def over_its_share(self) -> float:
        """How many times as much attention a token of the question gets as it would if all got the same."""
        return self.question / self.question_tokens


def first_look(writer: TorchWriter, source: str, question: str) -> FirstLook | None:
    """The mean over layers and heads; none where there are no documents beside the question.

    Marks of the dialogue around what is read are left out: models rest on the first of them when nothing else matters.
    """
    text = writer.read_text(source)
    first = text.index(source)
    # Inputs have the question first or last; its words may stand in a document as well.
    start = first + (len(source) - len(question) if source.endswith(question) else 0)
    encoded = writer.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    weights = _attention(writer, encoded["input_ids"])
    is_read = [first < end and begin < first + len(source) for begin, end in encoded["offset_mapping"]]
    is_asked = [start < end and begin < start + len(question) for begin, end in encoded["offset_mapping"]]
    if all(asked or not read for asked, read in zip(is_asked, is_read, strict=True)):
        return None
    looked = sum(weight for weight, read in zip(weights, is_read, strict=True) if read)
    on_question = sum(weight for weight, asked in zip(weights, is_asked, strict=True) if asked)
    return FirstLook(on_question / looked, sum(is_asked) / sum(is_read))


def _attention(writer: TorchWriter, ids: list[int]) -> list[float]:
    """What each token that is read gets from the place which the first word is written at."""
    import torch

    model: Any = writer.model
    model.eval()
    usual = model.config._attn_implementation
    # The fused attention of torch is faster, and does not say where it looked.
    model.set_attn_implementation("eager")
    try:
        with torch.inference_mode():
            if writer.card.shape == "causal":
                layers = model(torch.tensor([ids]), output_attentions=True, logits_to_keep=1).attentions
            else:
                begun = torch.tensor([[model.config.decoder_start_token_id]])
                given = {"input_ids": torch.tensor([ids]), "decoder_input_ids": begun}
                layers = model(**given, output_attentions=True).cross_attentions
    finally:
        model.set_attn_implementation(usual)
    # Of each layer: one text, its heads, the last place, all tokens.
    weights: list[float] = torch.stack([layer[0, :, -1] for layer in layers]).mean(dim=(0, 1)).tolist()
    return weights
