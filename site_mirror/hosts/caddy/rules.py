"""Decisions by a request's headers in CEL, the language of Caddy's matchers.

CEL has no variables; `[value].exists(name, …)` binds a name to a value. Sources: RFC 9110, sections
5.6.7, 12.5.1, 12.5.3 and 13.
"""

from collections.abc import Iterable

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTH_NUMBERS = (
    "{" + ",".join(f'"{month}":"{n:02}"' for n, month in enumerate(MONTHS, start=1)) + "}"
)
MONTH_NAMES = "|".join(MONTHS)
TIME_PATTERN = r"\\d\\d:\\d\\d:\\d\\d"
FIXDATE_PATTERN = rf"^\\w{{3}}, \\d\\d ({MONTH_NAMES}) \\d{{4}} {TIME_PATTERN} GMT$"
RFC850_PATTERN = rf"^\\w{{6,9}}, \\d\\d-({MONTH_NAMES})-\\d\\d {TIME_PATTERN} GMT$"
ASCTIME_PATTERN = rf"^\\w{{3}} ({MONTH_NAMES}) [ \\d]\\d {TIME_PATTERN} \\d{{4}}$"

QUOTED_STRING_PATTERN = r'"(?:[\t !#-\[\]-~]|\\[\t -~])*"'
"""A quoted string (RFC 9110, section 5.6.4). Caddy empties each before it parses `Accept`."""
TCHARS_PATTERN = r"[!#$%&'*+.^_\\x60|~0-9A-Za-z-]+"
PARAMETERS_PATTERN = rf"([ \t]*;[ \t]*({TCHARS_PATTERN}=({TCHARS_PATTERN}|\"\"))?)*"
RANGE_PATTERN = rf"[ \t]*({TCHARS_PATTERN}/{TCHARS_PATTERN}{PARAMETERS_PATTERN})?[ \t]*"
ACCEPT_PATTERN = f"^{RANGE_PATTERN}(,{RANGE_PATTERN})*$"
WEIGHT_PATTERN = r"(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)"
NUMBER_PATTERN = r"([0-9]+(\\.[0-9]*)?|\\.[0-9]+)"
TAG_PATTERN = r"^(W/)?\"[^\"]*\"$"


def header_value(name: str) -> str:
    return f"{{http.request.header.{name}}}"


def bind_name(value: str, name: str, condition: str) -> str:
    """Return a condition in which a value has a name."""
    return f"[{value}].exists({name}, {condition})"


def list_items(name: str) -> str:
    """Return the items of a list in a header, in lower case and without spaces."""
    spaceless = f'{header_value(name)}.lowerAscii().replace(" ", "").replace("\\t", "")'
    return f'{spaceless}.split(",").filter(t, t != "")'


def accept_condition(condition: str) -> str:
    """Return a condition on a valid `Accept`.

    `h` and `m` are the weights of HTML and Markdown; -1 if no range matches.
    """
    invalid_weight = rf't.contains(";q=") && !t.matches(";q={WEIGHT_PATTERN}(;|$)")'
    repeated = 'size(t.split(";q=")) > 2'
    wildcard = 't.startsWith("*/") && t.split(";")[0] != "*/*"'
    malformed = f"({invalid_weight}) || {repeated} || ({wildcard})"
    weighed = bind_name(
        weight_of_type("html"), "h", bind_name(weight_of_type("markdown"), "m", condition)
    )
    parsed = bind_name(
        list_items("Accept"), "r", f"size(r) > 0 && !r.exists(t, {malformed}) && {weighed}"
    )
    return f'({header_value("Accept")}.matches("{ACCEPT_PATTERN}") && {parsed})'


def weight_of_type(subtype: str) -> str:
    """Return the weight of the most specific range for a type."""
    is_type = f't.split(";")[0] == "text/{subtype}"'
    has_parameters = (
        't.split(";").exists(p, p != t.split(";")[0] && p != "" && !p.startsWith("q="))'
    )
    classes = (
        f"{is_type} && {has_parameters}",
        is_type,
        't.split(";")[0] == "text/*"',
        't.split(";")[0] == "*/*"',
    )
    weight = "-1.0"
    for fits in reversed(classes):
        first = f"r.filter(t, {fits})[0]"
        weight = f"(r.exists(t, {fits}) ? {quality_of(first)} : {weight})"
    return weight


def quality_of(item: str) -> str:
    value = f'double({item}.split(";q=")[1].split(";")[0])'
    return f'({item}.contains(";q=") ? {value} : 1.0)'


EXCLUDES_ONLY = f"r.all(t, {quality_of('t')} == 0.0)"
ASKED_BY_NAME = f'r.exists(t, t.split(";")[0] == "text/markdown" && {quality_of("t")} > 0.0)'
PREFERS_MARKDOWN = accept_condition(
    f"({ASKED_BY_NAME} && m >= (h < 0.0 ? 0.0 : h)) || (h <= 0.0 && m > 0.0)"
    f" || ({EXCLUDES_ONLY} && h >= 0.0 && m < 0.0)"
)
ACCEPTS_NEITHER = accept_condition(
    f"h <= 0.0 && m <= 0.0 && (!{EXCLUDES_ONLY} || (h >= 0.0 && m >= 0.0))"
)


def coding_condition(name: str, offered: Iterable[str], codings: str) -> str:
    """Return the condition that a coding is sent, of those offered in the server's order."""
    others = [other for other in offered if other != name]
    before = list(offered)[: list(offered).index(name)]
    wins = [
        f"w > {weight_of_coding(other, codings)}"
        if other in before
        else f"w >= {weight_of_coding(other, codings)}"
        for other in others
    ]
    condition = " && ".join(["w > 0.0", f"w >= {listed_weight('identity', '0.0')}", *wins])
    best = bind_name(weight_of_coding(name, codings), "w", condition)
    return bind_name(list_items("Accept-Encoding"), "a", best)


def weight_of_coding(name: str, codings: str) -> str:
    weight = listed_weight(name, listed_weight("*", "0.0"))
    return f'({codings}.contains("{name}") ? {weight} : 0.0)'


def listed_weight(name: str, otherwise: str) -> str:
    """Return the weight of a coding at its last position; a malformed weight is 0."""
    mentions = f'a.filter(t, t.split(";")[0] == "{name}")'
    last = f"{mentions}[size({mentions}) - 1]"
    value = f'double({last}.split(";q=")[1])'
    number = (
        f'({last}.matches("^[^;]*;q={NUMBER_PATTERN}$") ? ({value} > 1.0 ? 1.0 : {value}) : 0.0)'
    )
    weight = f'({last}.contains(";") ? {number} : 1.0)'
    return f"(size({mentions}) > 0 ? {weight} : {otherwise})"


def date_expression(name: str, this_year: int) -> str:
    """Return a date of a header as text that sorts by time; "" for an invalid date."""
    h = header_value(name)
    fixdate = sortable_date(
        f"{h}.substring(12, 16)",
        f"{h}.substring(8, 11)",
        f"{h}.substring(5, 7)",
        f"{h}.substring(17, 25)",
    )
    asctime = sortable_date(
        f"{h}.substring(20, 24)",
        f"{h}.substring(4, 7)",
        f'{h}.substring(8, 10).replace(" ", "0")',
        f"{h}.substring(11, 19)",
    )
    old = f'{h}.split(", ")[1]'
    century = f'(int({old}.substring(7, 9)) > {this_year % 100 + 50} ? "19" : "20")'
    rfc850 = sortable_date(
        f"{century} + {old}.substring(7, 9)",
        f"{old}.substring(3, 6)",
        f"{old}.substring(0, 2)",
        f"{old}.substring(10, 18)",
    )
    return (
        f'({h}.matches("{FIXDATE_PATTERN}") ? {fixdate}'
        f' : {h}.matches("{ASCTIME_PATTERN}") ? {asctime}'
        f' : {h}.matches("{RFC850_PATTERN}") ? {rfc850} : "")'
    )


def sortable_date(year: str, month: str, day: str, time: str) -> str:
    """Return a date of the form `2026-01-31 23:59:59`."""
    return f'{year} + "-" + {MONTH_NUMBERS}[{month}] + "-" + {day} + " " + {time}'


def has_tags(name: str) -> str:
    """Return the condition that a header has an entity tag or is `*`."""
    h = header_value(name)
    return f'({h}.trim() == "*" || {h}.split(",").exists(t, t.trim().matches("{TAG_PATTERN}")))'


def matches_tag(name: str, etag: str, *, weakly: bool) -> str:
    weak = f' || t.trim() == "W/" + {etag}' if weakly else ""
    h = header_value(name)
    return f'({h}.trim() == "*" || {h}.split(",").exists(t, t.trim() == {etag}{weak}))'


def not_modified_condition(etag: str, changed: str, this_year: int) -> str:
    """Return the condition of a 304, if no precondition failed."""
    since = bind_name(
        date_expression("If-Modified-Since", this_year), "s", f's != "" && s >= {changed}'
    )
    matches = matches_tag("If-None-Match", etag, weakly=True)
    return f"({has_tags('If-None-Match')} ? {matches} : {since})"


def precondition_failed_condition(etag: str, changed: str, this_year: int) -> str:
    """Return the condition of a 412."""
    before = bind_name(
        date_expression("If-Unmodified-Since", this_year), "s", f's != "" && s < {changed}'
    )
    matches = matches_tag("If-Match", etag, weakly=False)
    return f"({has_tags('If-Match')} ? !{matches} : {before})"
