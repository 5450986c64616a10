"""An engine by the text that names it."""

from __future__ import annotations

from expound.build.engines import Here, ShardEngine
from expound.errors import UserError


def choose_engine(spec: str = "here", *, jobs: int = 1) -> ShardEngine:
    """`here`, `daft`, `ray` (the cluster that the environment names, else one of this machine) or `ray://HOST:PORT`."""
    if spec == "here":
        return Here(jobs)
    if spec == "daft":
        from expound.build.daft_engine import DaftEngine

        return DaftEngine(jobs)
    if spec == "ray" or spec.startswith("ray://"):
        from expound.build.ray_engine import RayEngine

        return RayEngine(spec)
    raise UserError(f"no engine {spec!r}; there are: here, daft, ray, ray://HOST:PORT")
