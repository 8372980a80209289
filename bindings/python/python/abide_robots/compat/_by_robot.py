"""One file, read for each robot that asks."""

from __future__ import annotations

from abide_robots import InvalidOptionError, Policy

# What RFC 9309 asks parsers to read at least (2.5), and what the drop-ins read at most.
_FLOOR = 512_000
LIMIT = 64 << 20

# Crawlers ask as one robot, seldom as a few.
_MOST = 64


class PoliciesByRobot:
    """The rules of a file for robots as other parsers name them: any text, often a whole
    ``User-Agent`` line.
    """

    __slots__ = ("_body", "_limit", "_policies")

    def __init__(self, body: bytes) -> None:
        self._body = body
        # The originals read every rule, so a rule that closes a page must not be lost here.
        self._limit = min(max(len(body), _FLOOR), LIMIT)
        self._policies: dict[str | bytes, Policy] = {}

    def policy(self, user_agent: str | bytes) -> Policy:
        """Returns the rules for a robot."""
        policy = self._policies.get(user_agent)
        if policy is None:
            if len(self._policies) >= _MOST:
                self._policies.clear()
            policy = self._policies[user_agent] = self._compiled(user_agent)
        return policy

    def _compiled(self, user_agent: str | bytes) -> Policy:
        name = user_agent if isinstance(user_agent, str) else user_agent.decode("latin-1")
        try:
            return Policy(self._body, name, nonstandard_token=True, robots_limit=self._limit)
        except InvalidOptionError:
            # No file can name such a robot, so only the rules for all robots are left.
            return Policy(self._body, "*", robots_limit=self._limit)
