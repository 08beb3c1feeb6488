"""The committed contract is that of the program, and its version announces every change."""

from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command

from api.contract import API_VERSION
from api.schema import CONTRACT_FILE
from api.schema_generation import generate_contract
from site_mirror.management.commands import openapi

Contract = dict[str, Any]
REMOVED = object()
POSTS, POST = "paths./posts", "components.schemas.Post"

CHANGES: list[tuple[str, object]] = [
    (POSTS, REMOVED),
    (f"{POSTS}.get.operationId", "posts"),
    (f"{POSTS}.get.responses.429", REMOVED),
    (f"{POST}.properties.title", REMOVED),
    (f"{POST}.properties.description", {"type": "string"}),
    (f"{POST}.required.title", REMOVED),
    (f"{POST}.properties.slug.type", "integer"),
    (f"{POST}.additionalProperties", REMOVED),
    ("paths./more", {}),
]
"""Places of the contract on which clients rely, each with another value."""


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


def test_the_command_writes_what_clients_rely_on_with_a_new_version_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed = tmp_path / "openapi.json"
    monkeypatch.setattr(openapi, "CONTRACT_FILE", committed)

    for place, value in CHANGES:
        before = edit_contract(API_VERSION, place, value)
        committed.write_bytes(orjson.dumps(before))
        with pytest.raises(CommandError, match="clients rely on what changed"):
            call_command("openapi", "--write")
        assert orjson.loads(committed.read_bytes()) == before

    for before in (
        edit_contract("0.9.0", *CHANGES[0]),
        edit_contract(API_VERSION, f"{POST}.description", "Another."),
    ):
        committed.write_bytes(orjson.dumps(before))
        call_command("openapi", "--write")
        assert committed.read_bytes() == CONTRACT_FILE.read_bytes()
