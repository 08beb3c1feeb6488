"""A list that is joined of encoded items has the bytes of one that is encoded as a whole."""

import orjson
import pytest

from api import envelope
from api.envelope import Items, encode, encoded_item
from catalogue.addresses import Site

SITE = Site("https://studio.example")
ROWS = [{"slug": f"a-{number}", "title": {"en": "Ngày “một” []"}} for number in range(40)]
STAMP = "2026-01-01T00:00:00Z"


def bodies(rows: list[dict[str, object]]) -> tuple[envelope.Body, envelope.Body]:
    """The list of rows, and the same of items in groups of one and of two."""
    items = [encoded_item({"data": row}) for row in rows]
    groups = [*items[:2], *(b",".join(items[at : at + 2]) for at in range(2, len(items), 2))]
    whole = envelope.envelope(SITE, "/api/v1/posts", rows)
    return whole, envelope.envelope(SITE, "/api/v1/posts", Items(groups, len(rows)))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 40])
@pytest.mark.parametrize("stamp", [None, STAMP])
def test_joined_items_are_the_bytes_of_the_list(count: int, stamp: str | None) -> None:
    whole, joined = bodies(ROWS[:count])

    assert encode(joined, stamp) == encode(whole, stamp)


def test_an_item_is_composed_as_the_list_is() -> None:
    decomposed = {"data": {"title": "e\u0301"}}

    assert encoded_item(decomposed) == '{"title":"é"}'.encode()


@pytest.mark.parametrize("count", [0, 1, 40])
def test_slices_have_every_item_once_and_the_count_of_all(count: int) -> None:
    _, joined = bodies(ROWS[:count])

    slices = [orjson.loads(encode({**joined, "data": part})) for part in joined["data"].slices()]

    assert [row for part in slices for row in part["data"]] == ROWS[:count]
    assert len(slices) == (2 if count == 40 else 1)
    assert {part["meta"]["count"] for part in slices} == {count}
