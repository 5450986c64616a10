"""A study beside the page where one asks: below its own path, with its own doors."""

from __future__ import annotations

from fastapi.testclient import TestClient

from expound.serve.desk import Desk
from expound.serve.front import build_front
from expound.study.web.serving import mount_studies
from study.study_helpers import Make, make

__all__ = ["make"]


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
