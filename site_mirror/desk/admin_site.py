"""The site of the admin.

Django imports this module when the first form is registered. It must not import `catalogue.admin`,
whose forms would then be registered in another instance.
"""

from typing import cast

from unfold.sites import UnfoldAdminSite

from catalogue.transactions import View, in_one_transaction


class DeskSite(UnfoldAdminSite):  # type: ignore[misc]
    """The admin, each of whose views writes in one transaction."""

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002
        return cast("View", super().admin_view(in_one_transaction(view), cacheable))
