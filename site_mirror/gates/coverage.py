"""The gate `coverage`: every operation of the API has its documents.

The check of each document has shown that it belongs to an operation.
"""

from collections.abc import Iterator

import orjson

from api.contract import JSON
from site_mirror.gates.contract import Contract, ContractOperation
from site_mirror.gates.staged import StagedRelease
from site_mirror.snapshot.verdicts import Verdict

GATE = "coverage"


def judge(release: StagedRelease, contract: Contract) -> Verdict:
    failures = tuple(
        words
        for name, operation in contract.operations.items()
        for words in find_uncovered(name, operation, release)
    )
    return Verdict(GATE, "operations of the API", len(contract.operations), failures)


def find_uncovered(
    name: str, operation: ContractOperation, release: StagedRelease
) -> Iterator[str]:
    """Yield a sentence if an operation does not have one document for each item of its list.

    An operation without a parameter must have exactly one document.
    """
    count, list_address = release.documents.families[name], operation.list_address
    if not list_address:
        if count != 1:
            yield f"{name} has {count} documents, not one, at {operation.template}"
        return
    body = orjson.loads(release.read_document(list_address, JSON) or b"{}")
    listed = len(body.get("data", ()))
    if count != listed:
        yield f"{name} has {count} documents, and {list_address} lists {listed}"
