"""A question to its evidence."""
