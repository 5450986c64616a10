"""What the pages of one server share while it runs: secrets, visitors, lanes and what is kept on the disk."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from expound import resources
from expound.corpus.library import corpus_names
from expound.corpus.named import SAMPLER
from expound.errors import UnknownName, nearest
from expound.files import private_folder, write_whole
from expound.pages.limiter import Limiter
from expound.pages.signing import Signer
from expound.serve.answering import CorpusPlace, Respondent
from expound.serve.kept_answers import KeptAnswers
from expound.serve.lanes import Lane
from expound.serve.made_reports import MadeReports
from expound.serve.serve_settings import ServeSettings
from expound.serve.uploads import YOURS, Uploads, forget_visitors, named_corpora
from expound.serve.votes import Votes

# As long as a rater's session in a study.
DAYS = 30
_OWNER_ONLY = 0o600  # whoever reads it is let in


@dataclass(frozen=True)
class Desk:
    """Everything that a route may need."""

    settings: ServeSettings
    folder: Path
    token: str
    signer: Signer
    respondent: Respondent
    asks: Lane
    searches: Lane
    pictures: Lane
    answers: KeptAnswers
    uploads: Uploads
    votes: Votes
    wrong_passwords: Limiter
    posts: Limiter
    reports: MadeReports

    @property
    def base(self) -> str:
        """The path under which the pages stand, without a slash at the end."""
        return urlsplit(self.settings.base_url).path.rstrip("/")

    @property
    def is_secure(self) -> bool:
        return self.settings.base_url.startswith("https:")

    def offered_corpora(self) -> list[str]:
        """The corpora that may be asked; those that visitors have named are among them."""
        chosen = self.settings.corpora
        # Asked anew each time: a corpus that was added while the server runs is there at the next question.
        return list(dict.fromkeys((*chosen, *named_corpora()))) if chosen else corpus_names() or [SAMPLER]

    def places(self, names: Sequence[str], visitor: str) -> tuple[CorpusPlace, ...]:
        """Corpora by name, the visitor's own documents by theirs; without any, all that are offered."""
        offered, own = self.offered_corpora(), self.uploads.place(visitor)
        known = {name: CorpusPlace(name) for name in offered} | ({YOURS: own} if own else {})
        unknown = [name for name in names if name not in known]
        if unknown:
            raise UnknownName(f"no corpus named {unknown[0]!r} is offered here; {nearest(unknown[0], offered)}")
        # Each once, in the order in which they were named: a corpus that is named twice must not be searched twice.
        return tuple(known[name] for name in dict.fromkeys(names or known))

    def close(self) -> None:
        for lane in (self.asks, self.searches, self.pictures, self.uploads, self.reports):
            lane.close()


def open_desk(settings: ServeSettings) -> Desk:
    """A desk with its folder below the user's home; what was kept there by an earlier server is there again."""
    folder = private_folder(resources.home_folder("serve"))
    kept, limits = _secrets(folder), settings.limits
    # At the start, when nobody is at work: a folder must not go while its owner asks.
    forget_visitors(folder / "visitors", DAYS)
    lanes = {"most": limits.waiting, "most_each": limits.waiting_each}
    return Desk(
        settings=settings,
        folder=folder,
        token=kept["token"],
        signer=Signer(kept["signing_key"]),
        respondent=Respondent(settings.model, embedder=settings.embedder),
        asks=Lane(limits.asks_at_once, **lanes),
        # A lane of their own: whoever searches does not wait for anybody's answer.
        searches=Lane(1, **lanes),
        pictures=Lane(1, **lanes),
        answers=KeptAnswers(folder / "visitors"),
        uploads=Uploads(folder / "visitors", limits, private=settings.private),
        votes=Votes(),
        wrong_passwords=Limiter(limits.wrong_passwords, limits.wrong_seconds),
        posts=Limiter(limits.posts, limits.posts_seconds),
        # A lane of their own: scoring takes minutes.
        reports=MadeReports(folder / "reports", Lane(1, **lanes)),
    )


def _secrets(folder: Path) -> dict[str, str]:
    """The token of the address and the key of the cookies, made once: links and sessions outlive a restart."""
    file = folder / "secrets.json"
    if not file.exists():
        made = {"token": secrets.token_urlsafe(24), "signing_key": secrets.token_urlsafe(32)}
        # Never in between: half a secret would lock out everybody whose session was signed with the whole one.
        with write_whole(file, mode=_OWNER_ONLY) as writing:
            json.dump(made, writing)
    kept: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return kept
