"""The documentation of the API: what editors wrote of it, and what programs say of themselves."""
