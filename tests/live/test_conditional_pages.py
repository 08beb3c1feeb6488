"""A 304 of the site has the headers that caches need, and none that describe a body."""

from itertools import product

from tests.freeze import sites
from tests.live.public_answers import PublicRequest, list_document_requests, send_request

REPEATED_HEADERS = ("ETag", "Last-Modified", "Vary", "Cache-Control", "CDN-Cache-Control", "Link")
BODY_HEADERS = ("Content-Length", "Content-Type", "Content-Encoding", "Content-Language")


def test_a_304_has_the_headers_of_the_200_but_for_those_of_its_body(db: None) -> None:
    sites.make_site()
    mirror = PublicRequest(200, "/about", headers={"accept": "text/markdown"})
    requests = [*list_document_requests(), mirror]
    for request, encoding in product(requests, ("identity", "gzip", "br")):
        variant = {"accept-encoding": encoding}
        full = send_request(request, variant)
        not_modified = send_request(request, variant | {"if-none-match": full["ETag"]})

        assert (not_modified.status_code, not_modified.content) == (304, b""), request
        by_date = send_request(request, variant | {"if-modified-since": full["Last-Modified"]})

        assert (by_date.status_code, by_date.headers) == (304, not_modified.headers), request
        for name in (*REPEATED_HEADERS, "Content-Location"):
            assert not_modified.get(name) == full.get(name), (request, name)
        assert [name for name in BODY_HEADERS if name in not_modified] == []
    assert not_modified["Content-Location"] == "/about.md"
