"""The headers of every 200, on every address."""

import http_sf
import pytest

from api.contract import API_VERSION
from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, API_ADDRESSES, BASE, each_address

HEALTH_ADDRESSES = (f"{BASE}/health", f"{BASE}/health.json")
CACHED_ADDRESSES = tuple(address for address in ADDRESSES if address not in HEALTH_ADDRESSES)
COMMON_HEADERS = {
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
ABSENT_HEADERS = (
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


def header_values(answers: Answers, name: str) -> dict[str, str | None]:
    return {address: answer.headers.get(name) for address, answer in answers.items()}


def test_every_address_is_a_200(answers: Answers) -> None:
    found = {address: answer.status_code for address, answer in answers.items()}

    assert found == dict.fromkeys(ADDRESSES, 200)


@pytest.mark.parametrize(("name", "value"), COMMON_HEADERS.items())
def test_every_200_has_a_common_header(answers: Answers, name: str, value: str) -> None:
    assert header_values(answers, name) == dict.fromkeys(ADDRESSES, value)


@pytest.mark.parametrize("name", ABSENT_HEADERS)
def test_no_200_has_an_absent_header(answers: Answers, name: str) -> None:
    assert header_values(answers, name) == dict.fromkeys(ADDRESSES)


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


@each_address
@pytest.mark.usefixtures("content")
def test_the_budget_does_not_count_down(get: Get, addresses: tuple[str, ...]) -> None:
    names = [name for name in COMMON_HEADERS if name.startswith("RateLimit")]
    rounds = [[dict(get(address).headers) for address in addresses] for _ in range(3)]
    budgets = [
        [[headers[name] for name in names] for headers in round_of_headers]
        for round_of_headers in rounds
    ]

    assert budgets[0] == budgets[1] == budgets[2]


def test_the_header_and_the_body_name_the_same_version(answers: Answers) -> None:
    bodies = {address: answers[address].json() for address in API_ADDRESSES}
    named = {address: body.get("meta", body)["apiVersion"] for address, body in bodies.items()}

    assert named == {address: answers[address]["API-Version"] for address in API_ADDRESSES}


def test_a_document_may_be_cached_and_revalidated_in_the_background(answers: Answers) -> None:
    value = "max-age=300, stale-while-revalidate=3600, stale-if-error=86400"
    found = header_values(answers, "Cache-Control")

    assert {address: found[address] for address in CACHED_ADDRESSES} == dict.fromkeys(
        CACHED_ADDRESSES, value
    )


def test_the_header_for_cdns_is_a_structured_dictionary(answers: Answers) -> None:
    lifetimes = {"max-age": 3600, "stale-while-revalidate": 86400, "stale-if-error": 604800}
    parsed = {
        address: http_sf.parse(answers[address]["CDN-Cache-Control"].encode(), tltype="dictionary")
        for address in CACHED_ADDRESSES
    }
    found = {
        address: {name: value for name, (value, _) in members.items()}
        for address, members in parsed.items()
    }

    assert found == dict.fromkeys(CACHED_ADDRESSES, lifetimes)


@pytest.mark.parametrize("address", HEALTH_ADDRESSES)
def test_the_health_check_is_cached_for_ten_seconds(answers: Answers, address: str) -> None:
    assert answers[address]["Cache-Control"] == "max-age=10"
    assert "CDN-Cache-Control" not in answers[address]


def test_no_cache_control_has_s_maxage(answers: Answers) -> None:
    lifetimes = [value for value in header_values(answers, "Cache-Control").values() if value]

    assert len(lifetimes) == len(ADDRESSES)
    assert not [value for value in lifetimes if "s-maxage" in value]


def test_every_200_has_the_length_of_its_body(answers: Answers) -> None:
    lengths = {address: str(len(answer.content)) for address, answer in answers.items()}

    assert header_values(answers, "Content-Length") == lengths


def test_no_200_of_the_api_sets_a_cookie(answers: Answers) -> None:
    assert not [address for address, answer in answers.items() if answer.cookies]
