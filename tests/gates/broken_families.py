"""Families and freezes that break a gate on purpose."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from msgspec.structs import replace

from api.headers import Headers
from site_mirror.documents.family import DocumentContent, Family
from site_mirror.freeze import batches
from site_mirror.registry import table
from site_mirror.snapshot import verdicts as reports
from site_mirror.snapshot.errors import GatesFailed
from site_mirror.snapshot.verdicts import Verdict
from tests.freeze import target_files

ROOT = settings.SITE_ROOT
Change = Callable[[Any], Any]


@dataclass(frozen=True)
class RefusedFreeze:
    """The error message, exit code and verdicts of a failed freeze."""

    message: str
    code: int
    gates: dict[str, Verdict]

    def failures(self, gate: str) -> tuple[str, ...]:
        return self.gates[gate].failures

    @property
    def failed(self) -> set[str]:
        return {name for name, verdict in self.gates.items() if not verdict.passed}


def run_freeze(target: Path, *options: str) -> None:
    call_command("freeze", str(target), "--jobs", "1", *options)


def run_refused_freeze(target: Path, *options: str) -> RefusedFreeze:
    """Run a freeze that must fail, with all failures, and must not change what is served."""
    before = target_files.read_published(target)
    every = patch.object(reports, "MAX_FAILURES_IN_REPORT", 1000)
    with every, pytest.raises(CommandError) as caught:
        run_freeze(target, *options)
    assert isinstance(caught.value.__cause__, GatesFailed)
    assert (target_files.read_published(target), target_files.find_leftovers(target)) == (
        before,
        set(),
    )
    verdicts = {verdict.gate: verdict for verdict in caught.value.__cause__.verdicts}
    return RefusedFreeze(str(caught.value), caught.value.returncode, verdicts)


def set_families(monkeypatch: pytest.MonkeyPatch, families: tuple[Family, ...]) -> None:
    """Replace the registry; documents with the same digest are still reused."""
    by_name = {family.name: family for family in families}
    monkeypatch.setattr(table, "FAMILIES", families)
    monkeypatch.setattr(table, "FAMILIES_BY_NAME", by_name)
    monkeypatch.setattr(batches, "FAMILIES_BY_NAME", by_name)


def change_family(monkeypatch: pytest.MonkeyPatch, name: str, change: Change) -> None:
    """Change a family and have its documents rendered again."""
    changed = {name: render_always(change(table.FAMILIES_BY_NAME[name]))}
    families = (changed.get(each.name, each) for each in table.FAMILIES)
    set_families(monkeypatch, tuple(families))


def change_headers(monkeypatch: pytest.MonkeyPatch, name: str, change: Change) -> None:
    """Change the headers of a family; a header that becomes `None` is not sent."""

    def changed(family: Family) -> Family:
        def headers(*asked: Any) -> Headers:
            made = change(dict(family.headers(*asked)))
            return {name: value for name, value in made.items() if value is not None}

        return replace(family, headers=headers)

    change_family(monkeypatch, name, changed)


def render_always(family: Family) -> Family:
    """Make a family render in every freeze; families of lists do that already."""
    return family if family.render_built else replace(family, derived=True)


def remove_family(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    set_families(monkeypatch, tuple(each for each in table.FAMILIES if each.name != name))


def rewrite_bodies(monkeypatch: pytest.MonkeyPatch, name: str, change: Change) -> None:
    """Change the bodies of a family after they are rendered."""
    change_family(monkeypatch, name, lambda family: change_bodies_of(family, change))


def change_bodies_of(family: Family, change: Change) -> Family:
    def changed(render: Callable[..., DocumentContent]) -> Callable[..., DocumentContent]:
        return lambda *words: change_content(render(*words), change)

    built = family.render_built
    return replace(
        family, render=changed(family.render), render_built=changed(built) if built else None
    )


def change_content(content: DocumentContent, change: Change) -> DocumentContent:
    """Change a text as bytes, and an API body as a value."""
    if isinstance(content, bytes):
        return bytes(change(content))
    return dict(change(orjson.loads(orjson.dumps(content))))


def replace_text(old: str, new: str) -> Change:
    def change(body: Any) -> Any:
        text = body if isinstance(body, bytes) else orjson.dumps(body)
        assert old.encode() in text, f"{old} is not there to be replaced"
        changed = text.replace(old.encode(), new.encode())
        return changed if isinstance(body, bytes) else orjson.loads(changed)

    return change
