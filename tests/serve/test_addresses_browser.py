"""The box for an address in a real browser."""

from __future__ import annotations

from typing import Any

from corpus.test_fetching import PAGE, Site, site
from serve.test_runs_browser import Served, browser_page, complaints, pytestmark, served, shoot

__all__ = ["browser_page", "pytestmark", "served", "site"]


def test_a_page_is_named_fetched_and_asked(browser_page: Any, served: Served, site: Site) -> None:
    page, address = browser_page, site.put("/mill.html", PAGE)
    page.goto(served(private=True))
    page.get_by_label("address of a page").fill(address)
    page.keyboard.press("Enter")
    page.locator("#documents:not([data-busy]) .files li", has_text=address).wait_for()
    # The box is free for the next one.
    assert page.get_by_label("address of a page").input_value() == ""
    page.get_by_label("Your question").fill("How many stones has the tide mill?")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="six stones").click()
    page.locator("#beside", has_text=address).locator("mark").wait_for()
    shoot(page, "address")
    assert complaints(page) == []
    assert page.noted == []


def test_why_an_address_is_refused_is_said_beside_the_box(browser_page: Any, served: Served, site: Site) -> None:
    page = browser_page
    page.goto(served())
    page.get_by_label("address of a page").fill(site.put("/mill.html", PAGE))
    page.get_by_role("button", name="Fetch").click()
    page.get_by_role("alert").filter(has_text="an address of this machine").wait_for()
    shoot(page, "address-refused")
    assert complaints(page) == []
    assert site.asked == []
