"""The committed contract is that of the program, and its version announces every change."""

import copy
from collections.abc import Callable
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
Edit = Callable[[Contract], object]

REFUSED_BEFORE_2_0_0: dict[str, Edit] = {
    "paths./posts is gone": lambda it: it["paths"].pop("/posts"),
    "paths./posts.get.operationId was listPosts and is posts": lambda it: list_posts(it).update(
        operationId="posts"
    ),
    "paths./posts.get.responses.429 is gone": lambda it: list_posts(it)["responses"].pop("429"),
    "components.headers.API-Version.required was True and is False": lambda it: it["components"][
        "headers"
    ]["API-Version"].update(required=False),
    "components.schemas.Post.properties.title is gone": lambda it: post(it)["properties"].pop(
        "title"
    ),
    "components.schemas.Post.required.title is no longer required": lambda it: post(it)[
        "required"
    ].remove("title"),
    "components.schemas.Post.properties.slug.type was string and is integer": lambda it: post(it)[
        "properties"
    ]["slug"].update(type="integer"),
    "components.schemas.Post.additionalProperties is gone": lambda it: post(it).pop(
        "additionalProperties"
    ),
}
REFUSED_BEFORE_1_1_0: dict[str, Edit] = {
    "paths./more is new": lambda it: it["paths"].update({"/more": {}}),
    "components.schemas.Post.properties.summary is new": lambda it: post(it)["properties"].update(
        summary={"type": "string"}
    ),
    "components.schemas.Post.required.more is now required": lambda it: post(it)["required"].append(
        "more"
    ),
}
ANNOUNCED_BY_NOTHING: dict[str, Edit] = {
    "a description": lambda it: post(it).update(description="Another."),
    "an example": lambda it: it["components"]["headers"]["API-Version"].update(example="1.0.9"),
}


def list_posts(contract: Contract) -> Contract:
    return dict.__getitem__(contract["paths"]["/posts"], "get")


def post(contract: Contract) -> Contract:
    return dict.__getitem__(contract["components"]["schemas"], "Post")


def read_contract() -> Contract:
    return dict(orjson.loads(CONTRACT_FILE.read_bytes()))


def edit_contract(edit: Edit, version: str = "1.0.0") -> Contract:
    contract = copy.deepcopy(read_contract())
    contract["info"]["version"] = version
    edit(contract)
    return contract


def test_the_committed_contract_is_that_of_the_views_and_serializers() -> None:
    assert generate_contract(read_contract()) == read_contract(), "Run manage.py openapi --write."


@pytest.mark.parametrize(
    ("words", "edit", "needed", "too_low"),
    [
        *((words, edit, "2.0.0", "1.1.0") for words, edit in REFUSED_BEFORE_2_0_0.items()),
        *((words, edit, "1.1.0", "1.0.1") for words, edit in REFUSED_BEFORE_1_1_0.items()),
    ],
    ids=[*REFUSED_BEFORE_2_0_0, *REFUSED_BEFORE_1_1_0],
)
def test_a_change_of_the_contract_needs_a_new_version(
    words: str, edit: Edit, needed: str, too_low: str
) -> None:
    was = read_contract()

    assert [*find_version_faults(was, edit_contract(edit))] == [
        f"{words}: that takes apiVersion {needed}, and it is 1.0.0"
    ]
    assert [*find_version_faults(was, edit_contract(edit, too_low))] != []
    assert [*find_version_faults(was, edit_contract(edit, needed))] == []


@pytest.mark.parametrize("edit", ANNOUNCED_BY_NOTHING.values(), ids=ANNOUNCED_BY_NOTHING)
def test_a_text_may_change_without_a_new_version(edit: Edit) -> None:
    assert [*find_version_faults(read_contract(), edit_contract(edit))] == []


def test_a_version_does_not_go_back() -> None:
    assert [*find_version_faults(read_contract(), edit_contract(dict, "0.9.0"))] == [
        "the contract was 1.0.0 and is 0.9.0, which is older"
    ]


def test_the_command_writes_the_contract_only_with_a_version_that_announces_its_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed = tmp_path / "openapi.json"
    monkeypatch.setattr(openapi, "CONTRACT_FILE", committed)
    committed.write_bytes(orjson.dumps(edit_contract(lambda it: it.update(paths={}), "0.9.0")))

    call_command("openapi", "--write")
    assert committed.read_bytes() == CONTRACT_FILE.read_bytes()

    promising_more = edit_contract(REFUSED_BEFORE_1_1_0["paths./more is new"])
    committed.write_bytes(orjson.dumps(promising_more))
    with pytest.raises(CommandError, match=r"paths\./more is gone: that takes apiVersion 2\.0\.0"):
        call_command("openapi", "--write")
    assert orjson.loads(committed.read_bytes()) == promising_more
