"""Compare two OpenAPI documents, and judge whether the new version number covers the changes.

A removal, or a value that clients do not expect, needs a new major version; an addition needs a
minor one. Texts, examples and ids of content may change freely.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import orjson
from msgspec import Struct

from site_mirror.gates.schemas import ContractChange, ContractSide, SchemaComparison, VersionBump
from site_mirror.snapshot.evidence import VERSION_GATE
from site_mirror.snapshot.verdicts import Verdict, count_failures

ApiDescription = Mapping[str, Any]


class ContractVersion(Struct, frozen=True):
    """A semantic version, without its pre-release part."""

    text: str

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self.text.partition("-")[0].split("."))

    def after(self, bump: VersionBump) -> str:
        major, minor, _ = self.numbers
        return f"{major + 1}.0.0" if bump is VersionBump.MAJOR else f"{major}.{minor + 1}.0"

    def covers(self, bump: VersionBump, was: "ContractVersion") -> bool:
        """Whether this version, after `was`, announces a change to clients."""
        parts = {VersionBump.NOTHING: 0, VersionBump.MINOR: 2, VersionBump.MAJOR: 1}[bump]
        return self.numbers[:parts] > was.numbers[:parts] or not parts


def judge_version(was: ApiDescription | None, now: ApiDescription, reason: str) -> Verdict:
    """Return the verdict; `reason` says why there is no published document, if there is none."""
    things = "operations, parameters, headers and members"
    if was is None:
        return Verdict(VERSION_GATE, things, 0, reason=reason)
    return count_failures(find_version_failures(was, now)).verdict(
        VERSION_GATE, things, count_promises(was)
    )


def find_version_failures(was: ApiDescription, now: ApiDescription) -> Iterator[str]:
    old, new = ContractVersion(was["info"]["version"]), ContractVersion(now["info"]["version"])
    if new.numbers < old.numbers:
        yield f"the contract was {old.text} and is {new.text}, which is older"
        return
    for change in find_contract_changes(was, now):
        if not new.covers(change.bump, old):
            needed = old.after(change.bump)
            yield f"{change}: that takes apiVersion {needed}, and it is {new.text}"


def find_contract_changes(was: ApiDescription, now: ApiDescription) -> Iterator[ContractChange]:
    if encode_sorted(was) == encode_sorted(now):
        return
    sides = (
        ContractSide(was["components"], content_enums(was)),
        ContractSide(now["components"], content_enums(now)),
    )
    old, new = operations_by_name(was), operations_by_name(now)
    for name, operation in old.items():
        if name in new:
            yield from compare_operations(name, operation, new[name], *sides)
        else:
            yield ContractChange(name, "is gone", VersionBump.MAJOR)
    yield from (
        ContractChange(name, "is new", VersionBump.MINOR) for name in new.keys() - old.keys()
    )


def encode_sorted(description: ApiDescription) -> bytes:
    return orjson.dumps(description, option=orjson.OPT_SORT_KEYS)


def operations_by_name(description: ApiDescription) -> dict[str, ApiDescription]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def content_enums(description: ApiDescription) -> frozenset[frozenset[str]]:
    """Return the closed sets that are content: the values of path parameters, such as app ids."""
    return frozenset(
        frozenset(map(str, parameter["schema"]["enum"]))
        for operation in operations_by_name(description).values()
        for parameter in operation.get("parameters", ())
        if "enum" in parameter["schema"]
    )


def compare_operations(
    name: str, was: ApiDescription, now: ApiDescription, old: ContractSide, new: ContractSide
) -> Iterator[ContractChange]:
    if was["operationId"] != now["operationId"]:
        renamed = f"was named {was['operationId']} and is {now['operationId']}"
        yield ContractChange(name, renamed, VersionBump.MAJOR)
    yield from compare_parameters(name, was, now, SchemaComparison(old, new, accepted=True))
    for status, response in was["responses"].items():
        place = f"{name} {status}"
        if status in now["responses"]:
            responses = old.shape(response), new.shape(now["responses"][status])
            comparison = SchemaComparison(old, new)
            yield from compare_response_parts("content", place, *responses, comparison)
            yield from compare_response_parts("headers", place, *responses, comparison)
        else:
            yield ContractChange(place, "is gone", VersionBump.MAJOR)
    for status in now["responses"].keys() - was["responses"].keys():
        yield ContractChange(f"{name} {status}", "is new", VersionBump.MINOR)


def compare_parameters(
    name: str, was: ApiDescription, now: ApiDescription, comparison: SchemaComparison
) -> Iterator[ContractChange]:
    old = {parameter["name"]: parameter for parameter in was.get("parameters", ())}
    new = {parameter["name"]: parameter for parameter in now.get("parameters", ())}
    for each in old.keys() ^ new.keys():
        breaking = each in old or new[each].get("required")
        change = "is gone" if each in old else "is new"
        bump = VersionBump.MAJOR if breaking else VersionBump.MINOR
        yield ContractChange(f"{name} {{{each}}}", change, bump)
    for each in old.keys() & new.keys():
        schemas = old[each]["schema"], new[each]["schema"]
        yield from comparison.changes(*schemas, f"{name} {{{each}}}")


def compare_response_parts(
    kind: str, place: str, was: ApiDescription, now: ApiDescription, comparison: SchemaComparison
) -> Iterator[ContractChange]:
    """Compare the media types or the headers of a response."""
    old, new = was.get(kind, {}), now.get(kind, {})
    for name, part in old.items():
        if name not in new:
            yield ContractChange(f"{place} {name}", "is gone", VersionBump.MAJOR)
            continue
        one, other = comparison.was.shape(part), comparison.now.shape(new[name])
        if one.get("required") and not other.get("required"):
            yield ContractChange(
                f"{place} {name}", "was required and is optional", VersionBump.MAJOR
            )
        yield from comparison.changes(one["schema"], other["schema"], f"{place} {name}")
    yield from (
        ContractChange(f"{place} {name}", "is new", VersionBump.MINOR)
        for name in new.keys() - old.keys()
    )


def count_promises(description: ApiDescription) -> int:
    """Return the number of operations, parameters, headers and members."""
    components = description["components"]
    parts = chain(
        *(operation.get("parameters", ()) for operation in operations_by_name(description).values())
    )
    members = sum(len(schema.get("properties", ())) for schema in components["schemas"].values())
    return (
        len(operations_by_name(description)) + len([*parts]) + len(components["headers"]) + members
    )
