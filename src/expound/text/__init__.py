"""Sentences, tokens, normalisation and stems: each written once."""
