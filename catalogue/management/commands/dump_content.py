"""Write content as the files that `load_content` reads."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalogue.content.kinds import KINDS, Kind, find_kinds
from catalogue.content.writing import dump


class Command(BaseCommand):
    help = (
        "Write content as files, for Git or for another catalogue: everything, a kind such as "
        "“post”, or a row such as “post/its-slug”. The same rows are always the same bytes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", nargs="?", default="", metavar="KIND[/KEY]")
        parser.add_argument(
            "--into",
            type=Path,
            metavar="FOLDER",
            help="folder of the files, in which those of deleted rows are deleted; "
            "without it, the content is printed",
        )

    def handle(self, *, what: str, into: Path | None, **options: Any) -> str:
        name, _, key = what.partition("/")
        kinds = find_kinds(name)
        if not kinds:
            allowed = ", ".join(kind.name for kind in KINDS)
            raise CommandError(f"“{name}” is no kind of content: use {allowed}.")
        files = dump(kinds, key)
        if key and not files:
            raise CommandError(f"There is no {name} with the key “{key}”.")
        if into is not None:
            if key and "{}" not in kinds[0].file:
                raise CommandError(f"{kinds[0].file} has more rows: leave out --into.")
            return write_folder(into, [] if key else kinds, files)
        if not all(path.endswith(".yaml") for path in files):
            raise CommandError("Images have files beside their rows: use --into FOLDER.")
        return b"".join(files.values()).decode()


def write_folder(folder: Path, kinds: Sequence[Kind], files: Mapping[str, bytes]) -> str:
    """Write files into a folder, delete those of deleted rows, and say what was done."""
    patterns = [kind.file.replace("{}", "*") for kind in kinds]
    found = {path for pattern in patterns for path in folder.glob(pattern)}
    deleted = found - {folder / path for path in files}
    for path in deleted:
        for each in path.parent.glob(f"{path.stem}.*"):  # Those of an image stand beside its row.
            each.unlink()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return f"Wrote {len(files)} files into {folder} and deleted {len(deleted)}."
