"""Benchmark files to questions: one file per layout."""
