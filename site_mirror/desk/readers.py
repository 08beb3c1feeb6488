"""What readers see of a row, in a sentence."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalogue import questions
from catalogue.content.published import values_of
from catalogue.models import Image, Tag
from catalogue.texts.localized import LANGUAGES
from site_mirror.desk.history import entries_of
from site_mirror.desk.models import HistoryEntry
from site_mirror.desk.places import place_of
from site_mirror.desk.publishing import find_served_release, read_content
from site_mirror.desk.site import SiteAt, seen_from
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
    release = find_served_release()
    content = read_content(release)
    if row is None or not content or not is_public(row):
        return ""
    if content[str(row._meta.model_name)].get(str(row.pk)) != values_of(row):
        return _("Not in the snapshot yet.")
    index, place = index_documents(release), place_of(row)
    pages = (index.find(place.address("page", language)) for language in LANGUAGES)
    since = [page.generated_at for page in pages if page]
    if not since:
        return ""
    moment = say_moment(datetime.fromisoformat(max(since)))
    return _("In the snapshot since %(moment)s.") % {"moment": moment}


def say_moment(moment: Any) -> str:
    return date_format(timezone.localtime(moment), _("j F Y, H:i"))
