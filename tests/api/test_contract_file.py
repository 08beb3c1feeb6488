"""The committed contract is that of the program, and its version announces every change."""

from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command

from api.compatibility import find_version_faults
from api.schema import CONTRACT_FILE
from api.schema_generation import generate_contract
from site_mirror.management.commands import openapi

Contract = dict[str, Any]
REMOVED = object()
POSTS, POST = "paths./posts", "components.schemas.Post"
VERSION_HEADER = "components.headers.API-Version"

CHANGES: list[tuple[str, object, str, str]] = [
    (POSTS, REMOVED, "is gone", "2.0.0"),
    (f"{POSTS}.get.operationId", "posts", "was listPosts and is posts", "2.0.0"),
    (f"{POSTS}.get.responses.429", REMOVED, "is gone", "2.0.0"),
    (f"{VERSION_HEADER}.required", False, "was True and is False", "2.0.0"),
    (f"{POST}.properties.title", REMOVED, "is gone", "2.0.0"),
    (f"{POST}.required.title", REMOVED, "is no longer required", "2.0.0"),
    (f"{POST}.properties.slug.type", "integer", "was string and is integer", "2.0.0"),
    (f"{POST}.additionalProperties", REMOVED, "is gone", "2.0.0"),
    ("paths./more", {}, "is new", "1.1.0"),
    (f"{POST}.properties.summary", {"type": "string"}, "is new", "1.1.0"),
    (f"{POST}.required.more", "more", "is now required", "1.1.0"),
    (f"{POST}.description", "Another.", "", ""),
    (f"{VERSION_HEADER}.example", "1.0.9", "", ""),
]
"""The place of a change, its new value, its words, and the version that it needs."""


def read_contract() -> Contract:
    return dict(orjson.loads(CONTRACT_FILE.read_bytes()))


def edit_contract(version: str, place: str = "info.version", value: object = None) -> Contract:
    contract = read_contract()
    *path, name = place.split(".")
    parent = reduce(getitem, path, contract)
    if isinstance(parent, list):
        parent.remove(name) if value is REMOVED else parent.append(name)
    elif value is REMOVED:
        del parent[name]
    else:
        parent[name] = value
    contract["info"]["version"] = version
    return contract


def test_the_committed_contract_is_that_of_the_views_and_serializers() -> None:
    assert generate_contract(read_contract()) == read_contract(), "Run manage.py openapi --write."


@pytest.mark.parametrize(("place", "value", "words", "needed"), CHANGES)
def test_a_change_of_the_contract_needs_a_new_version(
    place: str, value: object, words: str, needed: str
) -> None:
    def find_faults(version: str) -> list[str]:
        return [*find_version_faults(read_contract(), edit_contract(version, place, value))]

    if not needed:
        assert find_faults("1.0.0") == []
        return
    too_low = {"2.0.0": "1.1.0", "1.1.0": "1.0.1"}[needed]
    fault = f"{place} {words}: that takes apiVersion {needed}, and it is"
    assert find_faults("1.0.0") == [f"{fault} 1.0.0"]
    assert find_faults(too_low) == [f"{fault} {too_low}"]
    assert find_faults(needed) == []


def test_a_version_does_not_go_back() -> None:
    assert [*find_version_faults(read_contract(), edit_contract("0.9.0"))] == [
        "the contract was 1.0.0 and is 0.9.0, which is older"
    ]


def test_the_command_writes_the_contract_only_with_a_version_that_announces_its_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed = tmp_path / "openapi.json"
    monkeypatch.setattr(openapi, "CONTRACT_FILE", committed)
    committed.write_bytes(orjson.dumps(edit_contract("0.9.0", "paths", {})))

    call_command("openapi", "--write")
    assert committed.read_bytes() == CONTRACT_FILE.read_bytes()

    promising_more = edit_contract("1.0.0", "paths./more", {})
    committed.write_bytes(orjson.dumps(promising_more))
    with pytest.raises(CommandError, match=r"paths\./more is gone: that takes apiVersion 2\.0\.0"):
        call_command("openapi", "--write")
    assert orjson.loads(committed.read_bytes()) == promising_more
