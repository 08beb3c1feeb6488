"""Write JSON for readers: an object or a list that fits into a line is written on one."""

import json
from collections.abc import Mapping
from typing import Any

MAX_LINE_CHARACTERS = 80
JSON_INDENT = "  "


def readable_json(value: Any, depth: int = 0) -> str:
    line = json.dumps(value, ensure_ascii=False)
    whole = depth > 0 and len(JSON_INDENT * depth) + len(line) <= MAX_LINE_CHARACTERS
    if whole or not value or not isinstance(value, Mapping | list):
        return line
    inside, end = JSON_INDENT * (depth + 1), JSON_INDENT * depth
    if isinstance(value, Mapping):
        parts = [f"{json.dumps(name)}: {readable_json(value[name], depth + 1)}" for name in value]
        return "{\n" + ",\n".join(inside + part for part in parts) + f"\n{end}}}"
    parts = [readable_json(part, depth + 1) for part in value]
    return "[\n" + ",\n".join(inside + part for part in parts) + f"\n{end}]"
