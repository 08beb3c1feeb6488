"""Former slugs of tags, and former slugs whose row was deleted: these have no owner."""

import django.db.models.deletion
from django.db import migrations, models

import catalogue.rules
import catalogue.texts.fields

OWNERS = {'formerappslug': 'app', 'formerpostslug': 'post'}


def owner_key(owner):
    return models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='former_slugs', to=f'catalogue.{owner}')


def delete_retired(apps, editor):
    """The earlier schema has no former slugs without a row."""
    for model in OWNERS:
        apps.get_model('catalogue', model).objects.filter(owner=None).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0007_no_known_slugs'),
    ]

    operations = [
        *(migrations.RenameField(model, owner, 'owner') for model, owner in OWNERS.items()),
        *(migrations.AlterField(model, 'owner', owner_key(owner)) for model, owner in OWNERS.items()),
        migrations.AlterField(
            model_name='tag',
            name='slug',
            field=catalogue.texts.fields.Line(help_text="Part of the address of the tag's page. Changing it leaves a redirect behind.", max_length=40, unique=True),
        ),
        migrations.CreateModel(
            name='FormerTagSlug',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', catalogue.texts.fields.Line(max_length=80, unique=True)),
                ('owner', owner_key('tag')),
            ],
            options={
                'ordering': ['slug'],
                'abstract': False,
                'constraints': [catalogue.rules.Rule(condition=models.Q(('slug__regex', '^[a-z0-9-]+\\Z')), field='slug', message='Use lower-case letters a–z, digits and hyphens only, for example “tilt-and-gravity”.', name='formertagslug_slug_has_its_pattern', violation_error_message='Use lower-case letters a–z, digits and hyphens only, for example “tilt-and-gravity”.')],
            },
        ),
        migrations.RunPython(migrations.RunPython.noop, delete_retired),
    ]
