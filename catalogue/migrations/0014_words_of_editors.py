"""Labels and helps of fields in words of editors; no table changes."""

import catalogue.texts.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0013_texts_and_dates'),
    ]

    operations = [
        migrations.AlterField(
            model_name='app',
            name='publish_at',
            field=models.DateTimeField(blank=True, help_text='When it appears. Left empty, it appears when it is published.', null=True),
        ),
        migrations.AlterField(
            model_name='app',
            name='slug',
            field=catalogue.texts.fields.Line(help_text="The end of the app's address. Changing it leaves a redirect behind.", max_length=40, unique=True, verbose_name='address'),
        ),
        migrations.AlterField(
            model_name='post',
            name='publish_at',
            field=models.DateTimeField(blank=True, help_text='When it appears. Left empty, it appears when it is published.', null=True),
        ),
        migrations.AlterField(
            model_name='post',
            name='slug',
            field=catalogue.texts.fields.Line(help_text="The end of the article's address. Changing it leaves a redirect behind.", max_length=80, unique=True, verbose_name='address'),
        ),
        migrations.AlterField(
            model_name='principle',
            name='publish_at',
            field=models.DateTimeField(blank=True, help_text='When it appears. Left empty, it appears when it is published.', null=True),
        ),
        migrations.AlterField(
            model_name='principle',
            name='slug',
            field=catalogue.texts.fields.Line(max_length=60, unique=True, verbose_name='short name'),
        ),
        migrations.AlterField(
            model_name='sciencetopic',
            name='publish_at',
            field=models.DateTimeField(blank=True, help_text='When it appears. Left empty, it appears when it is published.', null=True),
        ),
        migrations.AlterField(
            model_name='sciencetopic',
            name='slug',
            field=catalogue.texts.fields.Line(max_length=60, unique=True, verbose_name='short name'),
        ),
        migrations.AlterField(
            model_name='statistic',
            name='slug',
            field=models.CharField(choices=[('instruments', 'Instruments'), ('audio-sample-rate', 'Audio sample rate'), ('tracking-sdks', 'Tracking SDKs'), ('shipped-apps', 'Shipped apps')], max_length=40, unique=True, verbose_name='short name'),
        ),
        migrations.AlterField(
            model_name='tag',
            name='slug',
            field=catalogue.texts.fields.Line(help_text="The end of the address of the tag's page. Changing it leaves a redirect behind.", max_length=40, unique=True, verbose_name='address'),
        ),
        migrations.AlterField(
            model_name='timelineentry',
            name='publish_at',
            field=models.DateTimeField(blank=True, help_text='When it appears. Left empty, it appears when it is published.', null=True),
        ),
        migrations.AlterField(
            model_name='timelineentry',
            name='slug',
            field=catalogue.texts.fields.Line(max_length=60, unique=True, verbose_name='short name'),
        ),
    ]
