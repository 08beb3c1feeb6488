"""Texts that take a renderer much time, memory or stack, and a process that renders them.

`python -m tests.catalogue.hostile_texts GROUP` renders each text of a group on a thread with half
the stack of a thread of the server and with little memory, and prints a line of JSON for each. A
crash ends this process and not the test run; its cause is the first text without a line.
"""

import json
import re
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from catalogue import limits

STACK_BYTES = 1 << 20
"""Bytes; threads of the server have 2 MiB, which is what Rust gives to a thread."""

MEMORY_BYTES = 1 << 30
"""Bytes of address space of the process, its libraries included."""

DEEP = 100_000
LENGTH = limits.MARKDOWN_LENGTH.maximum
BLOCK = limits.CODE_LENGTH.maximum - 1  # a block ends with a line end

Text = tuple[str, str]
"""A name and a text."""


def fill(unit: str, length: int = LENGTH) -> str:
    """Repeat a text as often as it fits."""
    return unit * (length // len(unit))


def fill_numbered(template: str, length: int = LENGTH) -> str:
    """Repeat a template with a number in it as often as it fits."""
    return "".join(template.format(number) for number in range(length // (len(template) + 4)))


REPEATED = [
    *("> ", ">", "- ", "1. ", "- > ", "> - ", "+ 1) ", "* * "),
    *("*a ", "**a ", "_a ", "~~a ", "*_", "*a **a ", "a* ", "***", "`", "``a`", "~"),
    *("[", "]", "![", "[a](", "![](", "[a]: ", "[^a]: ", "[^a]", "[a][", "![[](", "](", "[[]("),
    *("(", "<", "<a ", "<!--", "<?", "<![CDATA[", "<http:", "<a@", "</"),
    *("&amp;", "&", "&#0;", "&#x3c;", "\\", "\\[", "\0", "\t", " ", "\n", "\r", "  \n"),
    *("$", "$a ", "$a$ ", "$$a", "$$a$$ ", "$`a", "$\\", "\\$"),
    *("# a\n", "## a\n", "## *a*\n", "###### ", "a\n===\n", "a\n---\n", "***\n"),
    *("|", "|a\n", "|a|\n|-|\n\n", "|-|\n", "a|b\n", "||\n|-|\n"),
    *(
        "```\n",
        "~~~\n",
        "```a\n",
        "    a\n",
        "a\n\n",
        "[a](/b)",
        "[a](b) ",
        "![a](/b) ",
        "[a]: /b\n",
    ),
    *("đ", "日", "́", "<b>", '"', "'", "- a\n", "1. a\n\n", "- [ ] a\n", "> a\n", "a  \nb\n"),
]
"""Texts that are repeated up to the maximum length."""


def markdown() -> Iterator[Text]:
    for unit in REPEATED:
        yield repr(unit), fill(unit)
        yield f"{unit!r} {DEEP} times", unit * DEEP
    half = LENGTH // 2
    yield "closed emphasis", fill("*a ", half) + fill("b* ", half)
    yield "closed links", fill("[", half) + "a" + fill("](/b)", half)
    yield "closed images", fill("![", half) + "a" + fill("](/b)", half)
    yield "lists in lists", "\n".join("  " * depth + "- a" for depth in range(int(LENGTH**0.5)))
    yield "quotes and lazy lines", fill(">", half) + "a\n" + fill("a\n", half)
    yield "one footnote", fill("[^a] ", half) + "\n\n[^a]: b"
    yield "footnotes", fill_numbered("[^{}]", half) + "\n\n" + fill_numbered("[^{}]: a\n", half)
    yield "footnotes in footnotes", "[^0]\n\n" + fill_numbered("[^{0}]: [^{0}1]\n")
    yield "definitions", fill_numbered("[{}]: /a\n") + "\n[1]"
    yield "a long definition", f"[a]: /{fill('b', half)}\n\n{fill('[a] ', half)}"
    yield "backticks", "".join("`" * count + "a" for count in range(1, int((2 * LENGTH) ** 0.5)))
    yield "columns", f"{fill('|a', half)}|\n{fill('|-', half)}|\n"
    yield (
        "rows of one cell",
        f"{'|a' * 1000}|\n{'|-' * 1000}|\n{fill('|' + chr(10), LENGTH - 5000)}",
    )
    yield (
        "wide rows of one cell",
        f"{'|a' * 12_000}|\n{'|-' * 12_000}|\n{fill('|' + chr(10), half)}",
    )
    yield "a million cells", f"{'|a' * 1000}|\n{'|-' * 1000}|\n" + f"{'|a' * 1000}|\n" * 1000
    yield "narrow tables", fill("|a|\n|-|\n|b|\n\n")
    yield "headings alike", "## a\n" * 50_000
    yield "headings almost alike", fill_numbered("## a-{}\n## a\n")
    yield "formulas", fill_numbered("$a_{{{}}}$ ")
    yield "a long title", f'[a](/b "{fill("c", half)}")'
    yield "parentheses", f"[a]({fill('(', half)}{fill(')', half)})"
    yield "a long word like a mark", f"{fill('[a](b) ', half)}z{fill('q', half)}"
    yield "many words like marks", f"{fill('[a](b) ', half)}{fill_numbered('zq{}q ', half)}"
    yield "places where no target is", fill("[a](*b* ", half) + fill("](_c_ ", half)


FORMULAS: Mapping[str, Callable[[int], str]] = {
    "groups": lambda n: "{" * n + "a" + "}" * n,
    "open groups": lambda n: "{" * n,
    "roots": lambda n: r"\sqrt{" * n + "a" + "}" * n,
    "bare roots": lambda n: r"\sqrt" * n + " a",
    "indices of roots": lambda n: r"\sqrt[" * n + "a" + "]" * n,
    "accents": lambda n: r"\hat" * n + " a",
    "accents of groups": lambda n: r"\hat{" * n + "a" + "}" * n,
    "fractions": lambda n: r"\frac" * n + " a" * (n + 1),
    "denominators": lambda n: r"\frac a " * n + "b",
    "fractions of groups": lambda n: r"\frac{a}{" * n + "b" + "}" * n,
    "infix fractions": lambda n: r"{a\over " * n + "b" + "}" * n,
    "binomials": lambda n: r"\binom" * n + " a" * (n + 1),
    "superscripts": lambda n: "a^{" * n + "b" + "}" * n,
    "subscripts": lambda n: "a_{" * n + "b" + "}" * n,
    "bare scripts": lambda n: "a^" * n + "b",
    "brackets": lambda n: r"\left(" * n + "a" + r"\right)" * n,
    "open brackets": lambda n: r"\left." * n,
    "environments": lambda n: r"\begin{matrix}" * n + "a" + r"\end{matrix}" * n,
    "open environments": lambda n: r"\begin{cases}" * n,
    "styles": lambda n: r"\displaystyle " * n + "a",
    "alphabets": lambda n: r"\mathbf" * n + " a",
    "alphabets of groups": lambda n: r"\mathrm{" * n + "a" + "}" * n,
    "old alphabets": lambda n: r"{\bf " * n + "a" + "}" * n,
    "colours": lambda n: r"\color{red}" * n + "a",
    "negations": lambda n: r"\not" * n + " a",
    "stacks": lambda n: r"\overset" * n + " a" * (n + 1),
    "braces below": lambda n: r"\underbrace{" * n + "a" + "}" * n,
    "arrows": lambda n: r"\xrightarrow" * n + " a",
    "operators": lambda n: r"\mathop{" * n + "a" + "}" * n,
    "limits of sums": lambda n: r"\sum\limits" * n,
    "moduli": lambda n: r"\pmod" * n + " a",
    "texts": lambda n: r"\text{" * n + "a" + "}" * n,
    "bars": lambda n: r"\middle|" * n,
    "primes": lambda n: "a" + "'" * n,
    "cells": lambda n: r"\begin{matrix}" + "a&" * n + r"\end{matrix}",
    "rows": lambda n: r"\begin{matrix}" + r"a\\" * n + r"\end{matrix}",
    "signs": lambda n: "-" * n,
    "backslashes": lambda n: "\\" * n,
    "a definition of itself": lambda n: r"\newcommand{\x}{\x\x}\x",
    "a definition of roots": lambda n: (
        r"\newcommand{\x}{" + r"\sqrt" * 200 + r"}" + r"\x" * 90 + " a"
    ),
    "a global definition": lambda n: r"\gdef\x{" + r"\sqrt" * 200 + r"}" + r"\x" * 90 + " a",
}
"""Nested formulas by depth."""


def formulas() -> Iterator[Text]:
    """Yield each construct at the allowed depth, at the allowed length, and far too deep."""
    for name, make in FORMULAS.items():
        for depth in (limits.FORMULA_SIGNS.maximum // 2, limits.FORMULA_SIGNS.maximum, 2000, DEEP):
            yield f"{name} {depth} deep", f"${make(depth)}$"
        yield f"displayed {name}", f"$$\n{make(limits.FORMULA_SIGNS.maximum)}\n$$"


CODE = [
    *('"', "'", "{", "/", "&", " \n", "\n", "s{", '"\\', "'\\", "a<", "a ", "a\n", "a.", "?a"),
]
"""Texts of code that are slow for some lexer; each fills a block, also after an opening."""

OPENINGS = ('"', "{")
AFTER = ("a", "\n")


def code_of(language: str) -> Iterator[Text]:
    units = [("", unit) for unit in CODE]
    units += [(opening, unit) for opening in OPENINGS for unit in AFTER]
    for opening, unit in units:
        yield f"{language} {opening}…{unit!r}", opening + fill(unit, BLOCK - len(opening))


def code() -> Iterator[Text]:
    """Yield texts with one block of a language, and texts full of blocks."""
    from catalogue.markdown.highlighting import LEXER_NAMES

    for language in sorted(LEXER_NAMES):
        for name, source in code_of(language):
            yield name, f"````{language}\n{source}\n````"
    for language, unit in (("java", "\n"), ("perl", "s{"), ("markdown", "\n"), ("go", '"\\')):
        blocks = f"````{language}\n{fill(unit, BLOCK)}\n````\n\n" * 16
        yield f"64 kB of {language}", blocks
        yield f"a block of 64 kB of {language}", f"````{language}\n{fill(unit, 64_000)}\n````"


def svg(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'


def icons() -> Iterator[Text]:
    yield "deep", svg("<g>" * DEEP + "</g>" * DEEP)
    yield "deep and short", svg("<g>" * 2000 + "</g>" * 2000)
    yield "elements", svg("<g/>" * 4000)
    yield "many elements", svg("<path/>" * DEEP)
    yield "attributes", svg("<g " + fill_numbered('a{0}="b" ', 18_000) + "/>")
    yield "a long path", svg(f'<path d="{"M0 0" * 4000}"/>')
    yield "entities", svg("&amp;" * 3000)
    yield "open", svg("<g>" * 3000)


def use_text(text: str) -> None:
    """Validate a Markdown text, and render it for a page and a mirror."""
    from django.core.exceptions import ValidationError

    from catalogue.markdown import LimitExceeded, to_html, with_absolute_links
    from catalogue.markdown_rules import validate_markdown
    from catalogue.reading_time import read_minutes
    from site_mirror.documents.escaping import escape_markdown
    from site_mirror.pages.markdown import close_fence

    with suppress(ValidationError):
        validate_markdown(text)
    to_html(text, prefix="text_")
    with suppress(LimitExceeded):
        with_absolute_links(text, "https://studio.example/blog/a")
    read_minutes(text)
    escape_markdown(text)
    close_fence(text)


def use_icon(source: str) -> None:
    from django.core.exceptions import ValidationError

    from catalogue.models import App

    with suppress(ValidationError):
        App._meta.get_field("icon_svg").run_validators(source)


GROUPS: Mapping[str, tuple[Callable[[], Iterator[Text]], Callable[[str], None]]] = {
    "markdown": (markdown, use_text),
    "formulas": (formulas, use_text),
    "code": (code, use_text),
    "icons": (icons, use_icon),
}


def print_json(value: object) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


def main(group: str) -> None:
    texts, use = GROUPS[group]
    for name, text in texts():
        print_json({"name": name})
        begun = time.thread_time()
        use(text)
        print_json([time.thread_time() - begun, read_peak_memory()])


def read_peak_memory() -> int:
    """Return the peak memory of this process in kilobytes.

    `getrusage` would also count the process that started this one, which it was until `exec`.
    """
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)[1])  # type: ignore[index]


if __name__ == "__main__":
    import django

    from tests import environment  # noqa: F401 - the settings of tests

    django.setup()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    threading.stack_size(STACK_BYTES)
    thread = threading.Thread(target=main, args=sys.argv[1:])
    thread.start()
    thread.join()
