"""How fast the project is, beside others, on a corpus of any size. See docs/performance.md."""
