"""What a change breaks, and the box by which an editor goes on all the same."""

from collections.abc import Collection
from hashlib import sha256
from itertools import groupby
from typing import Any

from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse

from site_mirror.desk.links import DeadLink

CONFIRMATION_FIELD = "_break_links"
"""Name of the check box that confirms a change; its value is the digest of the listed breaks."""


def breaking_summary(broken: Collection[DeadLink]) -> str:
    links = "1 link" if len(broken) == 1 else f"{len(broken)} links"
    return f"This change breaks {links} of other texts."


def digest_of(broken: Collection[DeadLink]) -> str:
    words = [f"{form_url(dead.link.row)} {dead.sentence}" for dead in broken]
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def is_confirmed(request: HttpRequest, broken: Collection[DeadLink]) -> bool:
    """Whether the editor confirmed exactly this list."""
    return request.POST.get(CONFIRMATION_FIELD) == digest_of(broken)


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
        "breaking_field": CONFIRMATION_FIELD,
        "breaking_seal": digest_of(broken),
    }


def form_url(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
