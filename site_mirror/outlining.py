"""The OpenAPI document without content, which a release remembers.

It is made of the program and the settings. Where these are the same, neither the views nor the
library that reads it off them is imported.
"""

from collections.abc import Callable
from pathlib import Path

import orjson

from api import schema
from site_mirror import inputs
from site_mirror.repeating import setting_values
from site_mirror.snapshot.crews import ALONE, Crew
from site_mirror.snapshot.files import body, write_over
from site_mirror.snapshot.layout import OUTLINE


def begun(release: Path | None, crew: Crew = ALONE) -> Callable[[], bytes]:
    """As a release has it, or made afresh: by one of a crew, so that there is time for reading."""
    if known := release and remembered(release):
        return lambda: known
    return crew.executor.submit(schema.fresh).result if crew.executor else schema.fresh


def remembered(release: Path) -> bytes | None:
    """Nothing where it is of another program or other settings, or not as it was written."""
    try:
        kept = orjson.loads(body(release, OUTLINE))
        outline = orjson.dumps(kept["outline"])
        return outline if kept["seal"] == seal(outline) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remember(outline: bytes, release: Path) -> None:
    kept = {"seal": seal(outline), "outline": orjson.Fragment(outline)}
    write_over(f"{release}/{OUTLINE}", orjson.dumps(kept))


def seal(outline: bytes) -> str:
    """A digest of an outline and of all that it is made of."""
    return inputs.digest(inputs.program(), setting_values(), outline.decode())
