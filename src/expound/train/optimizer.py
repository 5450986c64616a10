"""AdamW with a fast new head on a slow body, and a rate that follows from the step alone."""

from __future__ import annotations

from typing import Any

from expound.train.training_settings import TrainingSettings


def new_optimizer(model: Any, settings: TrainingSettings, *, head: str) -> Any:
    """AdamW over the weights that are trained; those whose names begin with `head` have a rate of their own."""
    import torch

    trained = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
    is_new = {name: bool(head) and name.startswith(head) for name, _ in trained}
    groups = [
        {"params": [weight for name, weight in trained if is_new[name] == is_head], "highest_rate": rate}
        for is_head, rate in ((False, settings.learning_rate), (True, settings.head_learning_rate))
    ]
    # A base without a new head has an empty group, which AdamW refuses.
    return torch.optim.AdamW([group for group in groups if group["params"]], weight_decay=settings.weight_decay)


def set_rates(optimizer: Any, settings: TrainingSettings, step: int) -> None:
    """The rates of a step. They have no memory: a run that goes on needs no schedule to be restored."""
    for group in optimizer.param_groups:
        group["lr"] = group["highest_rate"] * rate_share(settings, step)


def rate_share(settings: TrainingSettings, step: int) -> float:
    """Linear warm-up, then linear decay to zero. 0 to 1."""
    warmup = max(1, int(settings.steps * settings.warmup_share))
    # Never 0 at the first step, and above 0 at the last.
    return min((step + 1) / warmup, max(0.0, (settings.steps - step) / max(1, settings.steps - warmup)))
