"""A question and its evidence to the readings of the question."""
