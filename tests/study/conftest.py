"""Fixtures of the study tests."""

from study_helpers import browse, make

__all__ = ["browse", "make"]
