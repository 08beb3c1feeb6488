"""The operations of an OpenAPI document, read off it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.contract import JSON
from catalogue import addresses
from catalogue.addresses import Site

Document = Mapping[str, Any]
Part = Mapping[str, Any]


class Operation(Struct, frozen=True):
    """One operation; `path` is below the base address, `answers` are responses by status."""

    id: str
    method: str
    path: str
    group: str
    summary: str
    description: str
    parameters: Sequence[Part]
    answers: Mapping[str, Part]

    @property
    def address(self) -> str:
        """Its address on the site, a template where it has parameters."""
        return addresses.api(self.path)

    @property
    def body(self) -> Part:
        """The JSON of its 200: the schema, and an example where there is a row to show."""
        body: Part = self.answers["200"]["content"][JSON]
        return body

    @property
    def example(self) -> Any:
        return self.body.get("example")

    def example_address(self, site: Site) -> str:
        """An address of this kind that is published; nothing where no row has one."""
        if not self.parameters:
            return self.address
        own = self.example["self"] if self.example else ""
        return str(own).removeprefix(site.root)

    def example_values(self, site: Site) -> dict[str, str]:
        """The parameters in that address."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.address)
        found = re.fullmatch(pattern, self.example_address(site))
        return found.groupdict() if found else {}


def operations(document: Document) -> list[Operation]:
    """All of them, by groups in the order of the document."""
    order = [tag["name"] for tag in document["tags"]]
    return sorted(read(document), key=lambda operation: order.index(operation.group))


def read(document: Document) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, part in methods.items():
            yield Operation(
                id=part["operationId"],
                method=method.upper(),
                path=path,
                group=part["tags"][0],
                summary=part["summary"],
                description=part["description"],
                parameters=part.get("parameters", ()),
                answers={
                    status: opened(document, answer) for status, answer in part["responses"].items()
                },
            )


def opened(document: Document, part: Part) -> Part:
    """What a part refers to, or the part itself."""
    found: Any = part
    while "$ref" in found:
        names = found["$ref"].removeprefix("#/").split("/")
        found = document
        for name in names:
            found = found[name]
    return dict(found)


def statuses_by_header(found: Sequence[Operation]) -> dict[tuple[str, str], list[str]]:
    """Every header and its component in the document, with the statuses that they come with."""
    statuses: dict[tuple[str, str], list[str]] = {}
    for operation in found:
        for status, answer in operation.answers.items():
            for name, header in answer.get("headers", {}).items():
                component = header["$ref"].rpartition("/")[2]
                known = statuses.setdefault((name, component), [])
                if status not in known:
                    known.append(status)
    return statuses


def answers_by_status(found: Sequence[Operation]) -> dict[str, list[Part]]:
    """The different answers that operations have with each status."""
    answers: dict[str, list[Part]] = {}
    for operation in found:
        for status, answer in operation.answers.items():
            known = answers.setdefault(status, [])
            if answer not in known:
                known.append(answer)
    return answers
