"""Find the addresses that editors have withdrawn, which a release may therefore lack."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from catalogue.models.workflow import is_visible
from site_mirror.documents.family import Family
from site_mirror.registry import table

LISTING_PREFIXES = ("tag-", "year-")
"""Prefixes of families of lists, which are removed with the last row that they list."""


def withdrawn_addresses(at: datetime) -> Iterator[str]:
    """Yield addresses of rows that were published once and are not visible at a moment."""
    for family in table.FAMILIES:
        if family.former:
            former = family.former(at).model
            hidden = former.objects.exclude(is_visible(at, through=f"{owner_relation(former)}__"))
            yield from map(family.address, hidden.values_list("slug", flat=True))


def owner_relation(former: Any) -> str:
    """Return the name of the relation from a former slug to its row."""
    return str(next(field.name for field in former._meta.get_fields() if field.many_to_one))


def listing_families() -> frozenset[str]:
    names = (family.name for family in table.FAMILIES if is_listing(family))
    return frozenset(names)


def is_listing(family: Family) -> bool:
    return family.name.startswith(LISTING_PREFIXES) or family.name == "sitemap-part"
