"""Numbers that stay with their units, and names of two words: no line of a page ends in them."""

import re

_UNITS = (
    r"%|°C|[nµcmk]?m[²³]?|[nµm]?s|min|h|[kMG]?Hz|[kMG]?B|bits?|[mk]?V|mA|[mk]?W|h?Pa|dB|[mk]?g|K|N|px"
    r"|m/s²?|km/h|rad/s|rad|µT|lx|cd|m/Pa|kg/mol|µmol/L|[LJ]/\(mol·(?:cm|K)\)|bytes?|pixels|degrees"
    r"|(?:milli|micro)?(?:metres|seconds)|minutes?|hours|nhịp|phút|giây|giờ|lần|độ|mét"
)
_SPACE = re.compile(rf"([0-9°%²½)]) (?:(?=(?:{_UNITS})(?![\w/]))|([±×/]) (?=[0-9√(]))")
_NAME = "Đà\N{NO-BREAK SPACE}Nẵng"
_CODE = re.compile(r"(<code.*?</code>)", re.DOTALL)


def bind_units(html: str) -> str:
    """Return HTML with no-break spaces between numbers and units, and none in code.

    Only pages are changed, because programs search and calculate in copies of Markdown and JSON.
    """
    texts = _CODE.split(html)
    texts[::2] = [_SPACE.sub(_bind, text.replace("Đà Nẵng", _NAME)) for text in texts[::2]]
    return "".join(texts)


def _bind(space: re.Match[str]) -> str:
    number, operator = space.groups()
    return f"{number}\N{NO-BREAK SPACE}" + (f"{operator}\N{NO-BREAK SPACE}" if operator else "")
