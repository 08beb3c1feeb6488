"""What changed between two OpenAPI documents, and which version that takes.

Clients rely on what they were told: what is taken away, or may now be something else, needs a
new major version; what is added, a minor one. Texts, examples and ids of content may change.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import orjson
from msgspec import Struct

from site_mirror.gates.evidence import VERSION
from site_mirror.gates.schemas import Change, Comparison, Need, Side
from site_mirror.gates.verdicts import Verdict, of_all

Description = Mapping[str, Any]


class Version(Struct, frozen=True):
    """A semantic version, as far as compatibility goes."""

    text: str

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self.text.partition("-")[0].split("."))

    def after(self, need: Need) -> str:
        major, minor, _ = self.numbers
        return f"{major + 1}.0.0" if need is Need.MAJOR else f"{major}.{minor + 1}.0"

    def covers(self, need: Need, was: "Version") -> bool:
        """Whether this version, after another, tells clients of a change."""
        parts = {Need.NOTHING: 0, Need.MINOR: 2, Need.MAJOR: 1}[need]
        return self.numbers[:parts] > was.numbers[:parts] or not parts


def version(was: Description | None, now: Description, reason: str) -> Verdict:
    """`reason` says why there is no document from before, if there is none."""
    things = "operations, parameters, headers and members"
    if was is None:
        return Verdict(VERSION, things, 0, reason=reason)
    return of_all(failures(was, now)).verdict(VERSION, things, size(was))


def failures(was: Description, now: Description) -> Iterator[str]:
    old, new = Version(was["info"]["version"]), Version(now["info"]["version"])
    if new.numbers < old.numbers:
        yield f"the contract was {old.text} and is {new.text}, which is older"
        return
    for change in changes(was, now):
        if not new.covers(change.need, old):
            needed = old.after(change.need)
            yield f"{change}: that takes apiVersion {needed}, and it is {new.text}"


def changes(was: Description, now: Description) -> Iterator[Change]:
    if encoded(was) == encoded(now):
        return
    sides = Side(was["components"], data(was)), Side(now["components"], data(now))
    old, new = operations(was), operations(now)
    for name, operation in old.items():
        if name in new:
            yield from of_operation(name, operation, new[name], *sides)
        else:
            yield Change(name, "is gone", Need.MAJOR)
    yield from (Change(name, "is new", Need.MINOR) for name in new.keys() - old.keys())


def encoded(description: Description) -> bytes:
    return orjson.dumps(description, option=orjson.OPT_SORT_KEYS)


def operations(description: Description) -> dict[str, Description]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def data(description: Description) -> frozenset[frozenset[str]]:
    """Closed sets that are content: the values of path parameters."""
    return frozenset(
        frozenset(map(str, parameter["schema"]["enum"]))
        for operation in operations(description).values()
        for parameter in operation.get("parameters", ())
        if "enum" in parameter["schema"]
    )


def of_operation(
    name: str, was: Description, now: Description, old: Side, new: Side
) -> Iterator[Change]:
    if was["operationId"] != now["operationId"]:
        said = f"was named {was['operationId']} and is {now['operationId']}"
        yield Change(name, said, Need.MAJOR)
    yield from of_parameters(name, was, now, Comparison(old, new, accepted=True))
    for status, response in was["responses"].items():
        place = f"{name} {status}"
        if status in now["responses"]:
            answers = old.shape(response), new.shape(now["responses"][status])
            comparison = Comparison(old, new)
            yield from of_parts("content", place, *answers, comparison)
            yield from of_parts("headers", place, *answers, comparison)
        else:
            yield Change(place, "is gone", Need.MAJOR)
    for status in now["responses"].keys() - was["responses"].keys():
        yield Change(f"{name} {status}", "is new", Need.MINOR)


def of_parameters(
    name: str, was: Description, now: Description, comparison: Comparison
) -> Iterator[Change]:
    old = {parameter["name"]: parameter for parameter in was.get("parameters", ())}
    new = {parameter["name"]: parameter for parameter in now.get("parameters", ())}
    for each in old.keys() ^ new.keys():
        needed = each in old or new[each].get("required")
        said = "is gone" if each in old else "is new"
        yield Change(f"{name} {{{each}}}", said, Need.MAJOR if needed else Need.MINOR)
    for each in old.keys() & new.keys():
        schemas = old[each]["schema"], new[each]["schema"]
        yield from comparison.changes(*schemas, f"{name} {{{each}}}")


def of_parts(
    kind: str, place: str, was: Description, now: Description, comparison: Comparison
) -> Iterator[Change]:
    """Media types or headers of an answer."""
    old, new = was.get(kind, {}), now.get(kind, {})
    for name, part in old.items():
        if name not in new:
            yield Change(f"{place} {name}", "is gone", Need.MAJOR)
            continue
        one, other = comparison.was.shape(part), comparison.now.shape(new[name])
        if one.get("required") and not other.get("required"):
            yield Change(f"{place} {name}", "was required and is optional", Need.MAJOR)
        yield from comparison.changes(one["schema"], other["schema"], f"{place} {name}")
    yield from (Change(f"{place} {name}", "is new", Need.MINOR) for name in new.keys() - old.keys())


def size(description: Description) -> int:
    """How many things the contract promises."""
    components = description["components"]
    parts = chain(
        *(operation.get("parameters", ()) for operation in operations(description).values())
    )
    members = sum(len(schema.get("properties", ())) for schema in components["schemas"].values())
    return len(operations(description)) + len([*parts]) + len(components["headers"]) + members
