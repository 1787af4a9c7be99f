"""Everything that is read from disk or written to it."""
