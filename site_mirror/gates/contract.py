"""The gate `contract`: bodies and headers of the API keep the OpenAPI document."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
import orjson
from msgspec import Struct

from api.contract import JSON, PROBLEM_JSON
from site_mirror.gates.staged import StagedRelease
from site_mirror.snapshot.verdicts import Verdict

GATE = "contract"

HEADERS_OF_FILES = frozenset({"ETag", "Last-Modified"})
"""Headers that the engine adds after the check, from a document's bytes and moment."""
CONSTANT_HEADER_PREFIXES = ("RateLimit-", "API-Version")
"""Prefixes of headers whose example is the only allowed value."""
MAX_MESSAGE_CHARACTERS = 300
"""The limit of a message about a body."""


def body_validator(schema: dict[str, Any], components: dict[str, Any]) -> Callable[[Any], str]:
    """Return a function that returns what is wrong with a body: a JSON pointer, and a message.

    The text is empty if nothing is wrong.
    """
    compiled = jsonschema_rs.validator_for(
        schema | {"components": components}, validate_formats=True
    )

    def find_fault(body: Any) -> str:
        error = next(compiled.iter_errors(body), None)
        if error is None:
            return ""
        pointer = "/" + "/".join(map(str, error.instance_path))
        # The end says what is wrong; the beginning quotes the whole value.
        return f"{pointer}: {error.message[-MAX_MESSAGE_CHARACTERS:]}"

    return find_fault


class Contract(Struct, frozen=True, dict=True):
    """The OpenAPI document, with the validators of its schemas."""

    description: Mapping[str, Any]

    @cached_property
    def base(self) -> str:
        return str(urlsplit(self.description["servers"][0]["url"]).path)

    @cached_property
    def operations(self) -> dict[str, "ContractOperation"]:
        return {
            operation["operationId"]: ContractOperation(
                self.base + path, operation, self.description["components"]
            )
            for path, methods in self.description["paths"].items()
            for operation in methods.values()
        }

    @cached_property
    def problem(self) -> Any:
        return body_validator(
            {"$ref": "#/components/schemas/Problem"}, dict(self.description["components"])
        )

    def faults(
        self, family: str, address: str, media_type: str, headers: Mapping[str, str], body: Any
    ) -> Iterator[str]:
        operation = self.operations.get(family)
        if operation is None or not operation.pattern.fullmatch(address):
            yield f"{address} belongs to no operation of the OpenAPI document"
            return
        for fault in (
            operation.find_fault(body),
            operation.find_header_fault({"headers": dict(headers)}),
        ):
            if fault:
                yield f"{address} does not keep the contract at {fault}"
        if media_type != JSON:
            yield f"{address} is {media_type}, and the contract says {JSON}"


@lru_cache(maxsize=2)
def load_contract(description: bytes) -> Contract:
    """Return the contract, cached in each process because compiled validators cannot be pickled."""
    return Contract(orjson.loads(description))


class ContractOperation(Struct, frozen=True, dict=True):
    """An operation: its address template, and the headers of its 200."""

    template: str
    description: Mapping[str, Any]
    components: Mapping[str, Any]

    @cached_property
    def find_fault(self) -> Callable[[Any], str]:
        schema = self.description["responses"]["200"]["content"][JSON]["schema"]
        return body_validator(schema, dict(self.components))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        parts = re.split(r"\{[^}]*\}", self.template)  # A parameter is one part of a path.
        return re.compile("[^/]+".join(map(re.escape, parts)))

    @property
    def list_address(self) -> str:
        """The address of the list of its items; empty for an operation without a parameter."""
        return self.template.partition("/{")[0] if "{" in self.template else ""

    @cached_property
    def find_header_fault(self) -> Callable[[Any], str]:
        """A function that returns what is wrong with the `headers` of a 200."""
        definitions = {
            name: self.components["headers"][header["$ref"].rpartition("/")[2]]
            for name, header in self.description["responses"]["200"]["headers"].items()
            if name not in HEADERS_OF_FILES
        }
        headers = {
            "required": [name for name, each in definitions.items() if each["required"]],
            "properties": {
                name: {"const": str(each["example"])}
                if name.startswith(CONSTANT_HEADER_PREFIXES)
                else each["schema"]
                for name, each in definitions.items()
            },
        }
        return body_validator({"properties": {"headers": headers}}, dict(self.components))


def judge(release: StagedRelease, contract: Contract) -> Verdict:
    """Judge the bodies of errors, too: they are not documents."""
    errors = [e for e in release.candidate.manifest.errors if e.media_type == PROBLEM_JSON]
    failures = list[str]()
    for error in errors:
        name = f"the body of a {error.status} below {error.scope}"
        body = orjson.loads(release.read_error_body(error.file))
        if fault := contract.problem(body):
            failures.append(f"{name} is not an {PROBLEM_JSON} of the contract at {fault}")
        elif body["status"] != error.status:
            failures.append(f"{name} says that its status is {body['status']}")
    return release.verdict(GATE, "API bodies with their headers", failures, len(errors))
