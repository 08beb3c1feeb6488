"""Decide without reading content whether a freeze would change nothing.

A release depends on the content, the moment, the program and the settings. Every change of content
changes its revision, and a later moment makes no difference until scheduled content is due. If all
of these are equal and the files of the release are unchanged, there is nothing to do. The revision
proves this only while the database has the triggers that change it.
"""

import os
from collections.abc import Mapping
from datetime import datetime
from importlib import import_module
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from catalogue.models import Revision
from catalogue.read_transactions import read_transaction
from catalogue.triggers import installing
from site_mirror.documents import digests
from site_mirror.documents.context import Context
from site_mirror.documents.digests import digest
from site_mirror.machine import security
from site_mirror.snapshot import published
from site_mirror.snapshot.report import Report
from site_mirror.snapshot.state import read_valid_state
from site_mirror.snapshot.target import Target

SECRET_SETTINGS = frozenset(
    {"SECRET_KEY", "DATABASES", "CACHES", "EMAIL_SETTINGS", "EMAIL_HOST_PASSWORD"}
)
SETTINGS_OF_NO_DOCUMENT = frozenset(
    {
        *("LOGGING", "LOG_FORMAT", "ACCESS_LOG", "UNFOLD"),
        *("SNAPSHOT", "PUBLISH_REQUEST", "DEPLOY_COMMAND"),
    }
)


def inputs_of(context: Context) -> dict[str, Any]:
    """Return the inputs of a release, which are stored in its state.

    `until` is when its `security.txt` must be renewed, by the clock and not by the moment.
    """
    return {
        "fingerprint": content_fingerprint(),
        "since": context.at.isoformat(),
        "due": context.next_due.isoformat() if context.next_due else None,
        "until": security.renewal(timezone.now()).isoformat(),
    }


def content_fingerprint() -> str:
    """Return a fingerprint of the content, the program and the settings, with one query.

    A revision includes the moment of its change, so two histories of a database, such as before and
    after a backup is restored, have no revision in common.
    """
    revision = Revision.objects.values_list("number", "changed_at").first()
    return digest(digests.program_digest(), revision, setting_values())


def setting_values() -> dict[str, str]:
    """Return the project's settings as text, except secrets and those that no document needs."""
    names = (
        vars(import_module(os.environ["DJANGO_SETTINGS_MODULE"])).keys()
        - SECRET_SETTINGS
        - SETTINGS_OF_NO_DOCUMENT
    )
    return {name: repr(getattr(settings, name)) for name in sorted(names) if name.isupper()}


def unchanged_report(target: Target, at: datetime) -> Report | None:
    """Return the report of a freeze that would change nothing; `None` if a freeze is necessary."""
    release, state = target.release, read_valid_state(target.release)
    try:
        if release is None or state is None or not shows_moment(state.inputs, at):
            return None
        with read_transaction():
            same = state.inputs["fingerprint"] == content_fingerprint()
            if not same or installing.find_trigger_faults(connection):
                return None
        # Last, because it takes the longest.
        same = state.tree == published.digest_tree_metadata(release, state.report.files)
        return state.report.as_unchanged() if same else None
    except (OSError, ValueError, KeyError, TypeError, DatabaseError):
        return None


def shows_moment(inputs: Mapping[str, Any], at: datetime) -> bool:
    """Whether a release has the content of a moment, as far as this depends on time."""
    since, until = (datetime.fromisoformat(inputs[name]) for name in ("since", "until"))
    due = datetime.fromisoformat(inputs["due"]) if inputs["due"] else None
    return since <= at and (due is None or at < due) and timezone.now() < until


def missing_triggers_warning() -> str:
    """Return a warning if triggers are missing, without which the revision proves nothing."""
    try:
        faults = installing.find_trigger_faults(connection)
    except DatabaseError:
        return ""
    if not faults:
        return ""
    return (
        f"{len(faults)} triggers of the catalogue are missing or are not those of this program "
        f"({faults[0]} among them), so this freeze reads all content. Run “manage.py migrate”."
    )
