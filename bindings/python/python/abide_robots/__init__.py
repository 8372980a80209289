"""What a robot may do with a URL, and why.

>>> import abide_robots
>>> robots_txt = '''
... User-agent: *
... Disallow: /private/
... Allow: /private/press/
... '''
>>> abide_robots.allows(robots_txt, "ExampleBot", "https://example.com/private/notes")
False

A :class:`Policy` reads the file once, and answers many questions:

>>> policy = abide_robots.Policy(robots_txt, "ExampleBot")
>>> policy.allows_many(["https://example.com/", "https://example.com/private/notes"])
[True, False]
>>> policy.decide("https://example.com/private/press/kit.zip")
<Decision: https://example.com/private/press/kit.zip is allowed, line 4: "Allow: /private/press/", ...>

A :class:`RobotsCache` fetches the files, as RFC 9309 says. ``abide_robots.compat`` replaces Protego
and ``urllib.robotparser``, and ``abide_robots.scrapy`` joins Scrapy. ``abide_robots.arrow`` and
``abide_robots.spark`` answer for whole tables. ``abide_robots.write`` writes what a site says.
"""

from __future__ import annotations

from abide_robots import _interpreter

_interpreter.require_main()

from abide_robots._cache import BlockingRobotsCache, RobotsCache
from abide_robots._native import (
    BooleanColumn,
    Decision,
    Policy,
    RecordBatches,
    Visit,
    __version__,
    allows,
    product_token,
)
from abide_robots._tools import (
    Conversion,
    Diff,
    Finding,
    Fixed,
    Matrix,
    convert,
    diff,
    fix,
    fmt,
    known_robots,
    lint,
    matrix,
    tags,
)
from abide_robots.errors import (
    AbideError,
    DisallowedError,
    FetchError,
    FormatError,
    InvalidOptionError,
    InvalidUrlError,
    NoTurnError,
    StoreError,
)

__all__ = [
    "AbideError",
    "BlockingRobotsCache",
    "BooleanColumn",
    "Conversion",
    "Decision",
    "Diff",
    "DisallowedError",
    "FetchError",
    "Finding",
    "Fixed",
    "FormatError",
    "InvalidOptionError",
    "InvalidUrlError",
    "Matrix",
    "NoTurnError",
    "Policy",
    "RecordBatches",
    "RobotsCache",
    "StoreError",
    "Visit",
    "__version__",
    "allows",
    "convert",
    "diff",
    "fix",
    "fmt",
    "known_robots",
    "lint",
    "matrix",
    "product_token",
    "tags",
]
