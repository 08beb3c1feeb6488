"""Hosts: what each needs to serve a release, and whether one does. No framework is imported here."""
