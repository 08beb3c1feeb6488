"""A 304 of the site repeats what caches need, and says nothing of a body that it does not have."""

from django.test import Client

from tests.freeze import makers
from tests.site.answers import answer, every_request

KEPT = ("ETag", "Last-Modified", "Vary", "Cache-Control", "CDN-Cache-Control", "Link")
OF_A_BODY = ("Content-Length", "Content-Type", "Content-Encoding", "Content-Language")


def test_a_304_has_the_headers_of_the_200_but_for_those_of_its_body(db: None) -> None:
    makers.make_site()
    for asked in every_request():
        if asked.status != 200:
            continue
        known = answer(asked)
        found = answer(asked, {"if-none-match": known["ETag"]})

        assert (found.status_code, found.content) == (304, b""), asked
        assert {name: found.get(name) for name in KEPT} == {name: known.get(name) for name in KEPT}
        assert [name for name in OF_A_BODY if name in found] == []


def test_a_304_of_a_mirror_by_negotiation_names_the_mirror(db: None) -> None:
    makers.make_site()
    headers = {"accept": "text/markdown"}
    known = Client().get("/about", headers=headers)
    found = Client().get("/about", headers={**headers, "if-none-match": known["ETag"]})

    assert found.status_code == 304
    assert found["Content-Location"] == known["Content-Location"] == "/about.md"
