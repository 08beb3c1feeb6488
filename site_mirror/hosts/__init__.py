"""Configurations of hosts that serve a release, and comparisons of hosts with its manifest."""
