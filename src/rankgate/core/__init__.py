"""The domain: judgments, rankings, measures, comparison, gate; pure functions over frozen data."""
