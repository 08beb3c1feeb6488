"""Hosts: what each needs to serve a release, and whether it does. No framework is imported."""
