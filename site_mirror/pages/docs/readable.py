"""JSON for people: what fits into a line is on one."""

import json
from collections.abc import Mapping
from typing import Any

WIDTH = 80
INDENT = "  "


def readable_json(value: Any, depth: int = 0) -> str:
    line = json.dumps(value, ensure_ascii=False)
    whole = depth > 0 and len(INDENT * depth) + len(line) <= WIDTH
    if whole or not value or not isinstance(value, Mapping | list):
        return line
    inside, end = INDENT * (depth + 1), INDENT * depth
    if isinstance(value, Mapping):
        parts = [f"{json.dumps(name)}: {readable_json(value[name], depth + 1)}" for name in value]
        return "{\n" + ",\n".join(inside + part for part in parts) + f"\n{end}}}"
    parts = [readable_json(part, depth + 1) for part in value]
    return "[\n" + ",\n".join(inside + part for part in parts) + f"\n{end}]"
