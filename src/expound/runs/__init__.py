"""Runs on disk: the plan of an experiment, its folder, and many of them side by side."""
