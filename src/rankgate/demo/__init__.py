"""An embedded search service over the Python standard library's own documentation."""
