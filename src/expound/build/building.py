"""An output that is being built: one process at a time, stage by stage, and no finished shard is done again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from expound.build.engines import Done, Here, ShardEngine, WorkersDied
from expound.build.places import OutPlace, is_address, public_name, require_build
from expound.build.shards import Shard, Stage, begun_name, do_shard, dropped_table, receipt_name
from expound.errors import BuildBusy, BuildFailed, ExpoundError, UserError
from expound.files import check_folder, hold_lock
from expound.resources import home
from expound.text.plain import plain_line
from expound.version import __version__

Report = Callable[[str, int, int], None]
"""Told of progress: what is being done, how much of it is done, and of how much."""

# A third time helps against a worker that was killed or a network that was gone; against a bad file nothing helps.
MOST_ATTEMPTS = 3
_SHARDS_NAMED = 3  # in one message: the first few show what is wrong


@dataclass(frozen=True)
class StageResult:
    """What a stage came to: counts over all its shards, why things were dropped, and the shards that were set aside."""

    shards: Sequence[str]
    counts: Mapping[str, int]
    dropped: Mapping[str, int]
    aside: Mapping[str, str]
    reused: int = 0


@contextmanager
def open_build(out: str, *, engine: ShardEngine | None = None, report: Report | None = None) -> Iterator[Building]:
    """The output of a build, held for this process alone until the block ends."""
    require_build()
    if not is_address(out):
        check_folder(Path(out))
    with hold_lock(
        _lock_of(out), busy=BuildBusy(f"another process is building {public_name(out)}; wait until it ends")
    ):
        yield Building(OutPlace(out), engine or Here(), report or (lambda _what, _done, _of: None))


def _lock_of(out: str) -> Path:
    """Beside the output; that of an address lies in our home, and holds for this machine."""
    if not is_address(out):
        return Path(out) / ".lock"
    return home() / "cache" / "builds" / f"{sha256(out.encode()).hexdigest()[:16]}.lock"


@dataclass
class Building:
    """The stages of one output."""

    place: OutPlace
    engine: ShardEngine
    report: Report

    def run(self, stage: Stage, shards: Sequence[Shard], *, inputs: Sequence[Mapping[str, Any]] = ()) -> StageResult:
        """Do what is not finished of a stage, then write its manifest. `inputs` tells the files it is made from."""
        started = time.time()
        spec = {"stage": stage.name, "work": repr(stage.work), "inputs": [dict(item) for item in inputs]}
        self._check_same(stage, spec, [shard.name for shard in shards])
        finished = set(self._list_finished(stage)) & {shard.name for shard in shards}
        aside = self._do(stage, [shard for shard in shards if shard.name not in finished])
        result = self._sum_up(stage, shards, aside, reused=len(finished))
        if len(result.aside) == len(shards) > 0:
            raise BuildFailed(f"no shard of {stage.name!r} could be done; {_first_reasons(result.aside)}")
        self._write_manifest(stage, spec, result, started)
        return result

    def _check_same(self, stage: Stage, spec: Mapping[str, Any], names: Sequence[str]) -> None:
        """Refuse an output that was begun with other settings or files: its shards would not fit together."""
        name = f".shards/{stage.name}/stage.json"
        wanted = {**spec, "shards": sha256("\n".join(names).encode()).hexdigest(), "expound": __version__}
        if not self.place.has(name):
            self.place.write_json(name, wanted)
            return
        kept = self.place.read_json(name)
        if other := [key for key in wanted if kept.get(key) != wanted[key]]:
            raise UserError(
                f"{public_name(self.place.url)} was begun with other {' and '.join(other)} for {stage.name!r}; "
                "choose another --out, or remove it"
            )

    def _list_finished(self, stage: Stage) -> list[str]:
        return [name for name in self.place.names(f".shards/{stage.name}", ".json") if name != "stage"]

    def _do(self, stage: Stage, shards: Sequence[Shard]) -> dict[str, str]:
        """ShardWork on shards until each is finished or has failed too often; the reasons of the latter."""
        left = {shard.name: shard for shard in shards}
        for name in self.place.names(f".shards/{stage.name}", ".begun"):
            # Left by a process that was killed: that says nothing of the shard.
            self.place.remove(begun_name(stage.name, name))
        total, tries, reasons = len(left), Counter[str](), dict[str, str]()
        suspects: set[str] = set()
        while waiting := [left[name] for name in left if tries[name] < MOST_ATTEMPTS]:
            # Whoever was at work when a worker died is tried alone, so that no other is blamed for it.
            alone = [shard for shard in waiting if shard.name in suspects][:1]
            others = [shard for shard in waiting if shard.name not in suspects]
            try:
                for name, reason in self.engine.run(partial(_attempt, stage, self.place), others or alone):
                    if reason:
                        tries[name], reasons[name] = tries[name] + 1, reason
                    else:
                        del left[name]
                    self.report(stage.name, total - len(left), total)
            except WorkersDied as error:
                finished = set(self._list_finished(stage))
                left = {name: shard for name, shard in left.items() if name not in finished}
                begun = [name for name in left if self.place.has(begun_name(stage.name, name))]
                for name in begun or left:
                    tries[name], reasons[name] = tries[name] + 1, plain_line(str(error))
                suspects.update(begun)
        return {name: reasons[name] for name in left}

    def _sum_up(self, stage: Stage, shards: Sequence[Shard], aside: Mapping[str, str], *, reused: int) -> StageResult:
        counts, dropped = Counter[str](), Counter[str]()
        names = [shard.name for shard in shards if shard.name not in aside]
        for name in names:
            receipt = self.place.read_json(receipt_name(stage.name, name))
            counts.update(receipt["counts"])
            dropped.update(receipt["dropped"])
        return StageResult(
            shards=names,
            counts=dict(sorted(counts.items())),
            dropped=dict(sorted(dropped.items())),
            aside=dict(sorted(aside.items())),
            reused=reused,
        )

    def _write_manifest(self, stage: Stage, spec: Mapping[str, Any], result: StageResult, started: float) -> None:
        """What made the tables of a stage; its presence means that all shards are finished or set aside."""
        manifest = {
            "spec": spec,
            "tables": [*stage.tables, dropped_table(stage.name)],
            "shards": len(result.shards),
            "counts": result.counts,
            "dropped": result.dropped,
            "aside": result.aside,
            "expound": __version__,
            "started": round(started, 3),
            "finished": round(time.time(), 3),
        }
        self.place.write_json(f"{stage.name}.manifest.json", manifest)


def _attempt(stage: Stage, place: OutPlace, shard: Shard) -> Done:
    """Do a shard; what goes wrong is told and not raised, so that the others go on."""
    try:
        do_shard(stage, shard, place)
    except Exception as error:
        place.remove(begun_name(stage.name, shard.name))
        text = str(error) if isinstance(error, ExpoundError) else f"{type(error).__name__}: {error}"
        return shard.name, public_name(plain_line(text)) or type(error).__name__
    return shard.name, ""


def _first_reasons(aside: Mapping[str, str]) -> str:
    first = list(aside.items())[:_SHARDS_NAMED]
    more = f" (and {len(aside) - len(first)} more)" if len(aside) > len(first) else ""
    return "; ".join(f"{name}: {reason}" for name, reason in first) + more
