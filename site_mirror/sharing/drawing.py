"""Draw the picture of a page: its title beside the plumb line, on which an icon or the bob hangs.

A picture has few colours, each in shades of the ground: so it is drawn fast, and its file is small.
"""

import re
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from unicodedata import category

from msgspec import Struct
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont
from resvg_py import svg_to_bytes

from site_mirror.documents.assets import ASSET_FOLDER

WIDTH, HEIGHT = 1200, 630
LINE, TEXT, TEXT_WIDTH, TEXT_HEIGHT, GAP = 220, 340, 790, 490, 12
HANGS_AT, HANGING, TICK = 424, 156, 28
"""Where the icon or the bob hangs, its height, and the length of a tick."""
GROUND, INK, MUTED, STRING = "#f8f4ec", "#1f1b16", "#574f45", "#9c8c73"
SHADES, ICON_COLOURS = 12, 96
BOB = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 40 40">'
    '<path fill="#c98a1b" d="M9 0h6v5l9 7-12 28L0 12l9-7z"/>'
    '<path fill="#a26a0c" d="M12 0h3v5l9 7-12 28z"/></svg>'
)
FILES = ("{}-latin.woff2", "{}-vietnamese.woff2", "{}-latin-ext.woff2", "stix-two-math.woff2")
"""The files of a face, and one with Greek letters and other signs."""
NO_CHARACTER = "\U0010ffff"
"""A character that no font has; each font has one sign for all that it lacks."""
MEASURED_SIZE = 100
WORD = re.compile("[^ \t\n]{1,20}")
"""A word; a longer one is divided among lines."""
SCALES = [1.25 * 0.93**step for step in range(30)]


class Card(Struct, frozen=True):
    """What a picture shows: the kind of a page, its title, a line, and the source of an icon."""

    kind: str
    title: str
    line: str = ""
    icon: str = ""


class Style(Struct, frozen=True):
    """The style of a text, with its sizes in pixels, and its leading and tracking in ems."""

    face: str
    colour: str
    size: float
    most: float
    least: float
    leading: float
    tracking: float


KIND = Style("be-vietnam-pro", MUTED, 27, 27, 27, 1.7, 0.01)
TITLE = Style("newsreader-display", INK, 112, 140, 0, 1.06, -0.02)
BELOW = Style("newsreader-text", MUTED, 40, 40, 30, 1.35, 0)


class Row(Struct, frozen=True):
    """A line of a text."""

    style: Style
    size: float
    words: str

    @property
    def height(self) -> float:
        return self.size * self.style.leading


def draw_card(card: Card) -> bytes | None:
    """Return a picture as PNG, or `None` if no font has one of its characters."""
    texts = {KIND: seen(card.kind), TITLE: seen(card.title), BELOW: seen(card.line)}
    if not all(find_font(style.face, each) for style, text in texts.items() for each in text):
        return None
    layers = {colour: Image.new("L", (WIDTH, HEIGHT)) for colour in (INK, MUTED, STRING)}
    pens = {colour: ImageDraw.Draw(layer) for colour, layer in layers.items()}
    pens[STRING].rectangle((LINE - 1, 0, LINE, HANGS_AT), fill=255)
    rows = arrange(texts)
    top = (HEIGHT - height_of(rows)) / 2
    for style, lines in groupby(rows, key=lambda row: row.style):
        for row in lines:
            middle, top = round(top + row.height / 2), top + row.height
            write(pens[style.colour], row, middle)
            if style is not BELOW and middle < HANGS_AT - TICK:
                pens[STRING].rectangle((LINE, middle - 1, LINE + TICK, middle), fill=255)
        top += GAP
    return encode(layers, card.icon)


def arrange(texts: dict[Style, str]) -> list[Row]:
    """Return the lines of all texts in the largest size in which they have room."""
    for scale in SCALES:
        rows = []
        for style, text in texts.items():
            size = min(max(style.size * scale, style.least), style.most)
            rows += [Row(style, size, line) for line in divide(style, text, TEXT_WIDTH / size)]
        fits = all(measure(row.style, row.words) * row.size <= TEXT_WIDTH for row in rows)
        is_large = scale > 1 and sum(row.style is TITLE for row in rows) > 1
        if fits and height_of(rows) <= TEXT_HEIGHT and not is_large:
            break
    return rows


def height_of(rows: list[Row]) -> float:
    return sum(row.height for row in rows) + GAP * (len({row.style for row in rows}) - 1)


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
            line = " ".join(words[start:end])
            found.append((count + 1, squares + width**2, [line, *lines]))
        best.append(min(found))
    return best[-1][2]


def seen(text: str) -> str:
    """Return a text without characters that are never seen, such as marks of direction."""
    return "".join(each for each in text if category(each) != "Cf")


def write(pen: ImageDraw.ImageDraw, row: Row, middle: float) -> None:
    """Write a line whose small letters have their middle at a height."""
    left, baseline = float(TEXT), middle + row.size * 0.22
    for character, following in zip(row.words, f"{row.words[1:]} ", strict=True):
        font = load_font(find_font(row.style.face, character), row.size)
        pen.text((left, baseline), character, fill=255, font=font, anchor="ls")
        left += row.size * (advance(row.style.face, character, following) + row.style.tracking)


def measure(style: Style, text: str) -> float:
    """Return the width of a text in ems."""
    pairs = zip(text, f"{text[1:]} ", strict=True)
    return sum(advance(style.face, *pair) + style.tracking for pair in pairs)


@lru_cache(maxsize=1 << 14)
def advance(face: str, character: str, following: str) -> float:
    """Return the ems from a character to the next one, with the kerning of the pair."""
    name = find_font(face, character)
    font = load_font(name, MEASURED_SIZE)
    if name != find_font(face, following):
        return font.getlength(character) / MEASURED_SIZE
    return (font.getlength(character + following) - font.getlength(following)) / MEASURED_SIZE


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
    """Return the colours and the shape of an icon, or of the bob if it cannot be drawn."""
    try:
        drawn = svg_to_bytes(svg_string=icon or BOB, height=HANGING, skip_system_fonts=True)
    except ValueError:
        return read_icon("")
    shape = Image.open(BytesIO(drawn)).convert("RGBA")
    flat = Image.new("RGB", shape.size, GROUND)
    flat.paste(shape, mask=shape)
    colours = flat.quantize(ICON_COLOURS, dither=Image.Dither.NONE)
    return colours, shape.getchannel("A").point(lambda alpha: 255 * (alpha > 0))


def encode(layers: dict[str, Image.Image], icon: str) -> bytes:
    """Return layers, each of one colour, and the icon that hangs from the line, as one PNG."""
    picture, ground = Image.new("L", (WIDTH, HEIGHT)), ImageColor.getrgb(GROUND)
    palette = [*ground]
    for number, (colour, layer) in enumerate(layers.items()):
        places = [number * SHADES + -(-grey * SHADES // 255) for grey in range(256)]
        picture = ImageChops.lighter(picture, layer.point([0, *places[1:]]))
        for shade in range(1, SHADES + 1):
            pairs = zip(ground, ImageColor.getrgb(colour), strict=True)
            palette += [a + (b - a) * shade // SHADES for a, b in pairs]
    colours, shape = read_icon(icon)
    places = [min(len(palette) // 3 + place, 255) for place in range(256)]
    hanging = Image.frombytes("L", colours.size, colours.tobytes()).point(places)
    picture.paste(hanging, (LINE - colours.width // 2, HANGS_AT), shape)
    picture = Image.frombytes("P", picture.size, picture.tobytes())
    picture.putpalette(palette + (colours.getpalette() or []))
    file = BytesIO()
    picture.save(file, "PNG", compress_level=6)
    return file.getvalue()
