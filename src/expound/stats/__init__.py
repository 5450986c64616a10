"""Intervals and tests that say how far a number can be believed."""
