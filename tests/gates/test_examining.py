"""Workers examine each document that they render."""

import pickle
from pathlib import Path

import orjson
import pytest
from django.conf import settings

from api.envelope import GROUPS_PER_SLICE, Items
from site_mirror.documents.family import Document
from site_mirror.gates.examining import Examiner
from site_mirror.snapshot.evidence import CONTRACT_GATE, HOSTS_GATE

ROOT = settings.SITE_ROOT
STAMP = "2026-11-21T00:00:00Z"
HTML = "text/html; charset=utf-8"


@pytest.fixture
def examiner(released: Path, db: None) -> Examiner:
    return Examiner((released / "current/public/openapi.json").read_bytes(), ROOT)


def make_page(address: str, footer: str = "") -> Document:
    body = (
        f'<head><link rel="canonical" href="{ROOT}{address}">'
        f'<link rel="alternate" type="text/markdown" href="{address}.md"></head>'
        f'<main id="x"><h1>It</h1><a href="#x">x</a></main>{footer}'
    )
    return Document("x", address, HTML, {}, body.encode())


def test_a_pickled_examiner_has_no_compiled_validators(examiner: Examiner) -> None:
    before = pickle.dumps(examiner)
    body = {"self": f"{ROOT}/api/v1/health", "status": 1}
    document = Document("getHealth", "/api/v1/health", "application/json", {}, body)
    found = examiner(document, STAMP)

    other = pickle.loads(pickle.dumps(examiner))  # noqa: S301

    assert found.faults
    assert pickle.dumps(examiner) == before
    assert other == examiner
    assert other(document, STAMP) == found


def test_a_link_in_the_footer_of_one_page_only_is_found(examiner: Examiner) -> None:
    same = '<footer><a href="/privacy">it</a></footer>'
    first, second, third = (
        examiner(make_page(address, footer), STAMP)
        for address, footer in (
            ("/a", same),
            ("/b", same.replace("/privacy", "/gone")),
            ("/c", same),
        )
    )

    assert first.references == {b"/a", b"/a.md", b"/privacy"}
    assert second.references == {b"/b", b"/b.md", b"/gone"}
    assert third.references == {b"/c", b"/c.md", b"/privacy"}


def test_relative_links_are_resolved_for_each_page(examiner: Examiner) -> None:
    same = '<footer><a href="../privacy">it</a> <a href="#gone">it</a></footer>'
    here, there = (
        examiner(make_page("/vi/a", same), STAMP),
        examiner(make_page("/docs/api/a", same), STAMP),
    )

    assert b"/privacy" in here.references
    assert b"/docs/privacy" in there.references
    assert [fault.words for fault in (*here.faults, *there.faults)] == [
        "/vi/a links to #gone, which it does not have",
        "/docs/api/a links to #gone, which it does not have",
    ]


def test_a_body_whose_self_link_is_another_address_is_found(examiner: Examiner) -> None:
    body = orjson.dumps({"self": f"{ROOT}/api/v1/team"})
    document = Document("getHealth", "/api/v1/health", "application/json", {}, body)

    words = [fault.words for fault in examiner(document, STAMP).faults]

    assert f"/api/v1/health says that it is {ROOT}/api/v1/team" in words


ITEMS = GROUPS_PER_SLICE * 3
FIRST, MIDDLE, LAST = 0, GROUPS_PER_SLICE + 1, ITEMS - 1


def make_long_list(released: Path, faulty: int, item: dict[str, object]) -> Document:
    """Return the team as a list of several slices with one different item."""
    body = orjson.loads((released / "current/public/api/v1/team.json").read_bytes())
    groups = [orjson.dumps(body["data"][0])] * ITEMS
    groups[faulty] = orjson.dumps({**body["data"][0], **item})
    content = {**body, "count": ITEMS, "data": Items(groups, ITEMS)}
    return Document("listTeam", "/api/v1/team", "application/json", {}, content)


@pytest.mark.parametrize("place", [FIRST, MIDDLE, LAST])
@pytest.mark.parametrize(
    ("item", "gate"),
    [
        ({"unknown": 1}, CONTRACT_GATE),
        ({"bio": {"en": "http://localhost/x"}}, HOSTS_GATE),
    ],
    ids=["contract", "hosts"],
)
def test_a_fault_in_any_slice_of_a_long_list_is_found(
    place: int, item: dict[str, object], gate: str, examiner: Examiner, released: Path
) -> None:
    whole = examiner(make_long_list(released, place, {}), STAMP)
    found = examiner(make_long_list(released, place, item), STAMP)

    assert (whole.rows, found.rows) == (ITEMS, ITEMS)
    assert gate in {fault.gate for fault in {*found.faults} - {*whole.faults}}


@pytest.mark.parametrize("place", [FIRST, MIDDLE, LAST])
def test_a_link_in_any_slice_of_a_long_list_is_noted(
    place: int, examiner: Examiner, released: Path
) -> None:
    item = {"links": {"self": f"{ROOT}/only-here"}}
    whole = examiner(make_long_list(released, place, {}), STAMP)
    found = examiner(make_long_list(released, place, item), STAMP)

    assert {*found.hashes} > {*whole.hashes}
