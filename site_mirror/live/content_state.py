"""The state of the content, as the cache of responses needs it."""

from contextlib import suppress

from django.db import close_old_connections, connection
from django.utils import timezone

from api.headers import DATED_AFTER
from api.lifecycle import ANNOUNCEMENT
from api.schema import openapi_description
from catalogue import questions
from catalogue.models import Revision
from catalogue.triggers.installing import find_trigger_faults
from catalogue.triggers.revision import last_public_change
from site_mirror.live.response_cache import State
from site_mirror.machine import security


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
        return State(revision, since=0.0, until=0.0)
    now = at.timestamp()
    if known and known.revision == revision and known.since <= now < known.until:
        return known
    last_change = last_public_change(at)
    if known and known.revision != revision:
        # The examples take as long as the rest of `/docs/api`. Meanwhile the last state is served.
        with suppress(Exception):  # A fault is that of the documents, whose requests report it.
            openapi_description(at, last_change)
    dated = last_change + DATED_AFTER
    ends = (security.renewal(at), questions.next_due(at), dated if dated > at else None)
    return State(revision, now, min(moment.timestamp() for moment in ends if moment))
