"""The serializers of `data` of each resource. Their docstrings are published descriptions.

An optional member without a value is left out. A required member that may be null (the three
store links) is always there.
"""

from rest_framework import serializers

from api.fields import (
    AddressField,
    ContractSerializer,
    FixedAddressField,
    LocalizedSerializer,
    MomentField,
    NumberField,
    StoreLinkField,
)
from catalogue import addresses, rules
from catalogue.models import (
    AppStatus,
    Category,
    Platform,
    StatisticId,
    Subject,
    VersionStatus,
)
from catalogue.models.countries import COUNTRY_CODES


class LocationSerializer(ContractSerializer):
    """Where the studio is."""

    country = serializers.ChoiceField(
        choices=sorted(COUNTRY_CODES),
        help_text="Code of the country in ISO 3166-1 alpha-2, such as `VN`.",
    )
    countryName = serializers.CharField(
        source="country_name", required=False, help_text="English name of the country."
    )


class StudioSerializer(ContractSerializer):
    """The studio itself: its name, its place, its addresses, and counts of what it publishes."""

    name = serializers.CharField(min_length=1, help_text="Name of the studio.")
    tagline = LocalizedSerializer(required=False, help_text="One line about the studio.")
    description = serializers.CharField(
        source="description_en", required=False, help_text="What the studio builds."
    )
    founded = serializers.RegexField(rules.YEAR, required=False, help_text="Year founded.")
    teamSize = serializers.IntegerField(
        source="team_size", required=False, min_value=0, help_text="Number of people."
    )
    location = LocationSerializer(required=False)
    email = serializers.EmailField(help_text="Contact address.")
    github = serializers.URLField(required=False, help_text="Organisation address.")
    website = FixedAddressField(addresses.HOME, help_text="Marketing site.")
    languages = serializers.ListField(
        child=serializers.RegexField(rules.LANGUAGE),
        required=False,
        help_text="Languages of the site and the apps.",
    )
    privacyPolicy = FixedAddressField(
        addresses.PRIVACY_POLICY, required=False, help_text="Privacy policy."
    )
    appCount = serializers.IntegerField(
        source="app_count", required=False, min_value=0, help_text="Number of published apps."
    )
    postCount = serializers.IntegerField(
        source="post_count", required=False, min_value=0, help_text="Number of published posts."
    )


class TeamMemberSerializer(ContractSerializer):
    """A person of the studio: a short name, a role and what belongs to it."""

    handle = serializers.RegexField(rules.SLUG, help_text="Short name, unique in the team.")
    role = LocalizedSerializer(help_text="Area of responsibility.")
    description = LocalizedSerializer(required=False, help_text="What belongs to the role.")


class AppLinksSerializer(ContractSerializer):
    """Addresses of the app. That of a store is `null` if the app is not there."""

    self = AddressField(addresses.app_document, source="slug", help_text="This resource.")
    web = AddressField(addresses.app_page, source="slug", help_text="Marketing page.")
    appStore = StoreLinkField(
        source="app_store", allow_null=True, help_text="The app in the App Store."
    )
    googlePlay = StoreLinkField(
        source="google_play", allow_null=True, help_text="The app on Google Play."
    )
    chromeWebStore = StoreLinkField(
        source="chrome_web_store", allow_null=True, help_text="The app in the Chrome Web Store."
    )


class AppSerializer(ContractSerializer):
    """A published app of the studio: its texts, its platforms, its status and its addresses."""

    id = serializers.RegexField(
        rules.SLUG, source="slug", help_text="Slug of the app, which is in its addresses."
    )
    name = serializers.CharField(min_length=1, help_text="Display name.")
    tagline = LocalizedSerializer(help_text="One-line positioning statement.")
    spec = LocalizedSerializer(
        required=False, help_text="Short technical summary of sensors and maths."
    )
    description = LocalizedSerializer(help_text="Full product description.")
    category = serializers.ChoiceField(
        choices=Category.choices, help_text="What the app is for, as stores group apps."
    )
    platforms = serializers.ListField(
        child=serializers.ChoiceField(choices=Platform.choices),
        min_length=1,
        help_text="Where the app runs; at least one.",
    )
    status = serializers.ChoiceField(
        choices=AppStatus.choices, help_text="Whether the app can be installed."
    )
    since = serializers.RegexField(rules.YEAR, required=False, help_text="Year first released.")
    updated = serializers.RegexField(
        rules.YEAR_MONTH,
        required=False,
        help_text="Year and month of the last release, as `YYYY-MM`.",
    )
    downloads = serializers.CharField(
        required=False,
        allow_null=True,
        help_text="Rounded public download count as displayed on the site.",
    )
    stack = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Notable frameworks and techniques.",
    )
    icon = AddressField(
        addresses.app_icon,
        source="icon_slug",
        required=False,
        help_text="Absolute URL of the icon.",
    )
    links = AppLinksSerializer(source="*")


class PostLinksSerializer(ContractSerializer):
    """Addresses of the post."""

    self = AddressField(addresses.post_document, source="slug", help_text="This resource.")
    html = AddressField(addresses.post_page, source="slug", help_text="The page.")
    markdown = AddressField(
        addresses.post_mirror, source="slug", help_text="The full text of the post."
    )


class PostSerializer(ContractSerializer):
    """An article of the blog without its text, which is at `links.markdown`."""

    slug = serializers.RegexField(
        rules.SLUG, help_text="Slug of the post, which is in its addresses."
    )
    title = LocalizedSerializer(help_text="Post title.")
    excerpt = LocalizedSerializer(help_text="Two-sentence summary.")
    date = serializers.DateField(help_text="Day of publication.")
    readMinutes = serializers.IntegerField(
        source="read_minutes", min_value=1, help_text="Estimated reading time in minutes."
    )
    tags = serializers.ListField(
        child=serializers.RegexField(rules.SLUG),
        source="tag_slugs",
        required=False,
        help_text="Slugs of the topics.",
    )
    links = PostLinksSerializer(source="*")


class StatisticSerializer(ContractSerializer):
    """A counter of the home page: a number, its unit, and both as the page shows them."""

    id = serializers.ChoiceField(
        choices=StatisticId.choices, source="slug", help_text="Which counter it is."
    )
    label = LocalizedSerializer(help_text="What is counted.")  # type: ignore[assignment]  # DRF has a `label` of its own
    value = NumberField(source="number", help_text="The number itself.")
    unit = serializers.CharField(required=False, help_text="Unit of the value.")
    display = serializers.CharField(source="shown", help_text="As shown on the home page.")


class FormulaSerializer(ContractSerializer):
    """A formula in two spellings."""

    text = serializers.CharField(source="formula_text", help_text="One line of Unicode.")
    latex = serializers.CharField(source="formula_latex", help_text="The same in LaTeX.")


class SymbolSerializer(ContractSerializer):
    """A symbol of a formula."""

    symbol = serializers.CharField(help_text="The symbol as in `formula.text`.")
    meaning = LocalizedSerializer(help_text="What the symbol stands for.")
    unit = serializers.CharField(required=False, help_text="Unit; absent for a pure number.")


class ScienceTopicSerializer(ContractSerializer):
    """A discipline behind the apps: its governing formula, explained in plain language."""

    id = serializers.RegexField(rules.SLUG, source="slug", help_text="Slug of the topic.")
    name = LocalizedSerializer(help_text="Name of the discipline.")
    formula = FormulaSerializer(source="*")
    explanation = LocalizedSerializer(help_text="The formula in plain language.")
    symbols = SymbolSerializer(source="symbols.all", many=True, help_text="What each symbol means.")
    apps = serializers.ListField(
        child=serializers.RegexField(rules.SLUG),
        source="app_slugs",
        help_text="Ids of the published apps that use it.",
    )


class PrincipleSerializer(ContractSerializer):
    """A rule that the products of the studio keep: a title and a statement."""

    id = serializers.RegexField(rules.SLUG, source="slug", help_text="Slug of the principle.")
    title = LocalizedSerializer(help_text="The rule in a few words.")
    statement = LocalizedSerializer(help_text="What the rule means for the products.")


class TimelineLinkSerializer(ContractSerializer):
    """A link of a milestone."""

    label = LocalizedSerializer(help_text="Text of the link.")  # type: ignore[assignment]  # DRF has a `label` of its own
    href = AddressField(help_text="Where the link leads.")


class TimelineEntrySerializer(ContractSerializer):
    """A dated milestone of the studio or of its founder, perhaps with links."""

    id = serializers.RegexField(rules.SLUG, source="slug", help_text="Slug of the milestone.")
    date = serializers.RegexField(
        rules.PARTIAL_DATE, help_text="Date as precise as it is known: year, month or day."
    )
    subject = serializers.ChoiceField(choices=Subject.choices, help_text="Whose milestone it is.")
    title = LocalizedSerializer(help_text="What happened.")
    description = LocalizedSerializer(required=False, help_text="More about it.")
    links = TimelineLinkSerializer(
        source="shown_links", many=True, required=False, help_text="Links to more about it."
    )


class VersionLinksSerializer(ContractSerializer):
    """Addresses of the version."""

    self = AddressField(addresses.version_index, source="version", help_text="Its index.")
    documentation = FixedAddressField(
        addresses.DOCUMENTATION, help_text="Human-readable reference."
    )
    openapi = FixedAddressField(addresses.OPENAPI, help_text="The OpenAPI document.")
    policy = FixedAddressField(
        addresses.VERSIONING_POLICY, help_text="How versions change and how they end."
    )


class VersionSerializer(ContractSerializer):
    """A version of the API: its status, its release and, once announced, the dates of its end."""

    version = serializers.RegexField(
        rules.VERSION_NAME, help_text="Name in the path, such as `v1`."
    )
    apiVersion = serializers.RegexField(
        rules.SEMANTIC_VERSION,
        source="api_version",
        help_text="Semantic version of the API contract.",
    )
    status = serializers.ChoiceField(
        choices=VersionStatus.choices, help_text="Whether this version has an end."
    )
    released = serializers.DateField(help_text="Day of the first release.")
    deprecation = MomentField(
        required=False, help_text="From when it is deprecated; only once announced."
    )
    sunset = MomentField(required=False, help_text="When it is retired; only once announced.")
    links = VersionLinksSerializer(source="*")
