"""Write content as the files that `load_content` reads."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalogue.content.writing import FILES, RETIRED, dump, find_table


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
        table = find_table(name)
        if name and not table:
            allowed = ", ".join(str(model._meta.model_name) for model in FILES)
            raise CommandError(f"“{name}” is no kind of content: use {allowed}.")
        files = dump(table, key)
        if key and not files:
            raise CommandError(f"There is no {name} with the key “{key}”.")
        if into is None:
            return b"".join(files.values()).decode()
        patterns = [FILES[table]] if table else [*FILES.values(), RETIRED]
        if key and "{}" not in patterns[0]:
            raise CommandError(f"{patterns[0]} has more rows: leave out --into.")
        found = {path for each in patterns for path in into.glob(each.replace("{}", "*"))}
        deleted = found - {into / name for name in files} if not key else set()
        try:
            for path in deleted:
                path.unlink()
            for name, text in files.items():
                (into / name).parent.mkdir(parents=True, exist_ok=True)
                (into / name).write_bytes(text)
        except OSError as error:
            raise CommandError(f"{error.filename or into}: {error.strerror}.") from error
        return f"Wrote {len(files)} files into {into} and deleted {len(deleted)}."
