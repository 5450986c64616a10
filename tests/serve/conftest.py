"""Fixtures of the tests of the pages."""

from serve.serve_helpers import corpus, desk, page

__all__ = ["corpus", "desk", "page"]
