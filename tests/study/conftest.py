"""Fixtures of the study tests."""

from study.study_helpers import browse, make

__all__ = ["browse", "make"]
