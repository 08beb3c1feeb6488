"""Ways to break a release on purpose, and what comes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from msgspec.structs import replace

from site_mirror import batches, registry
from site_mirror.context import Context
from site_mirror.documents import Content, Family, Render
from site_mirror.gates.verdicts import Verdict
from site_mirror.snapshot.errors import GatesFailed
from tests.freeze import makers

ROOT = settings.SITE_ROOT
Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Refused:
    """What a freeze told that failed."""

    message: str
    code: int
    gates: dict[str, Verdict]

    def failures(self, gate: str) -> tuple[str, ...]:
        return self.gates[gate].failures

    @property
    def failed(self) -> set[str]:
        return {name for name, verdict in self.gates.items() if not verdict.passed}


def frozen(target: Path, *options: str) -> None:
    call_command("freeze", str(target), "--jobs", "1", *options)


def refused(target: Path, *options: str) -> Refused:
    """A freeze that must fail, and must leave what is served as it was."""
    before = makers.published(target)
    with pytest.raises(CommandError) as caught:
        frozen(target, *options)
    assert isinstance(caught.value.__cause__, GatesFailed)
    assert (makers.published(target), makers.leftovers(target)) == (before, set())
    verdicts = {verdict.gate: verdict for verdict in caught.value.__cause__.verdicts}
    return Refused(str(caught.value), caught.value.returncode, verdicts)


def with_families(monkeypatch: pytest.MonkeyPatch, families: tuple[Family, ...]) -> None:
    """Another registry; what is made of the same as before is taken over all the same."""
    by_name = {family.name: family for family in families}
    monkeypatch.setattr(registry, "FAMILIES", families)
    monkeypatch.setattr(registry, "BY_NAME", by_name)
    monkeypatch.setattr(batches, "BY_NAME", by_name)


def changed_family(monkeypatch: pytest.MonkeyPatch, name: str, change: Change) -> None:
    """A family that is different, and therefore rendered again."""
    changed = {name: replace(change(registry.BY_NAME[name]), asks=True)}
    families = (changed.get(each.name, each) for each in registry.FAMILIES)
    with_families(monkeypatch, tuple(families))


def without_family(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with_families(monkeypatch, tuple(each for each in registry.FAMILIES if each.name != name))


def with_family(monkeypatch: pytest.MonkeyPatch, family: Family) -> None:
    with_families(monkeypatch, (*registry.FAMILIES, family))


def rewritten(monkeypatch: pytest.MonkeyPatch, name: str, change: Change) -> None:
    """A family whose bodies are changed after they were rendered."""
    changed_family(monkeypatch, name, lambda family: with_bodies(family, change))


def with_bodies(family: Family, change: Change) -> Family:
    def renderer(context: Context) -> Render:
        render = family.renderer(context)
        return lambda address, subject: of_kind(render(address, subject), change)

    return replace(family, renderer=renderer)


def of_kind(content: Content, change: Change) -> Content:
    """Texts are changed as bytes, and API bodies as values."""
    if isinstance(content, bytes):
        return bytes(change(content))
    return dict(change(orjson.loads(orjson.dumps(content))))


def replacing(old: str, new: str) -> Change:
    def change(body: Any) -> Any:
        text = body if isinstance(body, bytes) else orjson.dumps(body)
        assert old.encode() in text, f"{old} is not there to be replaced"
        changed = text.replace(old.encode(), new.encode())
        return changed if isinstance(body, bytes) else orjson.loads(changed)

    return change
