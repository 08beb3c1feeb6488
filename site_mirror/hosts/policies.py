"""Policies: sets of headers that documents share, which configurations of hosts have only once."""

from collections.abc import Collection

from site_mirror.hosts.release import ServedRelease
from site_mirror.snapshot.entries import Entry

Policy = tuple[tuple[str, str], ...]


def policy_of(entry: Entry, own: Collection[str]) -> Policy:
    """Return the headers of a document except those with a value of its own."""
    return tuple(item for item in entry.headers.items() if item[0] not in own)


def list_policies(release: ServedRelease, own: Collection[str]) -> list[Policy]:
    return list(dict.fromkeys(policy_of(entry, own) for entry in release.documents))
