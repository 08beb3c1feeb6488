"""What editors took off the site, so that its addresses may vanish from a release."""

from functools import cache
from typing import Any

from catalogue import questions
from site_mirror.documents.context import Context
from site_mirror.documents.family import Family
from site_mirror.documents.sources import Question
from site_mirror.gates.vanished import RemovedAddress
from site_mirror.registry import table


class Withdrawals:
    """The withdrawals of editors until a moment.

    A document may vanish if the program still has its family, but the catalogue has no content for
    it. Its row must be known, as it is after every act of an editor: it is unpublished, has lost
    its translation or its icon, or its slug is remembered. A row that was lost otherwise, as by a
    restore of an old backup, is not.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.known_slugs = cache(read_known_slugs)
        self.shown_slugs = cache(self.read_shown_slugs)

    def include(self, removed: RemovedAddress) -> bool:
        address = removed.address.removesuffix(".json")
        if removed.family:
            family = table.FAMILIES_BY_NAME.get(removed.family)
            return family is not None and self.has_nothing_at(family, address)
        return any(self.has_nothing_at(family, address) for family in table.FAMILIES if family.rows)

    def has_nothing_at(self, family: Family, address: str) -> bool:
        slug = family.slug_of(address)
        if slug is None:
            return False
        if family.rows is None:
            return family.one(self.context, slug) is None
        known = self.known_slugs(family.rows(self.context.at).model)
        return slug in known and slug not in self.shown_slugs(family.rows)

    def read_shown_slugs(self, rows: Question) -> frozenset[str]:
        """Return the slugs at which there is a document or a redirect."""
        at = self.context.at
        former = questions.former_slugs(at, of=rows(at))
        return frozenset(
            [*rows(at).values_list("slug", flat=True), *former.values_list("slug", flat=True)]
        )


def read_known_slugs(model: Any) -> frozenset[str]:
    """Return the slugs that rows have, in any state, or had when readers saw them."""
    former = model.former_slugs.field.model
    return frozenset(
        slug for rows in (model, former) for slug in rows.objects.values_list("slug", flat=True)
    )
