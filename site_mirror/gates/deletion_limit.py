"""The part of a release that one freeze may delete."""

MAX_DELETED_PERCENT = 20
"""Documents that one freeze may delete, in per cent of the published ones."""
