"""Texts that take a renderer much time, memory or stack, and a process that renders them.

`python -m tests.catalogue.hostile_texts` renders each text on a thread with half the stack of a
thread of the server and with little memory, and prints its name before and its processor time
after. A crash ends this process and not the test run; its cause is the last name.
"""

import json
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from catalogue.texts import limits

STACK_BYTES = 1 << 20
"""Bytes; threads of the server have 2 MiB, which is what Rust gives to a thread."""

MEMORY_BYTES = 1 << 30
"""Bytes of address space of the process, its libraries included."""

LENGTH = limits.MARKDOWN_LENGTH
BLOCK = limits.CODE_LENGTH - 1  # a block ends with a line end

Text = tuple[str, str]
"""A name and a text."""

REPEATED = [
    *("> ", "- ", "1. ", "- > ", "> - ", "* * ", "*a ", "**a ", "~~a ", "*a **a ", "a* ", "***"),
    *("`", "[", "![", "[a](", "![](", "[a]: ", "[^a]: ", "[^a]", "[a][", "![[](", "(", "<", "<a "),
    *("<!--", "<http:", "<a@", "&amp;", "&", "&#0;", "\\", "\0", "\t", "\n", "  \n", "$", "$a$ "),
    *("$$a$$ ", "\\$", "# a\n", "## a\n", "a\n===\n", "|", "|a|\n|-|\n\n", "a|b\n", "```\n"),
    *("```a\n", "    a\n", "a\n\n", "[a](/b)", "[a](b) ", "[a]: /b\n", "đ", "日", "- a\n", "> a\n"),
]
"""Texts that are repeated up to the maximum length."""


def fill(unit: str, length: int = LENGTH) -> str:
    """Repeat a text as often as it fits."""
    return unit * (length // len(unit))


def fill_numbered(template: str, length: int = LENGTH) -> str:
    """Repeat a template with a number in it as often as it fits."""
    return "".join(template.format(number) for number in range(length // (len(template) + 4)))


def list_markdown() -> Iterator[Text]:
    half = LENGTH // 2
    yield from ((repr(unit), fill(unit)) for unit in REPEATED)
    yield "closed emphasis", fill("*a ", half) + fill("b* ", half)
    yield "closed links", fill("[", half) + "a" + fill("](/b)", half)
    yield "lists in lists", "\n".join("  " * depth + "- a" for depth in range(int(LENGTH**0.5)))
    yield "quotes and lazy lines", fill(">", half) + "a\n" + fill("a\n", half)
    yield "footnotes", fill_numbered("[^{}]", half) + "\n\n" + fill_numbered("[^{}]: a\n", half)
    yield "footnotes in footnotes", "[^0]\n\n" + fill_numbered("[^{0}]: [^{0}1]\n")
    yield "a long definition", f"[a]: /{fill('b', half)}\n\n{fill('[a] ', half)}"
    yield "backticks", "".join("`" * count + "a" for count in range(1, int((2 * LENGTH) ** 0.5)))
    yield "short rows", f"{'|a' * 12_000}|\n{'|-' * 12_000}|\n{fill('|' + chr(10), half)}"
    yield "headings almost alike", fill_numbered("## a-{}\n## a\n")
    yield "formulas", fill_numbered("$a_{{{}}}$ ")


FORMULAS: Mapping[str, Callable[[int], str]] = {
    "groups": lambda n: "{" * n + "a" + "}" * n,
    "roots": lambda n: r"\sqrt" * n + " a",
    "indices of roots": lambda n: r"\sqrt[" * n + "a" + "]" * n,
    "accents": lambda n: r"\hat" * n + " a",
    "denominators": lambda n: r"\frac a " * n + "b",
    "infix fractions": lambda n: r"{a\over " * n + "b" + "}" * n,
    "superscripts": lambda n: "a^{" * n + "b" + "}" * n,
    "bare scripts": lambda n: "a^" * n + "b",
    "brackets": lambda n: r"\left(" * n + "a" + r"\right)" * n,
    "environments": lambda n: r"\begin{matrix}" * n + "a" + r"\end{matrix}" * n,
    "styles": lambda n: r"\displaystyle " * n + "a",
    "alphabets": lambda n: r"\mathbf" * n + " a",
    "negations": lambda n: r"\not" * n + " a",
    "texts": lambda n: r"\text{" * n + "a" + "}" * n,
    "primes": lambda n: "a" + "'" * n,
    "rows": lambda n: r"\begin{matrix}" + r"a\\" * n + r"\end{matrix}",
    "a global definition": lambda n: r"\gdef\x{" + r"\sqrt" * 200 + r"}" + r"\x" * n + " a",
}
"""Nested formulas by depth."""


def list_formulas() -> Iterator[Text]:
    """Yield each construct at the allowed depth, at the allowed length, and far too deep."""
    for name, make in FORMULAS.items():
        for depth in (limits.FORMULA_SIGNS // 2, limits.FORMULA_SIGNS, 2000, 100_000):
            yield f"{name} {depth} deep", f"${make(depth)}$"


def list_code() -> Iterator[Text]:
    """Yield a block of each language for each text that is slow for some lexer."""
    from catalogue.texts.markdown.highlighting import LEXER_NAMES

    for language in sorted(LEXER_NAMES):
        for unit in ('"', "{", "/", "&", "\n", "s{", '"\\', "a<", "a ", "a."):
            yield f"{language} {unit!r}", f"````{language}\n{fill(unit, BLOCK)}\n````"


def use_text(text: str) -> None:
    """Validate a Markdown text, and render it for a page and a mirror."""
    from django.core.exceptions import ValidationError

    from catalogue.texts.markdown import to_html, with_absolute_links
    from catalogue.texts.markdown_rules import validate_markdown
    from catalogue.texts.reading_time import read_minutes
    from site_mirror.documents.escaping import escape_markdown

    with suppress(ValidationError):
        validate_markdown(text)
    to_html(text, prefix="text_")
    with_absolute_links(text, "https://studio.example/blog/a")
    read_minutes(text)
    escape_markdown(text)


def main() -> None:
    for name, text in (*list_markdown(), *list_formulas(), *list_code()):
        print_json(name)
        begun = time.thread_time()
        use_text(text)
        print_json(time.thread_time() - begun)


def print_json(value: object) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    import django

    from tests import environment  # noqa: F401 - the settings of tests

    django.setup()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    threading.stack_size(STACK_BYTES)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
