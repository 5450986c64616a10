"""The loss of a batch is the usual cross-entropy, in value and in gradient, however it is cut into parts."""

from __future__ import annotations

from typing import Any

import pytest

from expound.train import in_batch_loss as module
from expound.train.in_batch_loss import in_batch_loss

pytestmark = pytest.mark.usefixtures("has_torch")


def test_the_right_texts_of_other_groups_are_wrong_ones() -> None:
    import torch

    even = in_batch_loss(torch.zeros(2, 2), torch.eye(2), [[], []])
    assert even.item() == pytest.approx(torch.log(torch.tensor(2.0)).item())
    assert in_batch_loss(9.0 * torch.eye(2), torch.eye(2), [[], []]).item() < 0.01


def test_a_text_that_answers_as_well_is_not_held_against_its_question() -> None:
    import torch

    loss = in_batch_loss(torch.zeros(2, 2), torch.eye(2), [[1], []])
    assert loss.item() == pytest.approx(torch.log(torch.tensor(2.0)).item() / 2)


@pytest.mark.parametrize("together", [1, 3, 100])
def test_value_and_gradient_are_those_of_plain_cross_entropy(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from torch.nn import functional

    monkeypatch.setattr(module, "_SCORED_TOGETHER", together)
    torch.manual_seed(0)
    masked = [[], [4, 9], [], [], [0], [], [], [10]]

    def run(loss_of: Any) -> list[Any]:
        torch.manual_seed(1)
        # Far apart, so that an exponential of a plain score would overflow.
        asked, texts = (30 * torch.randn(size, 5)).requires_grad_(), torch.randn(11, 5, requires_grad=True)
        loss = loss_of(asked, texts)
        loss.backward()
        return [loss.detach(), asked.grad, texts.grad]

    def plain(asked: Any, texts: Any) -> Any:
        wrong = torch.tensor([[place in places for place in range(11)] for places in masked])
        return functional.cross_entropy((asked @ texts.T).masked_fill(wrong, float("-inf")), torch.arange(size))

    size = len(masked)
    ours, theirs = run(lambda asked, texts: in_batch_loss(asked, texts, masked)), run(plain)
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(ours, theirs, strict=True))
