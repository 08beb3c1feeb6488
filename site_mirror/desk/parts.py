"""The parts of a form's data: a field with all of its inputs, or all rows of an inline."""

import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import takewhile
from operator import eq

from django.http import QueryDict
from msgspec import Struct

from catalogue.texts.localized import ENGLISH, LANGUAGES, VIETNAMESE
from site_mirror.desk.forms import Data

SHARED = "shared"
SIDES = (ENGLISH, VIETNAMESE, SHARED)
"""The sides of a draft: the texts of each language, and the parts without a language."""
ROWS_OF_INLINE = "-TOTAL_FORMS"

DECISION = "_decide-"
"""Beginning of the names of inputs that decide between two texts: `here:DIGEST` or `there:DIGEST`,
with the digest of the text that was seen there, because somebody may have changed it since."""

Digests = Mapping[str, str]
"""A digest of each part that is not empty, by its name."""


def split_parts(data: Data) -> dict[str, dict[str, list[str]]]:
    """Return the inputs of each part."""
    inlines = {name.removesuffix(ROWS_OF_INLINE) for name in data if name.endswith(ROWS_OF_INLINE)}
    parts: dict[str, dict[str, list[str]]] = {}
    for name, values in data.items():
        parts.setdefault(part_of(name, inlines), {})[name] = [*values]
    return parts


def part_of(name: str, inlines: set[str]) -> str:
    """Return the part of an input: `links-0-href` → `links`, `publish_at_0` → `publish_at`."""
    prefix = name.partition("-")[0]
    if prefix in inlines:
        return prefix
    beginning, _, number = name.rpartition("_")
    return beginning if beginning and number.isdigit() else name


def rows_of(inputs: Mapping[str, Sequence[str]]) -> list[dict[str, list[str]]]:
    """Return the rows of an inline, in their order: the values of each column by its name."""
    rows: dict[int, dict[str, list[str]]] = {}
    for name, values in inputs.items():
        number, _, column = name.partition("-")[2].partition("-")
        if number.isdecimal() and column:
            rows.setdefault(int(number), {})[column] = [*values]
    return sorted((rows[number] for number in sorted(rows)), key=position_of)


def position_of(row: Mapping[str, Sequence[str]]) -> int:
    position = next(iter(row.get("position", ())), "")
    return int(position) if position.isdecimal() else sys.maxsize


def key_of(row: Data) -> str:
    """Return the key of a row of an inline, which is empty if the row is new."""
    return next(iter(row.get("id", ())), "")


def join_rows(part: str, rows: Sequence[Data], inputs: Data) -> dict[str, list[str]]:
    """Return the inputs of an inline with other rows; the new ones come last."""
    rows = sorted(rows, key=lambda row: not key_of(row))
    counts = {"TOTAL_FORMS": len(rows), "INITIAL_FORMS": sum(1 for row in rows if key_of(row))}
    return {
        **{name: [*values] for name, values in inputs.items() if name.endswith("_FORMS")},
        **{f"{part}-{name}": [str(count)] for name, count in counts.items()},
        **{
            f"{part}-{number}-{name}": [*values]
            for number, row in enumerate(rows)
            for name, values in row.items()
        },
    }


def side_of(name: str) -> str:
    """Return the side of a part or of a column of an inline: its language, or the shared one."""
    language = name.rpartition("_")[2]
    return language if language in LANGUAGES else SHARED


def replace_sides(data: Data, other: Data, sides: Collection[str]) -> dict[str, list[str]]:
    """Return data with some sides of other data in place of their own."""
    own, others = split_parts(data), split_parts(other)
    for part in changed_parts(digests_of(data), digests_of(other)):
        inputs, there = own.get(part, {}), others.get(part, {})
        if part + ROWS_OF_INLINE in inputs:
            own[part] = join_rows(part, [*replace_in_rows(inputs, there, sides)], inputs)
        elif side_of(part) in sides:
            own[part] = there
    return {name: values for inputs in own.values() for name, values in inputs.items()}


def replace_in_rows(inputs: Data, other: Data, sides: Collection[str]) -> Iterator[Data]:
    """Yield the rows of an inline with some sides of those of another.

    A new row is on each side of its texts; it belongs to the other if one of them does.
    """
    kept = {*SIDES} - {*sides}
    others = rows_of(other)
    there = {key_of(row): row for row in others}
    for row in rows_of(inputs):
        if key_of(row):
            yield {**on_sides(row, kept), **on_sides(there.get(key_of(row), row), sides)}
        elif is_on(row, kept):
            yield row
    yield from (row for row in others if not key_of(row) and not is_on(row, kept))


def on_sides(row: Data, sides: Collection[str]) -> Data:
    return {column: values for column, values in row.items() if side_of(column) in sides}


def is_on(row: Data, sides: Collection[str]) -> bool:
    """Whether all texts of a row are on some sides."""
    return all(side_of(column) in sides for column, values in row.items() if any(values))


def digests_of(data: Data) -> dict[str, str]:
    """Return the digests of parts; inputs without a value count as none, as browsers send them."""
    found = {}
    for part, inputs in split_parts(data).items():
        typed = {
            name: sorted(value.replace("\r\n", "\n") for value in values)
            for name, values in sorted(inputs.items())
            if any(values)
        }
        if typed and part != "state":  # Publishing and withdrawing decide it.
            found[part] = sha256(json.dumps(typed).encode()).hexdigest()[:12]
    return found


def changed_parts(one: Digests, other: Digests) -> list[str]:
    return [part for part in {**one, **other} if one.get(part) != other.get(part)]


def is_cut(before: Data, after: Data) -> bool:
    """Whether most of the text of a part is gone."""
    old, new = split_parts(before), split_parts(after)
    texts = ((join_values(inputs), join_values(new.get(part, {}))) for part, inputs in old.items())
    return any(2 * length_kept(text, now) < len(text) for text, now in texts if text != now)


def length_kept(text: str, now: str) -> int:
    """Return how much of a text is there now, at its beginning and at its end."""
    start: int = sum(takewhile(bool, map(eq, text, now)))
    end: int = sum(takewhile(bool, map(eq, text[start:][::-1], now[start:][::-1])))
    return start + end


def join_values(inputs: Data) -> str:
    return "\n".join(value for _, values in sorted(inputs.items()) for value in values)


def read_decisions(posted: QueryDict) -> dict[str, str]:
    """Return the parts between whose two texts the editor has decided."""
    return {
        name.removeprefix(DECISION): str(value)
        for name, value in posted.items()
        if name.startswith(DECISION)
    }


class Merge(Struct):
    """A version of a form's data with what another one, `there`, has changed.

    `taken` are the parts of the other version that nobody has seen here yet, `asked` those that
    both have changed.
    """

    data: dict[str, list[str]]
    there: Data
    taken: list[str]
    asked: list[str]


def merge(base: Digests, here: Data, there: Data, decisions: Mapping[str, str]) -> Merge:
    """Merge two versions that began from the same one.

    A part that both have changed is `here` or `there` by decision; otherwise it is asked.
    """
    ours, theirs = digests_of(here), digests_of(there)
    chosen, taken, asked = [], [], []
    for part in sorted(changed_parts(base, theirs)):
        side, _, seen = decisions.get(part, "").partition(":")
        if ours.get(part) == theirs.get(part):
            continue
        if side and seen == theirs.get(part, ""):
            chosen += [part] if side == "there" else []
        elif ours.get(part) == base.get(part):
            taken.append(part)
        else:
            asked.append(part)
    return Merge(replace_parts(here, there, chosen + taken), there, taken, asked)


def replace_parts(data: Data, other: Data, names: list[str]) -> dict[str, list[str]]:
    """Return data with some parts of other data in place of its own."""
    own, others = split_parts(data), split_parts(other)
    kept = {part: inputs for part, inputs in own.items() if part not in names}
    chosen = {part: others.get(part, {}) for part in names}
    return {name: values for inputs in (kept | chosen).values() for name, values in inputs.items()}


def without_parts(data: Data, saved: Data, invalid: list[str]) -> Data | None:
    """Return data without their invalid parts, which are as they were saved; `None` if they are.

    A rule about several parts names one of them, so the texts of its language, or of both, may have
    to go.
    """
    parts, sides = [*split_parts(data)], {*map(side_of, invalid)}
    for names in (
        invalid,
        [part for part in parts if side_of(part) in sides],
        [part for part in parts if side_of(part) in LANGUAGES],
    ):
        rest = replace_parts(data, saved, names)
        if rest != data:
            return rest
    return None
