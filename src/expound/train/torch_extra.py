"""The libraries of the extra `train`: are they there, and do they keep quiet."""

from __future__ import annotations

import importlib.util
from contextlib import AbstractContextManager

from expound.errors import UserError
from expound.train.training_settings import NumberFormat

_LIBRARIES = ("torch", "transformers", "safetensors", "onnx")


def require_extra(*more: str) -> None:
    """Say what to install if the libraries for training are not there."""
    # Looked for and not imported: torch alone takes two seconds.
    missing = [name for name in (*_LIBRARIES, *more) if importlib.util.find_spec(name) is None]
    if missing:
        raise UserError(
            f"training needs {', '.join(missing)}: pip install 'expound[train]', or in a checkout EXPOUND_EXTRAS=train "
            "./expound train …"
        )


def quieten() -> None:
    """No bars and reports of transformers between our own lines: that a head is new is no news here."""
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()


def computing_in(precision: NumberFormat) -> AbstractContextManager[object]:
    """Within it products of matrices are computed in this precision; losses and sums stay float32."""
    import torch

    is_short = precision == NumberFormat.BFLOAT16
    context: AbstractContextManager[object] = torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_short)
    return context
