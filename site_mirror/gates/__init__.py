"""Gates: conditions that a release must fulfil before it is published.

Modules of this package import no framework.
"""
