"""HTML building blocks: text is escaped on the way in, pages need no network and no script."""
