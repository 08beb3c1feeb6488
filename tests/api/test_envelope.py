"""Properties of all bodies: the envelope, absolute addresses, and compact composed JSON."""

import unicodedata

import orjson
import pytest
from django.apps import apps

from api.contract import API_VERSION
from tests.api.conftest import Answers, Get
from tests.api.endpoints import API_ADDRESSES, BASE, ENDPOINTS, ITEMS, ROOT, Endpoint


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
def test_a_body_is_an_envelope_except_the_index_and_health(
    stored_answers: Answers, endpoint: Endpoint
) -> None:
    body = stored_answers[endpoint.example].json()
    if not endpoint.enveloped:
        assert not {"meta", "data"} & body.keys()
        return
    meta = {"apiVersion": API_VERSION, "documentation": f"{ROOT}/docs/api"}
    count = {"count": len(body["data"])} if endpoint.many else {}

    assert list(body) == ["self", "meta", "data"]
    assert list(body["meta"].items()) == [*meta.items(), *count.items()]
    assert isinstance(body["data"], list if endpoint.many else dict)


@pytest.mark.usefixtures("content")
def test_an_empty_collection_has_the_count_0(get: Get) -> None:
    for model in apps.get_app_config("catalogue").get_models():
        model._default_manager.all().delete()

    for endpoint in ENDPOINTS:
        if endpoint.many:
            body = get(endpoint.example).json()
            assert (body["data"], body["meta"]["count"]) == ([], 0)


@pytest.mark.usefixtures("content")
def test_self_is_the_canonical_address_of_the_document_and_its_alias(get: Get) -> None:
    bodies = set()
    for endpoint in ENDPOINTS:
        document, alias = get(endpoint.example), get(endpoint.alias)
        assert alias.status_code == 200
        assert alias.content == document.content
        assert dict(alias.headers) == dict(document.headers)
        assert document.json().get("self", endpoint.url) == endpoint.url
        bodies.add(document.content)

    assert len(bodies) == len(ENDPOINTS)
    assert get(BASE).content == get(f"{BASE}/").content


@pytest.mark.parametrize("endpoint", ITEMS, ids=str)
@pytest.mark.usefixtures("content")
def test_an_item_of_a_collection_is_the_data_of_its_own_document(
    get: Get, endpoint: Endpoint
) -> None:
    items = get(endpoint.example.rpartition("/")[0]).json()["data"]
    documents = [get(item["links"]["self"].removeprefix(ROOT)).json() for item in items]

    assert [document["data"] for document in documents] == items
    assert [document["self"] for document in documents] == [i["links"]["self"] for i in items]


@pytest.mark.usefixtures("content")
def test_a_body_is_compact_composed_json_that_depends_on_no_host_and_no_moment(get: Get) -> None:
    for address in API_ADDRESSES:
        body = get(address).content

        assert body == orjson.dumps(orjson.loads(body)) + b"\n"
        assert unicodedata.is_normalized("NFC", body.decode("utf-8", errors="strict"))
        assert b"generatedAt" not in body
        assert get(address, headers={"host": "testserver"}).content == body
        assert b'":"/' not in body
    assert "Nó đo và cho biết độ chính xác.".encode() in get(f"{BASE}/apps/full-app").content


@pytest.mark.usefixtures("content")
def test_the_index_lists_every_endpoint_by_its_template(get: Get) -> None:
    endpoints = get(f"{BASE}/").json()["endpoints"]
    templates = [ROOT + endpoint.template for endpoint in ENDPOINTS]

    assert sorted(endpoints.values()) == sorted([*templates, f"{ROOT}/openapi.json"])
