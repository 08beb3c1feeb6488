"""The links that a change would break. No freeze could publish the site, so it is refused."""

from collections.abc import Collection
from itertools import groupby
from typing import Any

from django.db.models import Model
from django.urls import reverse

from site_mirror.desk.links import DeadLink


def breaking_summary(broken: Collection[DeadLink]) -> str:
    links = "1 link" if len(broken) == 1 else f"{len(broken)} links"
    return f"This change would break {links} of other texts."


def breaking_context(broken: Collection[DeadLink]) -> dict[str, Any]:
    """Return the context of `breaking.html`; it is empty if there are no links."""
    if not broken:
        return {}
    return {
        "breaking": [
            {"row": row, "form": form_url(row), "links": [dead.sentence for dead in several]}
            for row, several in groupby(broken, key=lambda dead: dead.link.row)
        ],
        "breaking_summary": breaking_summary(broken),
    }


def form_url(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
