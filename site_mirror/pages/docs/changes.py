"""The changes of the API, dated entries of the program: `changes.yaml`, the newest first."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path

import msgspec
from msgspec import Struct


class Change(Struct, frozen=True):
    """A change, with texts and an id for feeds in each language."""

    id: Mapping[str, str]
    slug: str
    date: date
    version: str
    title: Mapping[str, str]
    text: Mapping[str, str]

    @property
    def moment(self) -> datetime:
        return datetime.combine(self.date, time(), UTC)


CHANGES = msgspec.yaml.decode(
    Path(__file__).with_suffix(".yaml").read_bytes(), type=tuple[Change, ...]
)
