"""Every error that expound raises on purpose, with the exit code the command line gives it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ExpoundError(Exception):
    """Something went wrong that one clear line can explain."""

    exit_code = 1


class UserError(ExpoundError):
    """The caller can put it right: a wrong path, name, option or file."""

    exit_code = 2


class BadInput(UserError):
    """A file or record cannot be read as what it claims to be."""


class BadRecord(BadInput):
    """A line of a record file is malformed; the message names file and line."""


class NothingToRead(UserError):
    """The given paths hold no readable document."""


class UnknownName(UserError):
    """No corpus, resource or dataset of that name; the message suggests the nearest."""


class UnknownPlugin(UnknownName):
    """No plug-in of that name is installed."""


class IncompleteSpec(UserError):
    """A spec lacks what its part cannot do without; `hint` is what the part says to whoever has nothing to give it."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class CorpusBusy(ExpoundError):
    """Another process is writing to the same corpus."""


class CorpusUnfinished(ExpoundError):
    """The first `add` of a corpus was stopped on the way: what it holds is not what was asked for."""


class Damaged(ExpoundError):
    """A file that expound keeps is not as it was written; the message names it and how to get a new one."""


class RunBusy(ExpoundError):
    """Another process is writing the same run."""


class BuildBusy(ExpoundError):
    """Another process is building the same output."""


class BuildFailed(ExpoundError):
    """No shard of a stage could be done; the message has the first reasons."""


class RecipesFailed(ExpoundError):
    """Some of the recipes that were to be measured could not be; the message names them."""


class ForeignSystemFailed(ExpoundError):
    """A command or an address that answers questions died, was silent for too long, or said something else."""


class WrongVersion(UserError):
    """A file on disk was written by another, incompatible version."""


class ResourceMissing(UserError):
    """A fetched file is needed and not on this machine."""


class ResourceDamaged(UserError):
    """A fetched file is not what it was when it was fetched."""


class FetchFailed(ExpoundError):
    """A resource or a page could not be fetched, or a resource's hash is wrong."""


class AddressRefused(UserError):
    """A page that is not fetched: its address leads elsewhere, to a private network, or to what cannot be read."""


class StorageFull(ExpoundError):
    """The disk is full or not writable; what was there before is unharmed."""


class EndpointFailed(ExpoundError):
    """A text model's address could not be reached, or went on failing."""


class MostCostReached(ExpoundError):
    """The next call to a text model could cost more than the user allows."""


class EndpointRefused(UserError):
    """A text model's address does not accept the request: the key, the model or the prompt is wrong."""


class NotAnEndpoint(UserError):
    """An address is not one of a text model."""


class ContextTooLong(UserError):
    """A prompt has no room in the text model's context."""


class NotEnoughMemory(UserError):
    """A text model needs more memory than the machine has free."""


class ModelFailed(ExpoundError):
    """A local text model gave up in the middle of a call."""


def nearest(name: str, names: Iterable[str], *, otherwise: str = "") -> str:
    """What to say of an unknown name: the known one that is most like it; `otherwise` all of them.

    >>> nearest("recal", ["precision", "recall"])
    "did you mean 'recall'?"
    """
    known = list(names)
    # Half of the letters: with Python's usual 0.6 short names such as "eli5" are not found from "eil".
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else otherwise or f"there are: {', '.join(known) or 'none'}"
