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
        choices=sorted(COUNTRY_CODES), help_text="ISO 3166-1 alpha-2."
    )
    countryName = serializers.CharField(
        source="country_name", required=False, help_text="English name."
    )


class StudioSerializer(ContractSerializer):
    """The studio profile. Its counts are made when it is read."""

    name = serializers.CharField(min_length=1)
    tagline = LocalizedSerializer(required=False)
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
    """A person of the studio."""

    handle = serializers.RegexField(rules.SLUG)
    role = LocalizedSerializer()
    description = LocalizedSerializer(required=False)


class AppLinksSerializer(ContractSerializer):
    """An app's addresses; a store's is null where the app is not published there."""

    self = AddressField(addresses.app_document, source="slug", help_text="This resource.")
    web = AddressField(addresses.app_page, source="slug", help_text="Marketing page.")
    appStore = StoreLinkField(source="app_store", allow_null=True)
    googlePlay = StoreLinkField(source="google_play", allow_null=True)
    chromeWebStore = StoreLinkField(source="chrome_web_store", allow_null=True)


class AppSerializer(ContractSerializer):
    """An app of the studio."""

    id = serializers.RegexField(rules.SLUG, source="slug", help_text="Stable slug.")
    name = serializers.CharField(min_length=1, help_text="Display name.")
    tagline = LocalizedSerializer(help_text="One-line positioning statement.")
    spec = LocalizedSerializer(
        required=False, help_text="Short technical summary of sensors and maths."
    )
    description = LocalizedSerializer(help_text="Full product description.")
    category = serializers.ChoiceField(choices=Category.choices)
    platforms = serializers.ListField(
        child=serializers.ChoiceField(choices=Platform.choices), min_length=1
    )
    status = serializers.ChoiceField(choices=AppStatus.choices)
    since = serializers.RegexField(rules.YEAR, required=False, help_text="Year first released.")
    updated = serializers.RegexField(
        rules.YEAR_MONTH, required=False, help_text="Year and month of the last release."
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
    """A post's addresses."""

    self = AddressField(addresses.post_document, source="slug", help_text="This resource.")
    html = AddressField(addresses.post_page, source="slug", help_text="The page.")
    markdown = AddressField(
        addresses.post_mirror, source="slug", help_text="The full text of the post."
    )


class PostSerializer(ContractSerializer):
    """An article of the blog; its full text is at `links.markdown`."""

    slug = serializers.RegexField(rules.SLUG)
    title = LocalizedSerializer(help_text="Post title.")
    excerpt = LocalizedSerializer(help_text="Two-sentence summary.")
    date = serializers.DateField(help_text="Publication date.")
    readMinutes = serializers.IntegerField(
        source="read_minutes", min_value=1, help_text="Estimated reading time in minutes."
    )
    tags = serializers.ListField(
        child=serializers.RegexField(rules.SLUG),
        source="tag_slugs",
        required=False,
        help_text="Topic tags.",
    )
    links = PostLinksSerializer(source="*")


class StatisticSerializer(ContractSerializer):
    """A counter of the home page."""

    id = serializers.ChoiceField(choices=StatisticId.choices, source="slug")
    label = LocalizedSerializer()  # type: ignore[assignment]  # DRF has a `label` of its own
    value = NumberField(source="number", help_text="The number itself.")
    unit = serializers.CharField(required=False, help_text="Unit of the value.")
    display = serializers.CharField(source="shown", help_text="As shown on the home page.")


class FormulaSerializer(ContractSerializer):
    """A formula in two spellings."""

    text = serializers.CharField(source="formula_text", help_text="One line of Unicode.")
    latex = serializers.CharField(source="formula_latex")


class SymbolSerializer(ContractSerializer):
    """A symbol of a formula."""

    symbol = serializers.CharField()
    meaning = LocalizedSerializer()
    unit = serializers.CharField(required=False, help_text="Absent for a pure number.")


class ScienceTopicSerializer(ContractSerializer):
    """A discipline with its governing formula."""

    id = serializers.RegexField(rules.SLUG, source="slug")
    name = LocalizedSerializer()
    formula = FormulaSerializer(source="*")
    explanation = LocalizedSerializer(help_text="The formula in plain language.")
    symbols = SymbolSerializer(source="symbols.all", many=True, help_text="What each symbol means.")
    apps = serializers.ListField(
        child=serializers.RegexField(rules.SLUG),
        source="app_slugs",
        help_text="Ids of the published apps that use it.",
    )


class PrincipleSerializer(ContractSerializer):
    """A rule that the studio's products keep."""

    id = serializers.RegexField(rules.SLUG, source="slug")
    title = LocalizedSerializer()
    statement = LocalizedSerializer()


class TimelineLinkSerializer(ContractSerializer):
    """A link of a milestone."""

    label = LocalizedSerializer()  # type: ignore[assignment]  # DRF has a `label` of its own
    href = AddressField()


class TimelineEntrySerializer(ContractSerializer):
    """A dated milestone."""

    id = serializers.RegexField(rules.SLUG, source="slug")
    date = serializers.RegexField(rules.PARTIAL_DATE, help_text="YYYY, YYYY-MM or YYYY-MM-DD.")
    subject = serializers.ChoiceField(choices=Subject.choices)
    title = LocalizedSerializer()
    description = LocalizedSerializer(required=False)
    links = TimelineLinkSerializer(source="shown_links", many=True, required=False)


class VersionLinksSerializer(ContractSerializer):
    """A version's addresses."""

    self = AddressField(addresses.version_index, source="version", help_text="Its index.")
    documentation = FixedAddressField(addresses.DOCUMENTATION)
    openapi = FixedAddressField(addresses.OPENAPI)
    policy = FixedAddressField(addresses.VERSIONING_POLICY)


class VersionSerializer(ContractSerializer):
    """A version of the API."""

    version = serializers.RegexField(rules.VERSION_NAME)
    apiVersion = serializers.RegexField(rules.SEMANTIC_VERSION, source="api_version")
    status = serializers.ChoiceField(choices=VersionStatus.choices)
    released = serializers.DateField()
    deprecation = MomentField(required=False, help_text="Only once announced.")
    sunset = MomentField(required=False, help_text="Only once announced.")
    links = VersionLinksSerializer(source="*")
