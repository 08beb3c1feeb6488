"""The state of the content, as the cache of responses needs it."""

from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone

from api.headers import DATED_AFTER
from api.lifecycle import ANNOUNCEMENT
from api.schema import describe, openapi_description
from catalogue import questions
from catalogue.addresses import Site
from catalogue.models import Post, Revision
from catalogue.read_transactions import read_transaction
from catalogue.triggers.installing import find_trigger_faults
from catalogue.triggers.revision import last_public_change
from site_mirror.live.response_cache import State
from site_mirror.machine import security
from site_mirror.machine.table import keep_everything
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES_BY_NAME

MAX_PREPARED_POSTS = 100


def read_state(known: State | None) -> State:
    """Return the state, with two short queries if it is the known one.

    A state ends when scheduled content falls due, when `security.txt` gets another expiry, when the
    date of a change is old enough to be sent, and when the clock is set back. It has ended at once
    if a trigger is missing, because the revision proves nothing then.
    """
    close_old_connections()
    at = timezone.now()
    revision = Revision.objects.values_list("number", "changed_at").first()
    ANNOUNCEMENT.failed = float("-inf")  # The database answers, so responses are kept from now on.
    if find_trigger_faults(connection):
        describe.cache_clear()
        keep_everything.cache_clear()
        return State(revision, since=0.0, until=0.0)
    now = at.timestamp()
    if known and known.revision == revision and known.since <= now < known.until:
        return known
    last_change = last_public_change(at)
    if known and known.revision != revision:
        with suppress(Exception):  # A fault is that of the documents, whose requests report it.
            prepare_slow_documents(at)
    dated = last_change + DATED_AFTER
    ends = (security.renewal(at), questions.next_due(at), dated if dated > at else None)
    return State(revision, now, min(moment.timestamp() for moment in ends if moment))


@read_transaction()
def prepare_slow_documents(at: datetime) -> None:
    """Render what takes longer than other documents while the last state is still served.

    These are the examples of the API, which its reference shows, and the text of all pages.
    With many posts that text would outlast the time in which every process must show an edit.
    """
    openapi_description(at)
    if Post.objects.published(at=at).count() <= MAX_PREPARED_POSTS:
        family, context = FAMILIES_BY_NAME["llms-full"], context_at(Site(settings.SITE_ROOT), at)
        family.document(context, family.one(context, ""))
