"""The decisions that a request's headers ask for, in CEL, which Caddy's matchers are written in.

CEL has no names for values: `[value].exists(name, …)` gives one. Sources: RFC 9110, sections
5.6.7, 12.5.1, 12.5.3 and 13.
"""

from collections.abc import Iterable

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NUMBERS = "{" + ",".join(f'"{month}":"{n:02}"' for n, month in enumerate(MONTHS, start=1)) + "}"
NAMES = "|".join(MONTHS)
TIME = r"\\d\\d:\\d\\d:\\d\\d"
FIXDATE = rf"^\\w{{3}}, \\d\\d ({NAMES}) \\d{{4}} {TIME} GMT$"
RFC850 = rf"^\\w{{6,9}}, \\d\\d-({NAMES})-\\d\\d {TIME} GMT$"
ASCTIME = rf"^\\w{{3}} ({NAMES}) [ \\d]\\d {TIME} \\d{{4}}$"

LONGEST = 2048
"""Bytes of an `Accept`; a longer one is malformed."""
QUOTED = r'"(?:[\t !#-\[\]-~]|\\[\t -~])*"'
"""A quoted string (RFC 9110, section 5.6.4), for Caddy; each is emptied before `Accept` is read."""
TCHARS = r"[!#$%&'*+.^_\\x60|~0-9A-Za-z-]+"
PARAMETERS = rf"([ \t]*;[ \t]*({TCHARS}=({TCHARS}|\"\"))?)*"
RANGE = rf"[ \t]*({TCHARS}/{TCHARS}{PARAMETERS})?[ \t]*"
WELL_FORMED = f"^{RANGE}(,{RANGE})*$"
WEIGHT = r"(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)"
NUMBER = r"([0-9]+(\\.[0-9]*)?|\\.[0-9]+)"
TAG = r"^(W/)?\"[^\"]*\"$"


def header(name: str) -> str:
    return f"{{http.request.header.{name}}}"


def named(value: str, name: str, condition: str) -> str:
    """A condition in which a value has a name."""
    return f"[{value}].exists({name}, {condition})"


def items(name: str) -> str:
    """The parts of a list in a header, in lower case and without spaces."""
    spaceless = f'{header(name)}.lowerAscii().replace(" ", "").replace("\\t", "")'
    return f'{spaceless}.split(",").filter(t, t != "")'


def of_ranges(condition: str) -> str:
    """A condition on a well-formed `Accept`: `h` and `m` are the weights of both types, or -1."""
    weighted = rf't.contains(";q=") && !t.matches(";q={WEIGHT}(;|$)")'
    repeated = 'size(t.split(";q=")) > 2'
    wildcard = 't.startsWith("*/") && t.split(";")[0] != "*/*"'
    malformed = f"({weighted}) || {repeated} || ({wildcard})"
    weighed = named(weight_of("html"), "h", named(weight_of("markdown"), "m", condition))
    read = named(items("Accept"), "r", f"size(r) > 0 && !r.exists(t, {malformed}) && {weighed}")
    return f'({header("Accept")}.matches("{WELL_FORMED}") && {read})'


def weight_of(subtype: str) -> str:
    """The weight of the most specific range for a type."""
    whole = f't.split(";")[0] == "text/{subtype}"'
    own = 't.split(";").exists(p, p != t.split(";")[0] && p != "" && !p.startsWith("q="))'
    classes = (
        f"{whole} && {own}",
        whole,
        't.split(";")[0] == "text/*"',
        't.split(";")[0] == "*/*"',
    )
    weight = "-1.0"
    for fits in reversed(classes):
        first = f"r.filter(t, {fits})[0]"
        weight = f"(r.exists(t, {fits}) ? {quality(first)} : {weight})"
    return weight


def quality(item: str) -> str:
    value = f'double({item}.split(";q=")[1].split(";")[0])'
    return f'({item}.contains(";q=") ? {value} : 1.0)'


EXCLUDING = f"r.all(t, {quality('t')} == 0.0)"
ASKED_BY_NAME = f'r.exists(t, t.split(";")[0] == "text/markdown" && {quality("t")} > 0.0)'
MARKDOWN = of_ranges(
    f"({ASKED_BY_NAME} && m >= (h < 0.0 ? 0.0 : h)) || (h <= 0.0 && m > 0.0)"
    f" || ({EXCLUDING} && h >= 0.0 && m < 0.0)"
)
NEITHER = of_ranges(f"h <= 0.0 && m <= 0.0 && (!{EXCLUDING} || (h >= 0.0 && m >= 0.0))")


def coding(name: str, offered: Iterable[str], codings: str) -> str:
    """Whether a coding is the one to send, of those offered, the favourite first."""
    others = [other for other in offered if other != name]
    before = list(offered)[: list(offered).index(name)]
    wins = [
        f"w > {weight_of_coding(other, codings)}"
        if other in before
        else f"w >= {weight_of_coding(other, codings)}"
        for other in others
    ]
    condition = " && ".join(["w > 0.0", f"w >= {listed('identity', '0.0')}", *wins])
    best = named(weight_of_coding(name, codings), "w", condition)
    return named(items("Accept-Encoding"), "a", best)


def weight_of_coding(name: str, codings: str) -> str:
    wanted = listed(name, listed("*", "0.0"))
    return f'({codings}.contains("{name}") ? {wanted} : 0.0)'


def listed(name: str, otherwise: str) -> str:
    """The weight of a coding's last mention; a malformed one counts as nothing."""
    mentions = f'a.filter(t, t.split(";")[0] == "{name}")'
    last = f"{mentions}[size({mentions}) - 1]"
    given = f'double({last}.split(";q=")[1])'
    number = f'({last}.matches("^[^;]*;q={NUMBER}$") ? ({given} > 1.0 ? 1.0 : {given}) : 0.0)'
    weight = f'({last}.contains(";") ? {number} : 1.0)'
    return f"(size({mentions}) > 0 ? {weight} : {otherwise})"


def moment(name: str, this_year: int) -> str:
    """A date of a header, so that later ones sort later; "" for what is no date of HTTP."""
    h = header(name)
    fixdate = sortable(
        f"{h}.substring(12, 16)",
        f"{h}.substring(8, 11)",
        f"{h}.substring(5, 7)",
        f"{h}.substring(17, 25)",
    )
    asctime = sortable(
        f"{h}.substring(20, 24)",
        f"{h}.substring(4, 7)",
        f'{h}.substring(8, 10).replace(" ", "0")',
        f"{h}.substring(11, 19)",
    )
    old = f'{h}.split(", ")[1]'
    century = f'(int({old}.substring(7, 9)) > {this_year % 100 + 50} ? "19" : "20")'
    rfc850 = sortable(
        f"{century} + {old}.substring(7, 9)",
        f"{old}.substring(3, 6)",
        f"{old}.substring(0, 2)",
        f"{old}.substring(10, 18)",
    )
    return (
        f'({h}.matches("{FIXDATE}") ? {fixdate} : {h}.matches("{ASCTIME}") ? {asctime}'
        f' : {h}.matches("{RFC850}") ? {rfc850} : "")'
    )


def sortable(year: str, month: str, day: str, time: str) -> str:
    """`2026-01-31 23:59:59`."""
    return f'{year} + "-" + {NUMBERS}[{month}] + "-" + {day} + " " + {time}'


def tags(name: str) -> str:
    """Whether a header has an entity tag, or the one that stands for all."""
    h = header(name)
    return f'({h}.trim() == "*" || {h}.split(",").exists(t, t.trim().matches("{TAG}")))'


def tagged(name: str, etag: str, *, weakly: bool) -> str:
    weak = f' || t.trim() == "W/" + {etag}' if weakly else ""
    h = header(name)
    return f'({h}.trim() == "*" || {h}.split(",").exists(t, t.trim() == {etag}{weak}))'


def unchanged(etag: str, changed: str, this_year: int) -> str:
    """304, where no precondition has failed."""
    since = named(moment("If-Modified-Since", this_year), "s", f's != "" && s >= {changed}')
    held = tagged("If-None-Match", etag, weakly=True)
    return f"({tags('If-None-Match')} ? {held} : {since})"


def failed(etag: str, changed: str, this_year: int) -> str:
    """412."""
    before = named(moment("If-Unmodified-Since", this_year), "s", f's != "" && s < {changed}')
    held = tagged("If-Match", etag, weakly=False)
    return f"({tags('If-Match')} ? !{held} : {before})"
