"""How much of a release may go at once."""

SHARE = 20
"""Of a hundred documents, how many may go in one freeze."""
