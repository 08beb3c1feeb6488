"""Read the operations of an OpenAPI document."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.contract import JSON
from catalogue import addresses
from catalogue.addresses import Site

OpenApiDocument = Mapping[str, Any]
DocumentPart = Mapping[str, Any]


class Operation(Struct, frozen=True):
    """One operation; `path` is below the base address, `responses` are by status."""

    id: str
    method: str
    path: str
    group: str
    summary: str
    description: str
    parameters: Sequence[DocumentPart]
    responses: Mapping[str, DocumentPart]

    @property
    def address(self) -> str:
        """The operation's address on the site, a template if it has parameters."""
        return addresses.api_address(self.path)

    @property
    def body(self) -> DocumentPart:
        """The JSON of the 200 response: its schema, and an example if there is a published row."""
        body: DocumentPart = self.responses["200"]["content"][JSON]
        return body

    @property
    def example(self) -> Any:
        return self.body.get("example")

    def example_address(self, site: Site) -> str:
        """Return a published address of the operation, or nothing if there is no row."""
        if not self.parameters:
            return self.address
        own = self.example["self"] if self.example else ""
        return str(own).removeprefix(site.root)

    def example_values(self, site: Site) -> dict[str, str]:
        """Return the parameters of the example's address."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.address)
        match = re.fullmatch(pattern, self.example_address(site))
        return match.groupdict() if match else {}


def sorted_operations(document: OpenApiDocument) -> list[Operation]:
    """Return all operations, by groups in the order of the document."""
    order = [tag["name"] for tag in document["tags"]]
    return sorted(read_operations(document), key=lambda operation: order.index(operation.group))


def read_operations(document: OpenApiDocument) -> Iterator[Operation]:
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
                responses={
                    status: resolve_reference(document, response)
                    for status, response in part["responses"].items()
                },
            )


def resolve_reference(document: OpenApiDocument, part: DocumentPart) -> DocumentPart:
    """Return the part that a part refers to, or the part itself."""
    target: Any = part
    while "$ref" in target:
        names = target["$ref"].removeprefix("#/").split("/")
        target = document
        for name in names:
            target = target[name]
    return dict(target)


def statuses_by_header(operations: Sequence[Operation]) -> dict[tuple[str, str], list[str]]:
    """Return the statuses of responses with each header, by its name and its component."""
    statuses: dict[tuple[str, str], list[str]] = {}
    for operation in operations:
        for status, response in operation.responses.items():
            for name, header in response.get("headers", {}).items():
                component = header["$ref"].rpartition("/")[2]
                known = statuses.setdefault((name, component), [])
                if status not in known:
                    known.append(status)
    return statuses


def responses_by_status(operations: Sequence[Operation]) -> dict[str, list[DocumentPart]]:
    """Return the different responses with each status."""
    responses: dict[str, list[DocumentPart]] = {}
    for operation in operations:
        for status, response in operation.responses.items():
            known = responses.setdefault(status, [])
            if response not in known:
                known.append(response)
    return responses
