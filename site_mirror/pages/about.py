"""The page about the studio: its people, its principles and its facts."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec import Struct

from catalogue.models import Page as Row
from catalogue.models import Principle, Studio, TeamMember
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.pages.blocks import Block, Facts, Inline, Link, Paragraphs, Section
from site_mirror.pages.frame import Frame
from site_mirror.pages.page import PageContent
from site_mirror.pages.standing import compose_standing
from site_mirror.pages.texts import localized_text, translated_text

LANGUAGES = {ENGLISH: gettext_noop("English"), VIETNAMESE: gettext_noop("Vietnamese")}


class About(Struct, frozen=True):
    """The subject of the page about the studio."""

    page: Row
    studio: Studio | None
    team: Sequence[TeamMember]
    principles: Sequence[Principle]


def compose_page(frame: Frame, subject: About) -> PageContent:
    below = list(compose_blocks(frame, subject))
    return compose_standing(frame, subject.page, below, style="about", studio=subject.studio)


def compose_blocks(frame: Frame, subject: About) -> Iterator[Block]:
    if subject.team:
        people = [person_section(frame, member) for member in subject.team]
        yield Section("team_", _("Who we are"), people, "team")
    if subject.principles:
        rules = [principle_section(frame, row) for row in subject.principles]
        yield Section("principles_", _("Our principles"), rules, "principles")
    if subject.studio:
        yield Section("facts_", _("At a glance"), [studio_facts(frame, subject.studio)])


def person_section(frame: Frame, row: TeamMember) -> Section:
    texts = [Paragraphs(text) for text in [localized_text(frame, row, "description")] if text]
    role = Facts({_("Role"): [localized_text(frame, row, "role")]})
    return Section(f"person_{row.handle}", str(row), [role, *texts], "person")


def principle_section(frame: Frame, row: Principle) -> Section:
    statement = Paragraphs(localized_text(frame, row, "statement"))
    return Section(row.slug, localized_text(frame, row, "title"), [statement], "principle")


def studio_facts(frame: Frame, studio: Studio) -> Facts:
    country = translated_text(frame, studio.country_name, "country", studio.country)
    values: dict[str, list[Inline]] = {
        _("Name"): [studio.name],
        _("Founded"): [studio.founded],
        _("Country"): [country],
        _("E-mail"): [Link(studio.email, f"mailto:{studio.email}")],
        _("Code"): [Link("GitHub", studio.github)] if studio.github else [],
        _("Languages"): [", ".join(_(LANGUAGES.get(code, code)) for code in studio.languages)],
    }
    return Facts({label: value for label, value in values.items() if any(value)})
