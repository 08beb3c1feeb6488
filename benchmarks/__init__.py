"""Benchmarks of the project and its peers on a generated corpus. See docs/performance.md."""
