"""A list that is joined from encoded items equals a list that is encoded at once."""

import pytest

from api.envelope import encode_body, encode_item, envelope, join_items
from catalogue.addresses import Site

SITE = Site("https://studio.example")
ROWS = [{"slug": f"a-{number}", "title": {"en": "Ngày “e\u0301” []"}} for number in range(3)]


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("moment", [None, "2026-01-01T00:00:00Z"])
def test_joined_items_equal_the_encoded_list(count: int, moment: str | None) -> None:
    rows = ROWS[:count]
    items = [encode_item({"data": row}) for row in rows]

    joined = join_items(envelope(SITE, "/api/v1/posts", []), items)

    at_once = envelope(SITE, "/api/v1/posts", rows)
    assert encode_body(joined, moment) == encode_body(at_once, moment)
