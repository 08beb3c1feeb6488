"""The admin and the gates of a freeze agree on links in texts."""

from itertools import cycle, product
from pathlib import Path

from catalogue.models import Post, Studio
from site_mirror.desk.links import Checker
from tests import factories
from tests.gates.broken_families import ROOT, run_freeze, run_refused_freeze

ADDRESSES = [
    *("/", "/vi", "/apps", "/about", "/vi/about", "/science", "/timeline.md", "/llms.txt"),
    *("/apps/wheria", "/vi/apps/wheria", "/apps/wheria.md", "/icons/wheria.svg", "/apps/nope"),
    *("/blog/tags/acoustics", "/blog/tags/nope", "/blog/years/2025", "/blog/years/1999"),
    *("/api/v1", "/api/v1/", "/api/v1/apps", "/api/v1/apps.json", "/api/v1/apps/wheria"),
    *("/api/v1/apps/nope", "/api/v2/", "/openapi.json", "/blog/feed.xml", "/assets/nope.css"),
    *("/vi/nope", "/apps/", "/Apps", "/blog/why-our-apps-have-no-accounts", "/admin/"),
    *("/vi/blog/x", "#a-place", "#nope", ""),
]
PLACES = ["", "#top", "#nope", "#team_", "#acoustics", "#a-place", "?x=1", "?x=1#nope"]
OUTSIDE = [
    *("https://elsewhere.example/nope", "mailto:a@mail.example", "http://localhost:8000/apps"),
    *("https://staging.studio.example/apps", "https:/apps/nope", "https:nope"),
    *("https:///nope", f"{ROOT}\\nope", "https://elsewhere..example/"),
    "https://âm-thanh.example/",
]
FORMS = [
    "[text]({0})",
    "[text](<{0}>)",
    '[text]({0} "title")',
    "![words]({0})",
    "[text][ref]\n\n[ref]: {0}",
    "- item [a]({0})\n  > quoted [b]({0})",
    "| a |\n| - |\n| [t]({0}) |",
    "Note[^n]\n\n[^n]: See [it]({0}).",
    "**[bold]({0})** and [![image]({0})](/about)",
    "`[code]({0})` and\n\n```md\n[x]({0})\n```",
    '\\[no link]({0}) and `<a href="{0}">`',
]
VALID = (
    "See [it](/blog/breathing-at-six-per-minute?from=here), [data](/api/v1/apps.json), "
    "[the index](/api/v1), [a place](/docs/problems#rate-limit-exceeded), [the top](#top), "
    "[elsewhere](https://elsewhere.example/nowhere) and [mail](mailto:a@mail.example).\n\n"
    "```sh\ncurl http://localhost:8000/nowhere\n```\nor `http://127.0.0.1/`, [a](tel:1)"
)
PLAIN = [
    *(f"{ROOT}/about", f"{ROOT}/nope", "HTTP://localhost/x", "Http://localhost:3000"),
    *(ROOT.replace("https", "HTTPS"), f"{ROOT.upper()}/about", "https://elsewhere.example/nope"),
    *("ws://[x", "foo://[bar]/", "://x", "https://ex,ample.com/", "https:/x", f"{ROOT}/about#nope"),
    *(f"{ROOT}/about#:~:text=a", "HTTPS://WWW.elsewhere.example"),
]
SENTENCES = [
    *("{}", "{}.", "{}!", "{}:", "{}…", "“{}”", "({})", "<{}>", "See {}.", "{}, and more", "{}?"),
    *("{}\n{}.", "a{}", "{}\t"),
]


def keep_accepted(posts: list[Post]) -> None:
    """Delete posts that the admin refuses: some of them, and not all."""
    checker = Checker()
    dead = [post.pk for post in posts if checker.dead_of(post)]
    Post.objects.filter(pk__in=dead).delete()

    assert 0 < len(dead) < len(posts)


def write_post(slug: str, body: str) -> Post:
    return factories.make_post(slug=slug, body_en=f"## A place\n\n{body}")


def test_a_text_that_the_admin_accepts_is_frozen(site: Path) -> None:
    """Addresses in forms of Markdown, and every plain address in every sentence."""
    assert Checker().dead_of(write_post("valid", VALID)) == []
    inside = [f"{address}{place}" for address, place in product(ADDRESSES, PLACES)]
    links = [*inside, *(f"{ROOT}{address}" for address in ADDRESSES), *OUTSIDE * len(FORMS)]
    bodies = [form.format(link) for form, link in zip(cycle(FORMS), links)]
    keep_accepted([write_post(f"linking-{number}", body) for number, body in enumerate(bodies)])

    texts = [sentence.format(link, link).strip() for link, sentence in product(PLAIN, SENTENCES)]
    lines = [" ".join(text.split()) for text in texts]
    for field, shown in {"title_en": lines, "excerpt_en": texts}.items():
        prefix = f"plain-{field.partition('_')[0]}"
        keep_accepted(
            [
                factories.make_post(slug=f"{prefix}-{number}", **{field: text})
                for number, text in enumerate(shown)
            ]
        )
    studio, checker, kept = Studio.objects.get(), Checker(), list[str]()
    for line in lines:
        studio.thanks = line
        kept += [] if checker.dead_of(studio) else [line]
    studio.thanks = "\n".join(kept)
    studio.save()

    assert 0 < len(kept) < len(lines)
    run_freeze(site)


REFUSED = [
    *("/apps/nope", "/about#nope", "/apps/", "/api/v2/", "nope", "#nope", f"{ROOT}/nope"),
    *("http://localhost/", "https:/apps", "https:nope", "https:///apps", f"{ROOT}\\apps"),
    "/vi/blog/refused-0",
]


def test_a_link_that_the_admin_refuses_is_refused_by_a_freeze(site: Path) -> None:
    posts = [write_post(f"refused-{at}", f"[x]({link})") for at, link in enumerate(REFUSED)]
    checker = Checker()

    assert [len(checker.dead_of(post)) for post in posts] == [1] * len(REFUSED)
    refused = run_refused_freeze(site)
    words = {*refused.failures("links"), *refused.failures("hosts")}
    assert {each.partition(" ")[0] for each in words} >= {f"/blog/{post.slug}" for post in posts}
    assert refused.failed <= {"links", "hosts"}
