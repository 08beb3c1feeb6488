"""Keep with a deleted image its files, from which it comes back."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('desk', '0013_older_texts'),
    ]

    operations = [
        migrations.AddField(
            model_name='historyentry',
            name='file',
            field=models.TextField(blank=True),
        ),
    ]
