"""The study while it runs: its database, its raters, who judges what, and every answer on disk."""
