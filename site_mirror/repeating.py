"""Whether a freeze would only repeat the last one, told without reading any content.

What a release is made of is the content, the moment, the program and the settings. The content
has a revision that every change moves, and a moment counts as the same until something falls
due. Where all of it is as it was, and nobody touched the release, there is nothing to do. The
revision proves that only while the database has the triggers that move it.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import asdict, replace

from catalogue import installing
from catalogue.models import Revision
from catalogue.reading import one_read
from site_mirror import inputs
from site_mirror.machine import security
from site_mirror.snapshot import share, state
from site_mirror.snapshot.files import body, write_over
from site_mirror.snapshot.layout import CHECKSUMS, ERRORS, MADE, MANIFEST, PUBLIC, REPORT, SIGNATURE
from site_mirror.snapshot.report import Report
from site_mirror.snapshot.staying import Windows, is_own
from site_mirror.snapshot.target import Target
from site_mirror.snapshot.traces import Trace, is_file, lasting, trace

SECRET = frozenset({"SECRET_KEY", "DATABASES", "CACHES", "MAIL", "EMAIL_HOST_PASSWORD"})
OF_NO_DOCUMENT = frozenset({"ENVIRONMENT", "LOGGING", "LOG_FORMAT", "ACCESS_LOG", "UNFOLD"})
PRIVATE = (MANIFEST, CHECKSUMS, SIGNATURE, REPORT)
MANY = 10_000
"""Files up to which each is looked at; of more, only their folders are."""


class Made(Struct, frozen=True):
    """What a release was made of: a fingerprint, and the moments of which it shows the content.

    `renewal` is when one of its files is out of date by the clock, whatever moment is frozen.
    """

    fingerprint: str
    since: datetime
    due: datetime | None
    renewal: datetime

    def shows(self, at: datetime, now: datetime) -> bool:
        return self.since <= at and (self.due is None or at < self.due) and now < self.renewal


def made(at: datetime, due: datetime | None) -> Made:
    """What a freeze is made of now; to be asked in the transaction that reads the content."""
    return Made(fingerprint(), at, due, security.renewal(timezone.now()))


def fingerprint() -> str:
    """Of the content, the program and the settings. Two histories have no revision in common:
    each change has a moment.
    """
    revision = Revision.objects.values_list("number", "changed_at").first()
    return inputs.digest(inputs.program(), revision, setting_values())


def origin() -> str:
    """A digest of the program and the settings."""
    return inputs.digest(inputs.program(), setting_values())


def setting_values() -> dict[str, str]:
    """The settings of the project as text, but for secrets and what enters no document."""
    names = (
        vars(import_module(os.environ["DJANGO_SETTINGS_MODULE"])).keys() - SECRET - OF_NO_DOCUMENT
    )
    return {name: repr(getattr(settings, name)) for name in sorted(names) if name.isupper()}


def remember(
    made: Made,
    digests: Mapping[str, str],
    release: Path,
    report: Report,
    folders: Collection[str],
) -> None:
    """Write down in a release what it is made of; `digests` are those of packs."""
    kept = {
        "made": asdict(made),
        "origin": origin(),
        "digests": digests,
        "traces": traces(release, report.files, folders),
        "report": report.members(),
    }
    write_over(f"{release}/{MADE}", orjson.dumps(kept))


def repeated(target: Target, at: datetime) -> Report | None:
    """The report of a freeze that would change nothing; `None` where only a freeze can tell.

    In a large release a file that somebody has written over in place is found when its share of
    the files is read again.
    """
    release = target.release
    try:
        kept = kept_by(release)
        last, known = Report.of(kept["report"]), made_of(kept["made"])
        checked = state.read(target.root, release)
        same = known.shows(at, timezone.now()) and untouched(release, kept, checked.windows)
        if not same or release is None:
            return None
        with one_read():
            if not (installing.intact(connection) and known.fingerprint == fingerprint()):
                return None
        if not share.is_whole(release, checked.share):
            return None
    except (OSError, ValueError, KeyError, TypeError, DatabaseError):
        return None
    with suppress(OSError):
        state.keep(target.root, replace(checked, share=state.next_share(checked)))
    return last.again()


def kept_by(release: Path | None) -> Mapping[str, Any]:
    """What a release remembers of its making. Raises `OSError` or `ValueError` if nothing."""
    if release is None:
        raise FileNotFoundError
    found: Mapping[str, Any] = orjson.loads(body(release, MADE))
    return found


def doubt() -> str:
    """Why nothing proves that the content is as it was; empty where the triggers are in place."""
    try:
        faults = installing.faults(connection)
    except DatabaseError:
        return ""
    if not faults:
        return ""
    return (
        f"{len(faults)} triggers of the catalogue are missing or are not those of this program "
        f"({faults[0]} among them), so this freeze reads all content. Run “manage.py migrate”."
    )


def nearly(target: Target) -> bool:
    """Whether nothing but the content of a large release can have changed since."""
    try:
        kept = kept_by(target.release)
        return Report.of(kept["report"]).files > MANY and kept["origin"] == origin()
    except (OSError, ValueError, KeyError, TypeError):
        return False


def digests(target: Target) -> dict[str, str]:
    """Those that the published release was remembered with, if any."""
    try:
        return dict(kept_by(target.release)["digests"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def made_of(members: Mapping[str, Any]) -> Made:
    since, renewal = (datetime.fromisoformat(members[name]) for name in ("since", "renewal"))
    due = members["due"]
    return Made(members["fingerprint"], since, due and datetime.fromisoformat(due), renewal)


def untouched(release: Path | None, kept: Mapping[str, Any], windows: Windows) -> bool:
    """Whether all that lies in a release is as the program left it."""
    if release is None:
        return False
    return all(
        is_the_same(name, trace(f"{release}/{name}"), tuple(was), windows)
        for name, was in kept["traces"].items()
    )


def is_the_same(name: str, now: Trace, was: Trace, windows: Windows) -> bool:
    """Links move the change time of public files, so that may be any that the program caused."""
    if now == was or not name.startswith(f"{PUBLIC}/") or not is_file(now):
        return now == was
    return lasting(now) == lasting(was) and is_own(now[-1], windows)


def traces(release: Path, files: int, folders: Collection[str]) -> dict[str, Trace]:
    """How the folders, and the files of a release that is not large, were last touched.

    `folders` are those of the public tree that have files.
    """
    every = files <= MANY
    public = within(release, PUBLIC, files=True) if every else below(folders)
    names = [*PRIVATE, *public, *within(release, ERRORS, files=every)]
    return {name: trace(f"{release}/{name}") for name in names}


def below(folders: Iterable[str]) -> set[str]:
    """The public tree, and every folder that leads to one that has files."""
    own = {f"{PUBLIC}/{folder}".rstrip("/") for folder in folders}
    return {str(each) for folder in own for each in (Path(folder), *Path(folder).parents)} - {"."}


def within(release: Path, part: str, *, files: bool) -> Iterator[str]:
    """A folder of a release and those in it, with their files if these are asked for."""
    for folder, _, inside in os.walk(release / part):
        own = os.path.relpath(folder, release)
        yield own
        if files:
            yield from (f"{own}/{name}" for name in inside)
