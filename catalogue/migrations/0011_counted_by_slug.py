"""The slug of a statistic says whether it is counted, so a column that says it again goes."""

import catalogue.rules
import django.core.validators
from django.db import migrations, models


def count_shipped_apps(apps, editor):
    """The earlier schema has the column again, which must agree with the slug."""
    apps.get_model('catalogue', 'statistic').objects.filter(slug='shipped-apps').update(counts='live_apps')


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0010_no_review_of_rows'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='statistic',
            name='statistic_counts_is_one_of_its_values',
        ),
        migrations.RemoveConstraint(
            model_name='statistic',
            name='statistic_shipped_apps_are_counted',
        ),
        migrations.RemoveConstraint(
            model_name='statistic',
            name='statistic_value_is_typed_or_counted',
        ),
        migrations.RemoveConstraint(
            model_name='statistic',
            name='statistic_display_goes_with_its_value',
        ),
        migrations.RunPython(migrations.RunPython.noop, count_shipped_apps),
        migrations.RemoveField(
            model_name='statistic',
            name='counts',
        ),
        migrations.AlterField(
            model_name='statistic',
            name='value',
            field=models.DecimalField(blank=True, decimal_places=3, help_text='The number itself, for example 48000. Shipped apps have none: those that are published and live are counted when it is read.', max_digits=15, null=True, validators=[django.core.validators.MinValueValidator(0)]),
        ),
        migrations.AddConstraint(
            model_name='statistic',
            constraint=catalogue.rules.Rule(condition=models.Q(models.Q(('slug', 'shipped-apps'), ('value__isnull', True)), models.Q(models.Q(('slug', 'shipped-apps'), _negated=True), ('value__gte', 0), ('value__isnull', False)), _connector='OR'), field='value', message='Type a value of at least 0, or leave it empty for shipped apps.', name='statistic_value_is_typed_or_counted', violation_error_message='Type a value of at least 0, or leave it empty for shipped apps.'),
        ),
        migrations.AddConstraint(
            model_name='statistic',
            constraint=catalogue.rules.Rule(condition=models.Q(models.Q(('slug', 'shipped-apps'), ('display', '')), models.Q(models.Q(('slug', 'shipped-apps'), _negated=True), models.Q(('display', ''), _negated=True)), _connector='OR'), field='display', message='Type how the value is shown, or leave it empty for shipped apps.', name='statistic_display_goes_with_its_value', violation_error_message='Type how the value is shown, or leave it empty for shipped apps.'),
        ),
    ]
