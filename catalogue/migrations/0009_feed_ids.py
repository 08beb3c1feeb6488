"""Ids of posts in feeds. Those that readers know, which were addresses, stay."""

import catalogue.models.post
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import Concat

PAGES = {'feed_id_en': '/blog/', 'feed_id_vi': '/vi/blog/'}


def keep_known_ids(apps, editor):
    ids = {column: Concat(Value(settings.SITE_ROOT + page), F('slug')) for column, page in PAGES.items()}
    apps.get_model('catalogue', 'post').objects.update(**ids)


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0008_retired_slugs'),
    ]

    operations = [
        *(
            migrations.AddField('post', column, models.CharField(max_length=300, null=True))
            for column in PAGES
        ),
        migrations.RunPython(keep_known_ids, migrations.RunPython.noop),
        *(
            migrations.AlterField('post', column, models.CharField(default=catalogue.models.post.make_feed_id, editable=False, max_length=300, unique=True))
            for column in PAGES
        ),
    ]
