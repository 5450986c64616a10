"""What a metric looks at: whoever scores or audits asks the metric, and knows none by its class or name."""

from __future__ import annotations

from expound.errors import UserError
from expound.protocols import AnyMetric

KNOWN = frozenset({"text", "length", "readings", "rewrites", "evidence", "reader", "side file", "system"})
"""The answer's text, its length alone, its readings, their rewritten questions, the passages, what a reader reads off
the answer, a file beside the answers, the name of the system."""

USUAL = ("text",)


def looks_at(metric: AnyMetric) -> frozenset[str]:
    """What the metric says in `looks_at`; the answer's text where it says nothing."""
    found = frozenset(getattr(metric, "looks_at", USUAL))
    if unknown := sorted(found - KNOWN):
        raise UserError(f"{metric!r} looks at {unknown[0]!r}; a metric can look at: {', '.join(sorted(KNOWN))}")
    return found
