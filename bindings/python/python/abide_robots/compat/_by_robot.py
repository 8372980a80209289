"""One file, read for each robot that asks."""

from __future__ import annotations

from abide_robots import InvalidOptionError, Policy, product_token

# Crawlers ask as one robot, seldom as a few.
_MOST = 64


class PoliciesByRobot:
    """The rules of a file for robots as other parsers name them: any text, often a whole
    ``User-Agent`` line.
    """

    __slots__ = ("_body", "_policies")

    def __init__(self, body: bytes) -> None:
        self._body = body
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
        try:
            return Policy(self._body, product_token(user_agent), nonstandard_token=True)
        except InvalidOptionError:
            # No file can name such a robot, so only the rules for all robots are left.
            return Policy(self._body, "*")
