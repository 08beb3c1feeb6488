"""What editors have taken back: addresses that may go, because their rows say so."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from catalogue.models.workflow import visible
from site_mirror import registry
from site_mirror.documents import Family

LISTINGS = ("tag-", "year-")
"""Families of lists that go with the last thing that they list."""


def withdrawn(at: datetime) -> Iterator[str]:
    """Addresses of rows that readers saw once and do not see at a moment."""
    for family in registry.FAMILIES:
        if family.former:
            former = family.former(at).model
            hidden = former.objects.exclude(visible(at, through=f"{owner(former)}__"))
            yield from map(family.address, hidden.values_list("slug", flat=True))


def owner(former: Any) -> str:
    """The name of the relation from a former slug to its row."""
    return str(next(field.name for field in former._meta.get_fields() if field.many_to_one))


def listings() -> frozenset[str]:
    names = (family.name for family in registry.FAMILIES if is_listing(family))
    return frozenset(names)


def is_listing(family: Family) -> bool:
    return family.name.startswith(LISTINGS) or family.name == "sitemap-part"
