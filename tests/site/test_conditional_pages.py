"""A 304 of the site has the headers that caches need, and none that describe a body."""

from django.test import Client

from tests.freeze import sites
from tests.site.public_answers import (
    list_typical_requests,
    send_request,
)

REPEATED_HEADERS = ("ETag", "Last-Modified", "Vary", "Cache-Control", "CDN-Cache-Control", "Link")
BODY_HEADERS = ("Content-Length", "Content-Type", "Content-Encoding", "Content-Language")


def test_a_304_has_the_headers_of_the_200_but_for_those_of_its_body(db: None) -> None:
    sites.make_site()
    for request in list_typical_requests():
        if request.status != 200:
            continue
        full = send_request(request)
        not_modified = send_request(request, {"if-none-match": full["ETag"]})

        assert (not_modified.status_code, not_modified.content) == (304, b""), request
        assert {name: not_modified.get(name) for name in REPEATED_HEADERS} == {
            name: full.get(name) for name in REPEATED_HEADERS
        }
        assert [name for name in BODY_HEADERS if name in not_modified] == []


def test_a_304_of_a_mirror_by_negotiation_names_the_mirror(db: None) -> None:
    sites.make_site()
    headers = {"accept": "text/markdown"}
    full = Client().get("/about", headers=headers)
    not_modified = Client().get("/about", headers={**headers, "if-none-match": full["ETag"]})

    assert not_modified.status_code == 304
    assert not_modified["Content-Location"] == full["Content-Location"] == "/about.md"
