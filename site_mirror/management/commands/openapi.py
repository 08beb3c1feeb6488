from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from api.compatibility import find_version_faults
from api.envelope import encode_body
from api.schema import CONTRACT_FILE, openapi_description

LAYOUT = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


class Command(BaseCommand):
    help = (
        "Write the OpenAPI document to standard output: the bytes of /openapi.json. With --write, "
        "write paths and schemas of the committed contract (api/openapi.json) again after views or "
        "serializers were changed; this fails if that needs a new version in api/contract.py."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true", help="write api/openapi.json again")

    def handle(self, *, write: bool, **options: Any) -> None:
        if not write:
            body = encode_body(openapi_description(timezone.now()))
            self.stdout.write(body.decode(), ending="")
            return
        from api.schema_generation import generate_contract  # noqa: PLC0415  (reads all views)

        before = orjson.loads(CONTRACT_FILE.read_bytes())
        contract = generate_contract(before)
        if faults := [*find_version_faults(before, contract)]:
            raise CommandError("\n".join(["api/openapi.json stays as it is.", *faults]))
        CONTRACT_FILE.write_bytes(orjson.dumps(contract, option=LAYOUT))
