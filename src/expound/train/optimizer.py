"""The optimiser that both trained models share: a fast new head on a slow body, warm-up, and decay to zero."""

from __future__ import annotations

from typing import Any, Protocol


class Rates(Protocol):
    """The settings that the optimiser looks at."""

    @property
    def steps(self) -> int: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def head_learning_rate(self) -> float: ...
    @property
    def warmup_share(self) -> float: ...
    @property
    def weight_decay(self) -> float: ...


def new_optimizer(model: Any, settings: Rates, *, head: str) -> tuple[Any, Any]:
    """AdamW with a faster head, linear warm-up and linear decay to zero; `head` begins the names of its weights."""
    import torch

    trained = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    groups = [
        {"params": [p for name, p in trained if name.startswith(head) == is_head], "lr": rate}
        for is_head, rate in ((False, settings.learning_rate), (True, settings.head_learning_rate))
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=settings.weight_decay)
    warmup = max(1, int(settings.steps * settings.warmup_share))

    def factor(step: int) -> float:
        return min((step + 1) / warmup, max(0.0, (settings.steps - step) / max(1, settings.steps - warmup)))

    return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
