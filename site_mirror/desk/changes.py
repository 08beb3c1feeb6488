"""What a publication, or the return to a release, would change: by row and in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalogue.content.published import Rows
from catalogue.content.writing import FILES
from site_mirror.desk.differences import list_differences
from site_mirror.desk.publishing import read_content
from site_mirror.snapshot.changes import find_differences
from site_mirror.snapshot.layout import MANIFEST
from site_mirror.snapshot.manifest import read_manifest, read_whole_manifest
from site_mirror.snapshot.state import read_valid_state

MAX_COMPARED_ROWS = 100
"""Rows of a table whose words are compared; others are only named."""


def compare_releases(before: Path | None, after: Path) -> dict[str, Any]:
    """Return the rows that differ, and the number of documents that do.

    `is_told` says whether both releases tell their rows, and `has_others` whether documents differ
    without a row, for example by another version of the software.
    """
    if before == after:
        return {}
    known = read_manifest(before / MANIFEST) if before else None
    documents = sum(1 for _ in find_differences(known, read_whole_manifest(after / MANIFEST)))
    old, new = read_content(before), read_content(after)
    rows: list[dict[str, Any]] = []
    for model in FILES if documents and old and new else ():
        name = str(model._meta.model_name)
        form = admin.site.get_model_admin(model)
        rows += compare_rows(form, old.get(name, {}), new.get(name, {}))
    return {
        "rows": rows,
        "documents": documents,
        "is_told": bool(old and new),
        "has_others": not rows or read_valid_state(before) is None,
    }


def compare_rows(form: Any, old: Rows, new: Rows) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table that appear, differ or leave, and whether their order differs."""
    kind, place = capfirst(form.opts.verbose_name), f"admin:catalogue_{form.opts.model_name}"
    listed, kinds = reverse(f"{place}_changelist"), capfirst(form.opts.verbose_name_plural)
    changed = [key for key in {**new, **old} if old.get(key) != new.get(key)]
    there = form.model._default_manager.filter(pk__in=changed).values_list("pk", flat=True)
    forms = {str(key): reverse(f"{place}_change", args=[key]) for key in there}
    names = (f"{form.title_of_row}_en", "name", *form.model.NATURAL_KEY)
    for number, key in enumerate(changed):
        values = new.get(key) or old[key]
        title = next(values[name][0] for name in names if name in values)
        row = {"title": title, "form": forms.get(key, listed), "change": kind}
        if key not in old:
            row["change"] = _("%(kind)s appears") % {"kind": kind}
        elif key not in new:
            row["change"] = _("%(kind)s leaves the site") % {"kind": kind}
        elif number < MAX_COMPARED_ROWS:
            row["words"] = list_differences(form, old[key], values)
        # Another version of the software may have written the same words in another way.
        if row.get("words") != []:
            yield row
    kept = old.keys() & new.keys()
    before, after = ([key for key in rows if key in kept] for rows in (old, new))
    if before != after and form.ordered:
        yield {"title": kinds, "form": listed, "change": _("in another order")}
