"""The shipped site as it is published: every page, mirror and file, live and frozen."""
