"""The front page: the state of the public site, what waits for the editor, and who did what."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from django.http import HttpRequest

from site_mirror.desk import publishing
from site_mirror.desk.models import Draft, HistoryEntry
from site_mirror.desk.publish_screen import publication_context
from site_mirror.desk.translation_screen import list_outdated, measure_progress

SHOWN = 10
"""Outdated translations and changes on the page."""


def overview_context(kinds: Sequence[Any], request: HttpRequest) -> dict[str, Any]:
    """Return the context of the front page about the rows of some forms."""
    known = {kind.opts.model_name: kind for kind in kinds}
    drafts = Draft.objects.filter(kind__in=known, is_open=True)
    own = drafts.filter(author=request.user)  # type: ignore[misc]
    entries = HistoryEntry.objects.filter(kind__in=known).exclude(act=HistoryEntry.Act.FOUND)
    changes = entries.defer("data").select_related("author")
    scheduled = (kind.list_scheduled() for kind in kinds if hasattr(kind, "list_scheduled"))
    publication = publishing.Publication()
    outdated = list_outdated(kinds)
    progress = filter(None, map(measure_progress, kinds))
    return {
        **publication_context(request, publication),
        "is_up_to_date": publication.phase == publishing.PUBLIC and publishing.is_up_to_date(),
        "drafts": own.select_related("noted_by").order_by("-saved_at"),
        "reviews": drafts.filter(in_review=True).order_by("saved_at"),
        "waiting": [*chain.from_iterable(scheduled)],
        "untranslated": [kind for kind in progress if kind.translated < kind.rows],
        "outdated": outdated[:SHOWN],
        "others": len(outdated[SHOWN:]),
        "changes": changes[:SHOWN],
    }
