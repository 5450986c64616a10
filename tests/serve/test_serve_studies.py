"""A study beside the page where one asks: below its own path, with its own doors."""

from __future__ import annotations

from dataclasses import replace

from anyio.to_thread import current_default_thread_limiter
from fastapi.testclient import TestClient

from expound.serve.desk import Desk
from expound.serve.front import build_front
from expound.study.web.serving import mount_studies
from expound.study.web.several import MountedStudies
from serve.serve_helpers import Page
from study.study_helpers import Make, make

__all__ = ["make"]


def mounted_one(make: Make) -> MountedStudies:
    return mount_studies([make("eli5-preference", name="one").plan.folder / "one.toml"], "http://testserver")


def enter(desk: Desk, mounted: MountedStudies) -> Page:
    return Page(build_front(desk, [mounted]), base_url="http://testserver", follow_redirects=True).enter(desk)


def test_the_head_of_the_page_leads_the_owner_to_the_studies(desk: Desk, make: Make) -> None:
    page = enter(desk, mounted_one(make))
    assert '<a href="/to/studies">Studies</a>' in page.get("/").text
    assert 'href="/studies/one/admin"' in page.get("/to/studies").text
    assert '<a href="/">Ask</a>' in page.get("/studies/admin").text
    # From now on the studies know who this is.
    assert 'href="/studies/one/admin"' in page.get("/studies/").text


def test_who_came_in_by_a_password_is_no_researcher(desk: Desk, make: Make) -> None:
    guarded = replace(desk, settings=replace(desk.settings, password="long enough"))
    page = enter(guarded, mounted_one(make))
    assert "Researchers open the address that the server printed" in page.get("/to/studies").text
    assert page.get("/studies/one/admin").status_code == 403


def test_nobody_else_is_led_in(desk: Desk, make: Make) -> None:
    stranger = TestClient(build_front(desk, [mounted_one(make)]), base_url="http://testserver")
    assert stranger.get("/to/studies").status_code == 401


def test_without_studies_no_link_leads_there(page: Page) -> None:
    assert "Studies" not in page.get("/").text
    assert page.get("/to/studies").status_code == 404


def test_as_many_requests_at_a_time_as_the_database_of_a_study_is_good_for(desk: Desk, make: Make) -> None:
    mounted = mounted_one(make)
    with TestClient(build_front(desk, [mounted])) as browser:
        assert browser.portal is not None
        limit = browser.portal.call(lambda: current_default_thread_limiter().total_tokens)
    assert limit == mounted.studies[0].store.threads


def test_a_study_is_served_below_a_path_and_opens_by_its_own_links(desk: Desk, make: Make) -> None:
    plans = [make("eli5-preference", name=name).plan.folder / f"{name}.toml" for name in ("one", "two")]
    mounted = mount_studies(plans, "http://testserver")
    links = {name: link.removeprefix("http://testserver") for name, link in mounted.links.items()}
    assert list(links) == ["studies", "one join", "two join"]
    browser = TestClient(build_front(desk, [mounted]), base_url="http://testserver", follow_redirects=True)
    assert browser.get("/studies/admin").status_code == 403
    assert 'href="/studies/one/admin"' in browser.get(links["studies"]).text
    assert "Monitor: two" in browser.get("/studies/two/admin").text
    assert "I am new here" in browser.get(links["one join"]).text
    assert browser.get("/studies/static/look.css").status_code == 200
    # Who is let in there is not let in here.
    assert browser.get("/", headers={"Accept": "text/html"}).status_code == 401
