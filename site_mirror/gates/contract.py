"""API documents against the OpenAPI document: bodies, headers, and that none is missing."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
import orjson
from msgspec import Struct

from api.contract import JSON, PROBLEM_JSON
from api.validation import NotInTheContract, validator, validators

OF_THE_FILE = frozenset({"ETag", "Last-Modified"})
"""Headers that the engine makes of a document's bytes and moment, after its examination."""
CONSTANT = ("RateLimit-", "API-Version")
"""Headers whose example is the only value."""


class Contract(Struct, frozen=True, dict=True):
    """The OpenAPI document, as the one who examines documents needs it."""

    description: Mapping[str, Any]

    @cached_property
    def base(self) -> str:
        return str(urlsplit(self.description["servers"][0]["url"]).path)

    @cached_property
    def operations(self) -> dict[str, "Operation"]:
        return {
            operation["operationId"]: Operation(self.base + path, operation, self.components)
            for path, methods in self.description["paths"].items()
            for operation in methods.values()
        }

    @property
    def components(self) -> Mapping[str, Any]:
        components: Mapping[str, Any] = self.description["components"]
        return components

    @cached_property
    def validators(self) -> Mapping[str, Any]:
        return validators(dict(self.description))

    @cached_property
    def problem(self) -> Any:
        return validator({"$ref": "#/components/schemas/Problem"}, dict(self.components))

    def faults(
        self, family: str, address: str, media_type: str, headers: Mapping[str, str], body: Any
    ) -> Iterator[str]:
        """What is wrong with an API document."""
        operation = self.operations.get(family)
        if operation is None or not operation.pattern.fullmatch(address):
            yield f"{address} belongs to no operation of the OpenAPI document"
            return
        yield from self.body_faults(family, address, body)
        if media_type != JSON:
            yield f"{address} is {media_type}, and the contract says {JSON}"
        yield from (f"{address} {words}" for words in operation.header_faults(headers))

    def body_faults(self, family: str, address: str, body: Any) -> Iterator[str]:
        try:
            self.validators[family](body)
        except NotInTheContract as error:
            yield f"{address} does not keep the contract at {error.where}: {error.what}"

    def problem_faults(self, name: str, body: Any, status: int) -> Iterator[str]:
        try:
            self.problem(body)
        except NotInTheContract as error:
            yield f"{name} is no {PROBLEM_JSON} of the contract at {error.where}: {error.what}"
            return
        if body["status"] != status:
            yield f"{name} says that its status is {body['status']}"


@lru_cache(maxsize=2)
def contract(description: bytes) -> Contract:
    """Made once for each process: validators are compiled, and do not travel."""
    return Contract(orjson.loads(description))


class Operation(Struct, frozen=True, dict=True):
    """An operation: where it answers, and the headers of its success."""

    template: str
    description: Mapping[str, Any]
    components: Mapping[str, Any]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        parts = re.split(r"\{[^}]*\}", self.template)
        return re.compile("[^/]+".join(map(re.escape, parts)))

    @property
    def list_of_items(self) -> str:
        """Where the items are listed; nothing for an operation without a parameter."""
        return self.template.partition("/{")[0] if "{" in self.template else ""

    @cached_property
    def headers(self) -> dict[str, "HeaderRule"]:
        stated = self.description["responses"]["200"]["headers"]
        return {
            name: HeaderRule(name, self.components["headers"][found["$ref"].rpartition("/")[2]])
            for name, found in stated.items()
            if name not in OF_THE_FILE
        }

    @cached_property
    def judged(self) -> dict[tuple[tuple[str, str], ...], tuple[str, ...]]:
        return {}

    def header_faults(self, headers: Mapping[str, str]) -> tuple[str, ...]:
        """Documents of an operation have the same headers, which are judged once."""
        key = tuple(headers.items())
        if key not in self.judged:
            found = (rule.fault(headers.get(name)) for name, rule in self.headers.items())
            self.judged[key] = tuple(filter(None, found))
        return self.judged[key]


class HeaderRule(Struct, frozen=True):
    """What the OpenAPI document says of a header."""

    name: str
    stated: Mapping[str, Any]

    def fault(self, value: str | None) -> str:
        if value is None:
            return f"lacks the header {self.name}" if self.stated["required"] else ""
        schema = self.stated["schema"]
        number = schema["type"] == "integer"
        if number and not value.isdecimal():
            return f"has the header {self.name}: {value}, which is no number"
        if not jsonschema_rs.is_valid(schema, int(value) if number else value):
            return f"has the header {self.name}: {value}, which its schema refuses"
        if self.name.startswith(CONSTANT) and value != str(self.stated["example"]):
            return f"has the header {self.name}: {value}, not {self.stated['example']}"
        return ""
