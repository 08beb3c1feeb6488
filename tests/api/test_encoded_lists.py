"""A list that is joined from encoded items equals a list that is encoded at once."""

import orjson
import pytest

from api import envelope
from api.envelope import Items, encode_body, encode_item
from catalogue.addresses import Site

SITE = Site("https://studio.example")
ROWS = [{"slug": f"a-{number}", "title": {"en": "Ngày “một” []"}} for number in range(40)]
MOMENT = "2026-01-01T00:00:00Z"


def make_bodies(rows: list[dict[str, object]]) -> tuple[envelope.Body, envelope.Body]:
    """Return a list of rows, and one of encoded items in groups of one and of two."""
    items = [encode_item({"data": row}) for row in rows]
    groups = [*items[:2], *(b",".join(items[at : at + 2]) for at in range(2, len(items), 2))]
    encoded_at_once = envelope.envelope(SITE, "/api/v1/posts", rows)
    return encoded_at_once, envelope.envelope(SITE, "/api/v1/posts", Items(groups, len(rows)))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 40])
def test_joined_items_equal_the_encoded_list_also_in_slices(count: int) -> None:
    encoded_at_once, joined = make_bodies(ROWS[:count])
    parts = joined["data"].slices()
    slices = [orjson.loads(encode_body({**joined, "data": part})) for part in parts]

    for moment in (None, MOMENT):
        assert encode_body(joined, moment) == encode_body(encoded_at_once, moment)
    assert [row for part in slices for row in part["data"]] == ROWS[:count]
    assert len(slices) == (2 if count == 40 else 1)
    assert {part["meta"]["count"] for part in slices} == {count}


def test_an_encoded_item_is_composed() -> None:
    assert encode_item({"data": {"title": "e\u0301"}}) == '{"title":"é"}'.encode()
