"""Properties of all bodies: the envelope, absolute addresses, and compact composed JSON."""

import unicodedata

import orjson
import pytest
from django.apps import apps

from api.contract import API_VERSION
from tests.api.conftest import Answers, Get
from tests.api.endpoints import (
    API_ADDRESSES,
    BASE,
    ENDPOINTS,
    ENVELOPED,
    ITEMS,
    LISTS,
    ROOT,
    Endpoint,
)

DOCUMENTATION = f"{ROOT}/docs/api"
WITH_SELF = tuple(endpoint for endpoint in ENDPOINTS if endpoint.operation != "getHealth")


@pytest.mark.parametrize("endpoint", ENVELOPED, ids=str)
def test_an_envelope_has_self_meta_and_data_in_this_order(
    answers: Answers, endpoint: Endpoint
) -> None:
    body = answers[endpoint.example].json()

    assert list(body) == ["self", "meta", "data"]


@pytest.mark.parametrize("endpoint", ENVELOPED, ids=str)
def test_meta_has_the_version_the_documentation_and_a_lists_count(
    answers: Answers, endpoint: Endpoint
) -> None:
    body = answers[endpoint.example].json()
    count = {"count": len(body["data"])} if endpoint.many else {}

    assert body["meta"] == {"apiVersion": API_VERSION, "documentation": DOCUMENTATION} | count
    assert list(body["meta"]) == ["apiVersion", "documentation", *count]


@pytest.mark.parametrize("endpoint", ENVELOPED, ids=str)
def test_data_is_a_list_exactly_for_a_collection(answers: Answers, endpoint: Endpoint) -> None:
    data = answers[endpoint.example].json()["data"]

    assert isinstance(data, list if endpoint.many else dict)


@pytest.mark.parametrize("endpoint", LISTS, ids=str)
@pytest.mark.usefixtures("content")
def test_an_empty_collection_has_the_count_0(get: Get, endpoint: Endpoint) -> None:
    delete_all_rows()

    body = get(endpoint.example).json()

    assert body["data"] == []
    assert body["meta"]["count"] == 0


def delete_all_rows() -> None:
    for model in apps.get_app_config("catalogue").get_models():
        model._default_manager.all().delete()


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_only_enveloped_bodies_have_meta_and_data(answers: Answers, endpoint: Endpoint) -> None:
    body = answers[endpoint.example].json()

    assert ({"meta", "data"} <= body.keys()) == endpoint.enveloped


@pytest.mark.parametrize("endpoint", WITH_SELF, ids=str)
@pytest.mark.usefixtures("content")
def test_self_is_the_canonical_address_of_the_same_bytes(get: Get, endpoint: Endpoint) -> None:
    answer = get(endpoint.alias)

    assert answer.json()["self"] == endpoint.url
    assert get(endpoint.url.removeprefix(ROOT)).content == answer.content


@pytest.mark.parametrize("endpoint", ITEMS, ids=str)
@pytest.mark.usefixtures("content")
def test_an_item_of_a_collection_is_the_data_of_its_own_document(
    get: Get, endpoint: Endpoint
) -> None:
    items = get(endpoint.example.rpartition("/")[0]).json()["data"]
    documents = [get(item["links"]["self"].removeprefix(ROOT)).json() for item in items]

    assert [document["data"] for document in documents] == items
    assert [document["self"] for document in documents] == [i["links"]["self"] for i in items]


@pytest.mark.parametrize("address", API_ADDRESSES)
def test_a_body_is_compact_composed_utf8_json_with_a_final_newline(
    answers: Answers, address: str
) -> None:
    body = answers[address].content

    assert body == orjson.dumps(orjson.loads(body)) + b"\n"
    assert unicodedata.is_normalized("NFC", body.decode("utf-8", errors="strict"))


@pytest.mark.parametrize("address", API_ADDRESSES)
def test_a_live_body_has_no_moment_of_a_snapshot(answers: Answers, address: str) -> None:
    assert b"generatedAt" not in answers[address].content


@pytest.mark.parametrize("address", API_ADDRESSES)
@pytest.mark.usefixtures("content")
def test_addresses_in_a_body_do_not_depend_on_the_host(get: Get, address: str) -> None:
    body = get(address, headers={"host": "testserver"})

    assert body.status_code == 200
    assert body.content == get(address).content
    assert b"testserver" not in body.content
    assert b'":"/' not in body.content


@pytest.mark.usefixtures("content")
def test_the_index_lists_every_endpoint_by_its_template(get: Get) -> None:
    endpoints = get(f"{BASE}/").json()["endpoints"]
    templates = {ROOT + endpoint.template for endpoint in ENDPOINTS}

    assert set(endpoints.values()) == templates | {f"{ROOT}/openapi.json"}
    assert len(endpoints) == len(ENDPOINTS) + 1


@pytest.mark.usefixtures("content")
def test_an_endpoint_of_the_index_without_a_parameter_exists(get: Get) -> None:
    endpoints = get(f"{BASE}/").json()["endpoints"].values()
    fixed = [url.removeprefix(ROOT) for url in endpoints if "{" not in url]

    assert {url: get(url).status_code for url in fixed} == dict.fromkeys(fixed, 200)


def test_vietnamese_text_is_composed(answers: Answers) -> None:
    body = answers[f"{BASE}/apps/full-app"].content

    assert "Nó đo và cho biết độ chính xác.".encode() in body
