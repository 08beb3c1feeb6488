"""Conditional requests: 304 for whoever has a document, 412 where it is not what was meant."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from email.utils import parsedate_to_datetime

from api.headers import http_date
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.answers import not_modified
from site_mirror.hosts.promised.documents import needs, plain
from site_mirror.hosts.promised.promise import (
    NOTHING,
    Form,
    Needs,
    Promise,
    asking,
    both,
)
from site_mirror.hosts.release import Release
from site_mirror.snapshot.entries import Entry

OTHER = '"of-something-else"'
DAY = timedelta(days=1)


def promises(release: Release) -> Iterator[Promise]:
    """What a client has of every document; of one of each kind, every way to ask."""
    for entry in release.documents:
        for promise in (held(entry), *by_tag_of_a_variant(entry), since_then(entry)):
            yield from both(promise)
    for entry in release.examples:
        for promise in (*by_tag(entry), *by_date(entry)):
            yield from both(promise)
        yield from by_a_precondition(entry)


def held(entry: Entry) -> Promise:
    tag = entry.headers["ETag"]
    return unchanged(entry, Ability.ETAG_CONDITIONS, entry.headers, if_none_match=tag)


def since_then(entry: Entry) -> Promise:
    moment = entry.headers["Last-Modified"]
    return unchanged(entry, Ability.DATE_CONDITIONS, entry.headers, if_modified_since=moment)


def unchanged(entry: Entry, ability: Ability, headers: Mapping[str, str], **asked: str) -> Promise:
    return Promise(
        needs(entry, entry.address) | {ability},
        asking(entry.address, **asked),
        (304,),
        not_modified(headers),
        NOTHING,
    )


def sent(entry: Entry, ability: Ability, **asked: str) -> Promise:
    """The whole document, although the request is conditional."""
    whole = plain(entry, entry.address, **asked)
    return Promise(
        whole.needs | {ability}, whole.request, whole.statuses, whole.headers, whole.content
    )


def by_tag(entry: Entry) -> Iterator[Promise]:
    tag, moment = entry.headers["ETag"], entry.headers["Last-Modified"]
    for tags in (f"{OTHER}, {tag}", f"W/{tag}", "*"):
        yield unchanged(entry, Ability.ETAG_CONDITIONS, entry.headers, if_none_match=tags)
    yield sent(entry, Ability.ETAG_CONDITIONS, if_none_match=OTHER)
    yield sent(entry, Ability.ETAG_CONDITIONS, if_none_match=OTHER, if_modified_since=moment)


def by_tag_of_a_variant(entry: Entry) -> Iterator[Promise]:
    for coding in entry.encodings:
        headers = {**entry.headers, **coding.headers}
        asked = {"accept_encoding": coding.encoding, "if_none_match": coding.headers["ETag"]}
        promise = unchanged(entry, Ability.ETAG_CONDITIONS, headers, **asked)
        yield Promise(
            promise.needs | {Ability.VARIANTS},
            promise.request,
            promise.statuses,
            promise.headers,
            promise.content,
        )
        yield sent(entry, Ability.ETAG_CONDITIONS, if_none_match=coding.headers["ETag"])


def by_date(entry: Entry) -> Iterator[Promise]:
    changed = parsedate_to_datetime(entry.headers["Last-Modified"])
    ability = Ability.DATE_CONDITIONS
    later = http_date(changed + DAY)
    yield unchanged(entry, ability, entry.headers, if_modified_since=later)
    for since in (http_date(changed - DAY), "yesterday", ""):
        yield sent(entry, ability, if_modified_since=since)
    for obsolete in (f"{changed:%A, %d-%b-%y %H:%M:%S} GMT", f"{changed:%a %b %e %H:%M:%S %Y}"):
        yield unchanged(entry, Ability.OLD_DATES, entry.headers, if_modified_since=obsolete)


def by_a_precondition(entry: Entry) -> Iterator[Promise]:
    tag, changed = entry.headers["ETag"], parsedate_to_datetime(entry.headers["Last-Modified"])
    before, after = http_date(changed - DAY), http_date(changed)
    for tags in (tag, f"{OTHER}, {tag}", "*"):
        yield sent(entry, Ability.PRECONDITIONS, if_match=tags)
    yield sent(entry, Ability.PRECONDITIONS, if_unmodified_since=after)
    yield failed(needs(entry, entry.address), entry, if_match=OTHER)
    yield failed(needs(entry, entry.address), entry, if_unmodified_since=before)


def failed(able: Needs, entry: Entry, **asked: str) -> Promise:
    request = asking(entry.address, **asked)
    return Promise(able | {Ability.PRECONDITIONS}, request, (412,), None, Form.NO_PAGE)
