"""Predictions to numbers: one file per metric."""

from expound.score.profile import Options, Profile, profile_named
from expound.score.results import Scorer, Scores, score

__all__ = ["Options", "Profile", "Scorer", "Scores", "profile_named", "score"]
