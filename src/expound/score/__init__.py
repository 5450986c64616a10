"""Predictions to numbers: one file per metric."""
