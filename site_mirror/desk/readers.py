"""What readers see of a row, in a sentence."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalogue import questions
from catalogue.models import Image, Tag
from catalogue.texts.localized import LANGUAGES
from site_mirror.desk.history import entries_of
from site_mirror.desk.models import HistoryEntry
from site_mirror.desk.places import place_of
from site_mirror.desk.publishing import find_target
from site_mirror.desk.site import SiteAt, seen_from
from site_mirror.documents.encodings import sha256_hex
from site_mirror.snapshot.manifest import index_documents


def is_public(row: Any) -> bool:
    """Whether readers see a row now; they see tags and images with the texts that have them."""
    now = timezone.now()
    if isinstance(row, Tag):
        return Tag.objects.published(at=now).filter(pk=row.pk).exists()
    if isinstance(row, Image):
        return questions.images(now, slug=row.slug).filter(pk=row.pk).exists()
    return seen_from(row, now) == now


def is_scheduled(row: Any) -> bool:
    now = timezone.now()
    return seen_from(row, now) not in (None, now)


def live_sentence(row: Any) -> str:
    """Return where readers see a row now: `Live: /blog/echoes · EN, VI`."""
    if not is_public(row):
        return f"{capfirst(seen_by_readers(row))}."
    place, site = place_of(row), SiteAt(timezone.now())
    shown = [each.upper() for each in LANGUAGES if site.find(place.address("page", each))]
    live = _("Live: %(page)s · %(languages)s") if shown else _("Live.")
    return live % {"page": place.page, "languages": ", ".join(shown)}


def seen_by_readers(row: Any) -> str:
    """Return what readers see, as the end of the line about a draft."""
    if row is None:
        return _("not public yet")
    if is_scheduled(row):
        return _("appears on %(moment)s") % {"moment": say_moment(row.publish_at)}
    if not is_public(row):
        return _("readers do not see it")
    # Tags, relations and inlines do not move the moment that readers are told.
    changes = entries_of(row).exclude(act__in=[HistoryEntry.Act.FOUND, HistoryEntry.Act.MOVED])
    recorded = changes.values_list("made_at", flat=True).first()
    changed = max(filter(None, (getattr(row, "changed_at", None), recorded)), default=None)
    if changed is None or isinstance(row, Image):  # They see its file, which never changes.
        return _("readers see it")
    day = date_format(timezone.localtime(changed), pgettext("a day", "j F Y"))
    return _("readers see the version of %(day)s") % {"day": day}


def seen_in_snapshot(row: Any) -> str:
    """Return since when the served release shows a public row as it is, in a sentence."""
    release = find_target().release
    if row is None or release is None or not is_public(row):
        return ""
    index, site, since = index_documents(release), SiteAt(timezone.now()), []
    for language in LANGUAGES:
        page = place_of(row).address("page", language)
        entry, document = index.find(page), site.document(page)
        frozen = entry.content_sha256 if entry else ""
        if frozen != (sha256_hex(document.body()) if document else ""):
            return _("Not in the snapshot yet.")
        since += [entry.generated_at] if entry else []
    if not since:
        return ""
    moment = say_moment(datetime.fromisoformat(max(since)))
    return _("In the snapshot since %(moment)s.") % {"moment": moment}


def say_moment(moment: Any) -> str:
    return date_format(timezone.localtime(moment), _("j F Y, H:i"))
