"""The headers of every 200, on every address."""

import http_sf
import pytest

from api.contract import API_VERSION
from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE

HEALTH = (f"{BASE}/health", f"{BASE}/health.json")
DOCUMENTS = tuple(address for address in ADDRESSES if address not in HEALTH)
ON_EVERY_ADDRESS = {
    "Content-Type": "application/json",
    "RateLimit-Policy": '"default";q=600;w=60',
    "RateLimit-Limit": "600",
    "RateLimit-Remaining": "600",
    "RateLimit-Reset": "60",
    "API-Version": API_VERSION,
    "Vary": "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
ON_NO_ADDRESS = (
    "Accept-Ranges",
    "Access-Control-Allow-Credentials",
    "Allow",
    "Content-Encoding",
    "Content-Disposition",
    "Deprecation",
    "Link",
    "Set-Cookie",
    "Sunset",
    "X-Powered-By",
)


def header(answers: Answers, name: str) -> dict[str, str | None]:
    return {address: answer.headers.get(name) for address, answer in answers.items()}


def test_every_address_answers(answers: Answers) -> None:
    found = {address: answer.status_code for address, answer in answers.items()}

    assert found == dict.fromkeys(ADDRESSES, 200)


@pytest.mark.parametrize(("name", "value"), ON_EVERY_ADDRESS.items())
def test_an_answer_has_the_header(answers: Answers, name: str, value: str) -> None:
    assert header(answers, name) == dict.fromkeys(ADDRESSES, value)


@pytest.mark.parametrize("name", ON_NO_ADDRESS)
def test_an_answer_does_not_have_the_header(answers: Answers, name: str) -> None:
    assert header(answers, name) == dict.fromkeys(ADDRESSES)


def test_the_policy_is_a_structured_list_of_one_named_budget(answers: Answers) -> None:
    found = {
        address: http_sf.parse(answer["RateLimit-Policy"].encode(), tltype="list")
        for address, answer in answers.items()
    }

    assert found == {address: [("default", {"q": 600, "w": 60})] for address in ADDRESSES}


@pytest.mark.parametrize(
    ("name", "number"),
    [("RateLimit-Limit", 600), ("RateLimit-Remaining", 600), ("RateLimit-Reset", 60)],
)
def test_limit_remaining_and_reset_are_structured_integers(
    answers: Answers, name: str, number: int
) -> None:
    found = {
        address: http_sf.parse(answer[name].encode(), tltype="item")
        for address, answer in answers.items()
    }

    assert found == dict.fromkeys(ADDRESSES, (number, {}))


@pytest.mark.usefixtures("content")
def test_the_budget_does_not_count_down(get: Get) -> None:
    names = [name for name in ON_EVERY_ADDRESS if name.startswith("RateLimit")]
    found = [[dict(get(address).headers) for address in API_ADDRESSES] for _ in range(3)]
    stated = [[[headers[name] for name in names] for headers in turn] for turn in found]

    assert stated[0] == stated[1] == stated[2]


def test_the_header_and_the_body_name_the_same_version(answers: Answers) -> None:
    bodies = {address: answers[address].json() for address in API_ADDRESSES}
    named = {address: body.get("meta", body)["apiVersion"] for address, body in bodies.items()}

    assert named == {address: answers[address]["API-Version"] for address in API_ADDRESSES}


def test_a_document_may_be_kept_and_revalidated_behind_readers_backs(answers: Answers) -> None:
    value = "max-age=300, stale-while-revalidate=3600, stale-if-error=86400"
    found = header(answers, "Cache-Control")

    assert {address: found[address] for address in DOCUMENTS} == dict.fromkeys(DOCUMENTS, value)


def test_what_a_cdn_is_told_is_a_structured_dictionary(answers: Answers) -> None:
    lifetimes = {"max-age": 3600, "stale-while-revalidate": 86400, "stale-if-error": 604800}
    told = {
        address: http_sf.parse(answers[address]["CDN-Cache-Control"].encode(), tltype="dictionary")
        for address in DOCUMENTS
    }
    found = {
        address: {name: value for name, (value, _) in members.items()}
        for address, members in told.items()
    }

    assert found == dict.fromkeys(DOCUMENTS, lifetimes)


@pytest.mark.parametrize("address", HEALTH)
def test_health_is_kept_for_ten_seconds_and_by_no_cdn_for_longer(
    answers: Answers, address: str
) -> None:
    assert answers[address]["Cache-Control"] == "max-age=10"
    assert "CDN-Cache-Control" not in answers[address]


def test_a_shared_lifetime_never_cancels_revalidation(answers: Answers) -> None:
    lifetimes = [value for value in header(answers, "Cache-Control").values() if value]

    assert len(lifetimes) == len(ADDRESSES)
    assert not [value for value in lifetimes if "s-maxage" in value]


def test_an_answer_says_how_long_it_is(answers: Answers) -> None:
    lengths = {address: str(len(answer.content)) for address, answer in answers.items()}

    assert header(answers, "Content-Length") == lengths


def test_an_answer_sets_no_cookie(answers: Answers) -> None:
    assert not [address for address, answer in answers.items() if answer.cookies]
