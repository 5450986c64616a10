"""A question and its evidence to an answer, one file per way of answering."""
