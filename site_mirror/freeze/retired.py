"""Find the addresses that editors have withdrawn, which a release may therefore lack."""

from collections.abc import Iterator

from catalogue.models.workflow import is_visible
from site_mirror.documents.context import Context
from site_mirror.registry import table


def withdrawn_addresses(context: Context) -> Iterator[str]:
    """Yield addresses of rows that were published once and are not visible at a moment."""
    for family in table.FAMILIES:
        if family.former:
            former = family.former(context.at).model
            (owner,) = (field.name for field in former._meta.get_fields() if field.many_to_one)
            hidden = former.objects.exclude(is_visible(context.at, through=f"{owner}__"))
            yield from map(family.address, hidden.values_list("slug", flat=True))
