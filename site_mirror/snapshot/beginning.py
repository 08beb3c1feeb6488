"""The beginning of a freeze: the lock of a target, and a folder for the release in the making."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from site_mirror.snapshot.ahead import Ahead, linking
from site_mirror.snapshot.places import Place
from site_mirror.snapshot.target import Target


class Beginning(Struct, frozen=True):
    """Where a release is made, and who links `ahead` what is published, if anybody does."""

    place: Place
    ahead: Ahead | None = None


@contextmanager
def begun(target: Target, *, ahead: bool = False) -> Iterator[Beginning]:
    """Nobody else freezes into the target meanwhile. Raises `FreezeError`.

    To link `ahead` pays where nearly all of what is published stays.
    """
    with target.locked(), target.staging() as folder:
        place = Place(folder, target.release, target.since)
        with linking(place if ahead and place.published else None) as links:
            yield Beginning(place, links)
