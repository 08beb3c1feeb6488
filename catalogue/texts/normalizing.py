r"""The form in which texts are stored: NFC, `\n` line ends, nothing unseen that hides Markdown."""

import re
import unicodedata

_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Controls, the zero-width space and joiner, the byte order mark, and noncharacters: none of them is
# a part of a word, and each hides a heading or a list from a program that finds it in front of one.
_NEVER_KEPT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff]"
)
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
# Joiners of scripts and emoji, soft hyphens, marks of direction, variation selectors, fillers.
_JOINERS = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u200c-\u200f\u3164"
    "\ufe00-\ufe0f\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_LINE_START = re.compile(rf"^[ \t]*[{_SPACES}{_JOINERS}][ \t{_SPACES}{_JOINERS}]*", re.MULTILINE)
_UNSEEN_AT_START = re.compile(f"[{_SPACES}{_JOINERS}]")
# A Mac types a no-break space after `#` if the key for it is still held.
_AFTER_MARKER = re.compile(
    rf"^([ \t>]*(?:#{{1,6}}|[-+*]|[0-9]{{1,9}}[.)]))[{_SPACES}]+", re.MULTILINE
)
# They are kept behind a letter or an emoji, and in a keycap such as 1️⃣.
_JOINER_OF_NOTHING = re.compile(
    rf"(?<![A-Za-z\xa9\xae\xc0-\u167f\u1681-\u1fff\u200c-\u202e\u2030-\u205e\u2060-\u2fff"
    rf"\u3001-\U0010ffff])[{_JOINERS}]+(?!\u20e3)"
)


def normalize_text(text: str) -> str:
    r"""Return a text in NFC with `\n` line ends, without those around it and unseen characters."""
    lines = _NEVER_KEPT.sub("", _LINE_END.sub("\n", unicodedata.normalize("NFC", text)))
    if not lines.isascii():
        lines = _LINE_START.sub(lambda start: _UNSEEN_AT_START.sub("", start[0]), lines)
        lines = _AFTER_MARKER.sub(r"\1 ", lines)
        lines = unicodedata.normalize("NFC", _JOINER_OF_NOTHING.sub("", lines))
    return lines.rstrip().lstrip("\n")
