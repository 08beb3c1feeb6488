"""Draw the picture of a page: its title beside the plumb line, on which an icon or the bob hangs.

A picture has few colours, each in shades of the ground: so it is drawn fast, and its file is small.
"""

import re
from functools import lru_cache
from io import BytesIO
from unicodedata import category

from msgspec import Struct
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont
from resvg_py import svg_to_bytes

from site_mirror.documents.assets import ASSET_FOLDER

SIZE = (1200, 630)
LINE, TEXT, TEXT_WIDTH, TEXT_HEIGHT = 220, 340, 790, 490
HANGS_AT, HANGING, TICK = 424, 156, 28
"""Where the icon or the bob hangs, its greatest width and height, and the length of a tick."""
GROUND, INK, MUTED, STRING = "#f8f4ec", "#1f1b16", "#574f45", "#9c8c73"
SHADES, ICON_COLOURS = 12, 96
BOB = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 40">'
    '<path fill="#c98a1b" d="M9 0h6v5l9 7-12 28L0 12l9-7z"/>'
    '<path fill="#a26a0c" d="M12 0h3v5l9 7-12 28z"/></svg>'
)
FILES = ("{}.woff2", "{}-latin-ext.woff2", "stix-two-math.woff2")
"""The files of a face, and one with Greek letters and other signs."""
NO_CHARACTER = "\U0010ffff"
"""A character that no font has; each font has one sign for all that it lacks."""
MEASURED_SIZE = 100
WORD = re.compile("[^ \t\n]{1,20}")
"""A word; a longer one is divided among lines."""
SCALES = [0.93**step for step in range(32)]
MAX_SIZE_OF_LINES = 112
"""The size of a title that has more than one line."""


class Card(Struct, frozen=True):
    """The texts of a picture, from top to bottom, and an icon in SVG that hangs from the line."""

    kind: str
    title: str
    line: str = ""
    icon: str = ""


class Style(Struct, frozen=True):
    """The style of a text: its sizes and the space above are in pixels, the others in ems."""

    face: str
    colour: str
    size: float
    least: float
    above: float
    leading: float
    tracking: float


KIND = Style("be-vietnam-pro", MUTED, 27, 27, 0, 1.7, 0.01)
TITLE = Style("newsreader-display", INK, 140, 0, 34, 1.06, -0.02)
BELOW = Style("newsreader-text", MUTED, 44, 30, 12, 1.35, 0)


class Row(Struct, frozen=True):
    """A line of a text, whose small letters have their middle at a distance from the first row."""

    style: Style
    size: float
    words: str
    middle: float


def draw_card(card: Card) -> bytes | None:
    """Return a picture as PNG, or `None` if no font has one of its characters."""
    texts = {KIND: card.kind, TITLE: card.title, BELOW: card.line}
    for style, text in texts.items():
        # Without characters that are never seen, such as soft hyphens.
        texts[style] = "".join(each for each in text if category(each) != "Cf")
        if not all(find_font(style.face, each) for each in texts[style]):
            return None
    layers = {colour: Image.new("L", SIZE) for colour in (INK, MUTED, STRING)}
    pens = {colour: ImageDraw.Draw(layer) for colour, layer in layers.items()}
    pens[STRING].rectangle((LINE - 1, 0, LINE, HANGS_AT), fill=255)
    rows, height = arrange(texts)
    for row in rows:
        middle = round((SIZE[1] - height) / 2 + row.middle)
        write(pens[row.style.colour], row, middle)
        if row.style is not BELOW and middle < HANGS_AT - TICK:
            pens[STRING].rectangle((LINE, middle - 1, LINE + TICK, middle), fill=255)
    return encode(layers, card.icon)


def arrange(texts: dict[Style, str]) -> tuple[list[Row], float]:
    """Return the lines of texts in the largest size in which they have room, and their height."""
    for scale in SCALES:
        rows, height, fits = list[Row](), 0.0, True
        for style, text in texts.items():
            size = max(style.size * scale, style.least)
            lines = divide(style, text, TEXT_WIDTH / size)
            fits &= style is not TITLE or size <= MAX_SIZE_OF_LINES or len(lines) == 1
            height += style.above if lines else 0
            for line in lines:
                rows.append(Row(style, size, line, height + size * style.leading / 2))
                height += size * style.leading
                fits &= measure(style, line) * size <= TEXT_WIDTH
        if fits and height <= TEXT_HEIGHT:
            break
    return rows, height


def divide(style: Style, text: str, limit: float) -> list[str]:
    """Return as few lines as a limit in ems allows, of about one length."""
    words, space = WORD.findall(text), measure(style, " ")
    widths = [measure(style, word) + space for word in words]
    best: list[tuple[int, float, list[str]]] = [(0, 0, [])]
    for start in reversed(range(len(words))):
        found, width = list[tuple[int, float, list[str]]](), -space
        for end in range(start + 1, len(words) + 1):
            width += widths[end - 1]
            if width > limit and found:
                break
            count, squares, lines = best[len(words) - end]
            found.append((count + 1, squares + width**2, [" ".join(words[start:end]), *lines]))
        best.append(min(found))
    return best[-1][2]


def write(pen: ImageDraw.ImageDraw, row: Row, middle: float) -> None:
    left, baseline = float(TEXT), middle + row.size * 0.22
    for character, following in zip(row.words, f"{row.words[1:]} ", strict=True):
        font = load_font(find_font(row.style.face, character), row.size)
        pen.text((left, baseline), character, fill=255, font=font, anchor="ls")
        left += row.size * advance(row.style, character, following)


def measure(style: Style, text: str) -> float:
    """Return the width of a text in ems."""
    return sum(advance(style, *pair) for pair in zip(text, f"{text[1:]} ", strict=True))


@lru_cache(maxsize=1 << 14)
def advance(style: Style, character: str, following: str) -> float:
    """Return the ems from a character to the next one, with the kerning of the pair."""
    name = find_font(style.face, character)
    font = load_font(name, MEASURED_SIZE)
    length = font.getlength(character)
    if name == find_font(style.face, following):
        length = font.getlength(character + following) - font.getlength(following)
    return length / MEASURED_SIZE + style.tracking


@lru_cache(maxsize=1 << 12)
def find_font(face: str, character: str) -> str:
    """Return the file of a face that has a character, or nothing."""
    for name in (file.format(face) for file in FILES):
        # The other layout would put a letter together from its parts, with the marks beside it.
        font = load_font(name, MEASURED_SIZE, ImageFont.Layout.BASIC)
        found, missing = font.getmask(character), font.getmask(NO_CHARACTER)
        if character == " " or (found.size, bytes(found)) != (missing.size, bytes(missing)):
            return name
    return ""


@lru_cache(maxsize=128)
def load_font(
    name: str, size: float, layout: ImageFont.Layout | None = None
) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ASSET_FOLDER / name, size, layout_engine=layout)


@lru_cache(maxsize=32)
def read_icon(icon: str) -> tuple[Image.Image, Image.Image]:
    """Return the colours and the shape of an icon, or of the bob if it cannot be drawn.

    An icon with an image is not drawn, because the library would read any file that is named.
    """
    source = BOB if not icon or "image" in icon.lower() else icon
    try:
        file = svg_to_bytes(source, width=HANGING, height=HANGING, skip_system_fonts=True)
    except ValueError:
        return read_icon("")
    shape = Image.open(BytesIO(file)).convert("RGBA")
    flat = Image.new("RGB", shape.size, GROUND)
    flat.paste(shape, mask=shape)
    colours = flat.quantize(ICON_COLOURS, dither=Image.Dither.NONE)
    return colours, shape.getchannel("A").point(lambda alpha: 255 * (alpha > 0))


def encode(layers: dict[str, Image.Image], icon: str) -> bytes:
    """Return layers, each of one colour, and the icon that hangs from the line, as one PNG."""
    places, ground = Image.new("L", SIZE), ImageColor.getrgb(GROUND)
    palette = [*ground]
    for colour, layer in layers.items():
        first, full = len(palette) // 3 - 1, ImageColor.getrgb(colour)
        shades = [first + -(-grey * SHADES // 255) if grey else 0 for grey in range(256)]
        places = ImageChops.lighter(places, layer.point(shades))
        for shade in range(1, SHADES + 1):
            palette += [a + (b - a) * shade // SHADES for a, b in zip(ground, full, strict=True)]
    colours, shape = read_icon(icon)
    moved = [min(len(palette) // 3 + place, 255) for place in range(256)]
    hanging = Image.frombytes("L", colours.size, colours.tobytes()).point(moved)
    places.paste(hanging, (LINE - colours.width // 2, HANGS_AT), shape)
    picture, file = Image.frombytes("P", SIZE, places.tobytes()), BytesIO()
    picture.putpalette(palette + (colours.getpalette() or []))
    picture.save(file, "PNG")
    return file.getvalue()
