"""The part that is written in Rust. Import its names from ``abide_robots``."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Unpack, final, overload

import numpy
import pandas
import polars
import pyarrow

from abide_robots._types import (
    Acap,
    ActionRequest,
    Agent,
    AnswerColumn,
    Application,
    ApplicationAnswer,
    ArrowArray,
    ArrowStream,
    Body,
    ClientOptions,
    Diagnostic,
    DocumentedRobot,
    FailedFetch,
    Headers,
    Instant,
    KnownRobot,
    Listed,
    Numbers,
    OnError,
    Outcome,
    Pace,
    Preferences,
    Profile,
    Registry,
    Retrieval,
    Texts,
    Url,
    Usage,
    UsageDecision,
    VocabularyAnswer,
)

__all__ = [
    "ArchiveBatches",
    "BooleanColumn",
    "Decision",
    "DecisionColumn",
    "FieldRules",
    "NativeCache",
    "NativeSite",
    "OpenHop",
    "Policy",
    "RecordBatches",
    "RowDecider",
    "SortedDecider",
    "TableRows",
    "Visit",
    "__version__",
    "allows",
    "capture_links",
    "command",
    "convert",
    "diff",
    "end_network",
    "fix",
    "fmt",
    "follow_ways",
    "known_robots",
    "lint",
    "matrix",
    "product_token",
    "robots_urls",
    "survey_batches",
    "user_agent_names",
    "write_app_directives",
    "write_content_usage",
    "write_group",
    "write_robots_tag",
    "write_x_robots_tag",
]

__version__: Final[str]

@final
class ArchiveBatches:
    def __new__(
        cls, path: str, source: str, source_number: int, first: int = 0, page_bodies: bool = False
    ) -> ArchiveBatches: ...
    def __iter__(self) -> ArchiveBatches: ...
    def __next__(self) -> RecordBatches: ...

@final
class RecordBatches:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

@final
class FieldRules:
    def __new__(
        cls,
        robots_tag: list[tuple[str, list[str]]],
        x_robots_tag: list[tuple[str, list[str]]],
        content_usage: list[tuple[str, list[str]]],
    ) -> FieldRules: ...
    def fields(self, path: str) -> list[tuple[str, str]]: ...

@final
class RowDecider:
    def __new__(
        cls, columns: AnswerColumn | Iterable[AnswerColumn] | None = None, **options: Unpack[ClientOptions]
    ) -> RowDecider: ...
    def allows(
        self, robots: Texts, url: Texts, agent: Texts, robots_status: Numbers | None = None
    ) -> BooleanColumn: ...
    def decide(
        self, robots: Texts, url: Texts, agent: Texts, robots_status: Numbers | None = None
    ) -> DecisionColumn: ...

@final
class SortedDecider:
    def __new__(cls, **options: Any) -> SortedDecider: ...
    def decide(
        self, site: Any, share: Any, rank: Any, robots: Any, robots_status: Any, url: Any, agent: Any
    ) -> DecisionColumn: ...

@final
class TableRows:
    def __new__(
        cls,
        table: str,
        agents: str | Iterable[str],
        paths: str | Iterable[str],
        profile: str,
        literal: bool,
        lints: bool,
    ) -> TableRows: ...
    def direct(self, batch: Any) -> RecordBatches: ...
    def ended(self, batch: Any) -> RecordBatches: ...
    def reached(self, batch: Any) -> RecordBatches: ...
    def reached_again(self, path: str, batch: Any) -> RecordBatches: ...

@final
class BooleanColumn:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    def to_list(self) -> list[bool | None]: ...

@final
class Decision:
    @property
    def allowed(self) -> bool: ...
    @property
    def line(self) -> int | None: ...
    @property
    def statement(self) -> str | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def schema(self) -> int: ...
    @property
    def url(self) -> str: ...
    @property
    def robots_url(self) -> str | None: ...
    @property
    def retrieval(self) -> Retrieval | None: ...
    @property
    def usages(self) -> dict[Usage, UsageDecision]: ...
    @property
    def preferences(self) -> dict[str, VocabularyAnswer] | None: ...
    @property
    def tags(self) -> dict[str, str | bool]: ...
    @property
    def unknown_tag_rules(self) -> list[str]: ...
    @property
    def applications(self) -> dict[str, ApplicationAnswer]: ...
    @property
    def action_requests(self) -> list[ActionRequest]: ...
    @property
    def sitemaps(self) -> list[str]: ...
    @property
    def crawl_delay(self) -> float | None: ...
    @property
    def needs(self) -> list[str]: ...
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    @property
    def agent(self) -> str | list[str]: ...
    @property
    def profile(self) -> Profile: ...
    @property
    def known_robot(self) -> DocumentedRobot | None: ...
    def outcome(self, usage: Usage = "crawl") -> Outcome: ...
    def explain(self) -> str: ...
    def to_dict(self) -> dict[str, object]: ...
    def to_json(self) -> str: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[object, ...]: ...
    def _repr_html_(self) -> str: ...
    @classmethod
    def _restore(
        cls,
        json: str,
        explanation: str,
        allowed: bool,
        line: int | None,
        statement: str | None,
        reason: str,
    ) -> Decision: ...

@final
class DecisionColumn:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...

@final
class Policy:
    def __new__(
        cls,
        body: Body | None,
        agent: Agent,
        *,
        purposes: Iterable[str] | None = None,
        applications: Iterable[str | Application] | None = None,
        registry: Registry | str | None = None,
        acap: Acap | None = None,
        preferences: Preferences | None = None,
        profile: Profile | None = None,
        readings: Iterable[str] | None = None,
        nonstandard_token: bool | None = None,
        known_robots: bool | None = None,
        robots_status: int | None = None,
        robots_error: str | None = None,
        robots_location: str | None = None,
        robots_limit: int | None = None,
        references: Mapping[str, str | FailedFetch] | None = None,
    ) -> Policy: ...
    def allows(self, url: Url) -> bool: ...
    @overload
    def allows_many(
        self, urls: Listed | Sequence[Url | None], *, errors: OnError = "null"
    ) -> list[bool | None]: ...
    @overload
    def allows_many(
        self, urls: polars.Series, *, errors: OnError = "null"
    ) -> polars.Series: ...
    @overload
    def allows_many(
        self, urls: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.generic]], *, errors: OnError = "null"
    ) -> numpy.ma.MaskedArray[tuple[int, ...], numpy.dtype[numpy.bool]]: ...
    @overload
    def allows_many(
        self, urls: pandas.Series, *, errors: OnError = "null"
    ) -> pandas.Series: ...
    @overload
    def allows_many(
        self, urls: Iterable[Url | None], *, errors: OnError = "null"
    ) -> list[bool | None]: ...
    @overload
    def allows_many(
        self, urls: pyarrow.Array, *, errors: OnError = "null"
    ) -> pyarrow.BooleanArray: ...
    @overload
    def allows_many(
        self, urls: pyarrow.ChunkedArray, *, errors: OnError = "null"
    ) -> pyarrow.ChunkedArray: ...
    @overload
    def allows_many(
        self, urls: ArrowArray, *, errors: OnError = "null"
    ) -> BooleanColumn: ...
    @overload
    def allows_many(
        self, urls: ArrowStream, *, errors: OnError = "null"
    ) -> list[bool | None]: ...
    def decide(
        self,
        url: Url,
        *,
        headers: Headers | None = None,
        html: Body | None = None,
        rendered_html: Body | None = None,
        now: Instant | None = None,
        first_indexed: Instant | None = None,
        first_copied: Instant | None = None,
        version: str | None = None,
        preferences: Preferences | None = None,
    ) -> Decision: ...
    def for_agent(self, agent: Agent) -> Policy: ...
    @property
    def body(self) -> bytes | None: ...
    @property
    def crawl_delay(self) -> float | None: ...
    @property
    def sitemaps(self) -> list[str]: ...
    @property
    def agents(self) -> list[str]: ...
    @property
    def access(self) -> Literal["rules", "unavailable", "unreachable", "unknown"]: ...
    @property
    def group_lines(self) -> list[int]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[object, ...]: ...
    def __sizeof__(self) -> int: ...
    def _arrow(self, urls: Any, errors: str) -> list[BooleanColumn]: ...
    def _other_fields(self) -> list[tuple[int, str, str, bool]]: ...
    def _mask(self, urls: Any, errors: str) -> bytearray: ...

@final
class Visit:
    @property
    def url(self) -> str: ...
    def answered(self, status: int, headers: Headers | None = None) -> None: ...
    def failed(self) -> None: ...
    def end(self) -> float: ...
    def __enter__(self) -> Visit: ...
    def __exit__(self, _kind: object, raised: object, _traceback: object, /) -> None: ...

@final
class NativeCache:
    def __new__(
        cls,
        user_agent: str,
        *,
        agent: Agent | None,
        store: str | None,
        allow_private: bool,
        memory: int,
        timeout: float,
        max_lifetime: float | None,
        min_lifetime: float | None,
        grace: float | None,
        observer: Callable[[dict[str, str | None]], object] | None,
        pace: Pace | None,
        send: Callable[[str, dict[str, str], OpenHop], Callable[[], object]] | None,
        **options: Any,
    ) -> NativeCache: ...
    def allows(self, url: Url) -> Awaitable[bool]: ...
    def allows_blocking(self, url: Url) -> bool: ...
    def policy(self, url: Url) -> Awaitable[Policy]: ...
    def policy_blocking(self, url: Url) -> Policy: ...
    def turn(self, url: Url) -> Awaitable[Visit | None]: ...
    def turn_blocking(self, url: Url) -> Visit | None: ...
    def decide(self, url: Url, *, html: Body | None, **page: Any) -> Awaitable[Decision]: ...
    def decide_blocking(self, url: Url, *, html: Body | None, **page: Any) -> Decision: ...
    def for_agent(self, agent: Agent) -> NativeCache: ...
    def sites(self) -> int: ...
    def agents(self) -> list[str]: ...

@final
class OpenHop:
    def answered(self, status: int, fields: Headers, body: Body) -> None: ...
    def failed(self, failure: str, words: str, is_local: bool) -> None: ...

@final
class NativeSite:
    def __new__(
        cls,
        url: Url,
        agent: Agent,
        *,
        max_lifetime: float | None,
        min_lifetime: float | None,
        grace: float | None,
        **options: Any,
    ) -> NativeSite: ...
    @property
    def robots_url(self) -> str: ...
    def request(self, now: int) -> tuple[str, list[tuple[str, str]]] | None: ...
    def answered(self, status: int, fields: Headers, body: Body, now: int) -> None: ...
    def failed(self, failure: str, now: int) -> None: ...
    def policy(self, now: int) -> Policy: ...

def allows(body: Body, agent: Agent, url: Url) -> bool: ...
def end_network() -> None: ...
def capture_links(batch: Any) -> RecordBatches: ...
def follow_ways(batch: Any) -> RecordBatches: ...
def robots_urls(batch: Any) -> RecordBatches: ...
def survey_batches(
    batches: Any,
    *,
    tables: str | Iterable[str] | None,
    agents: str | Iterable[str],
    paths: str | Iterable[str],
    profile: str,
    literal: bool,
) -> dict[str, RecordBatches]: ...
def command(words: Sequence[str]) -> int: ...
def product_token(user_agent: str | bytes) -> str: ...
def user_agent_names(user_agent: str | bytes) -> list[str]: ...
def lint(
    body: Body | None,
    *,
    file: str = "robots.txt",
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    allow_closed: bool | None = None,
    media_type: str | None = None,
    headers: Headers | None = None,
    html: Body | None = None,
    rendered_html: Body | None = None,
    url: str | None = None,
    config: str | None = None,
) -> list[dict[str, Any]]: ...
def fix(
    body: Body,
    *,
    unsafe_fixes: bool = False,
    file: str = "robots.txt",
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    allow_closed: bool | None = None,
    config: str | None = None,
) -> tuple[bytes, int, list[dict[str, Any]]]: ...
def fmt(body: Body) -> bytes: ...
def diff(
    old: Body,
    new: Body,
    *,
    agents: str | Iterable[str] | None = None,
    purposes: str | Iterable[str] | None = None,
    urls: str | Iterable[str] | None = None,
    literal: bool = False,
) -> dict[str, Any]: ...
def matrix(
    body: Body,
    *,
    agents: str | Iterable[str] | None = None,
    purposes: str | Iterable[str] | None = None,
    literal: bool = False,
    preferences: bool | None = None,
    profile: str = "careful",
) -> dict[str, Any]: ...
def known_robots() -> list[KnownRobot]: ...
def convert(
    body: Body | None,
    to: str,
    *,
    headers: Headers | None = None,
    html: Body | None = None,
    rendered_html: Body | None = None,
    revision: str = "08",
) -> dict[str, Any]: ...
def write_robots_tag(rules: list[tuple[str, list[tuple[str, str | None]]]]) -> str: ...
def write_x_robots_tag(rules: list[tuple[str, list[tuple[str, str | None]]]]) -> list[str]: ...
def write_app_directives(
    applications: list[tuple[str, list[tuple[str, tuple[str, object]]]]], path: str | None
) -> str: ...
def write_content_usage(
    usages: list[tuple[str, bool]], path: str | None, revision: str
) -> str: ...
def write_group(
    purposes: list[str],
    robots: list[str],
    rules: list[tuple[str, str]],
    app_directives: list[tuple[str | None, list[tuple[str, list[tuple[str, tuple[str, object]]]]]]],
    content_usage: list[tuple[str | None, list[tuple[str, bool]]]],
    revision: str,
) -> str: ...
