"""Workers examine each document that they render."""

import pickle
from pathlib import Path

import orjson
import pytest

from api.envelope import GROUPS_PER_SLICE, Items
from site_mirror.documents.family import Document
from site_mirror.gates.gates import Examiner
from site_mirror.snapshot.evidence import Evidence, Fault
from tests.gates.broken_families import ROOT

STAMP = "2026-11-21T00:00:00Z"
ITEMS = GROUPS_PER_SLICE * 3


@pytest.fixture
def examiner(released: Path, db: None) -> Examiner:
    return Examiner((released / "current/public/openapi.json").read_bytes(), ROOT)


def test_a_pickled_examiner_has_no_compiled_validators(examiner: Examiner) -> None:
    before = pickle.dumps(examiner)
    body = {"self": f"{ROOT}/api/v1/health", "status": 1}
    document = Document("getHealth", "/api/v1/health", "application/json", {}, body)
    found = examiner(document, STAMP)

    assert found.faults
    assert pickle.dumps(examiner) == before
    assert pickle.loads(pickle.dumps(examiner))(document, STAMP) == found  # noqa: S301


@pytest.mark.parametrize("place", [0, GROUPS_PER_SLICE + 1, ITEMS - 1])
def test_a_fault_and_a_link_in_any_slice_of_a_long_list_are_found(
    place: int, examiner: Examiner, released: Path
) -> None:
    body = orjson.loads((released / "current/public/api/v1/team.json").read_bytes())

    def examine_list(item: dict[str, object]) -> Evidence:
        groups = [orjson.dumps(body["data"][0])] * ITEMS
        groups[place] = orjson.dumps({**body["data"][0], **item})
        content = {**body, "count": ITEMS, "data": Items(groups, ITEMS)}
        document = Document("listTeam", "/api/v1/team", "application/json", {}, content)
        return examiner(document, STAMP)

    whole = examine_list({})
    found = examine_list({"unknown": 1, "bio": {"en": "http://localhost/x"}, "a": f"{ROOT}/only"})

    new = {*found.faults} - {*whole.faults}
    assert whole.items == found.items == {"/api/v1/team": ITEMS}
    assert {fault.gate for fault in new} == {"contract", "hosts"}
    assert len(found.faults) == len({*found.faults})
    assert found.targets - whole.targets == {"/only"}


def test_evidence_adds_up_to_what_only_one_document_says() -> None:
    fault = Fault("links", "It is wrong.")
    one, other = Evidence(targets={"/a"}, faults=[fault]), Evidence(targets={"/b"}, items={"/l": 2})

    one.add(other)

    assert one == Evidence(targets={"/a", "/b"}, items={"/l": 2}, faults=[fault])
