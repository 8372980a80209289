"""`allows_many`: lists, and the columns of other libraries."""

from __future__ import annotations

import numpy
import pandas
import polars
import pyarrow
import pytest

from abide_robots import BooleanColumn, InvalidOptionError, InvalidUrlError, Policy

POLICY = Policy("User-agent: *\nDisallow: /x\n", "ExampleBot")
URLS = ["https://e.example/", "https://e.example/x", "no url", None]
ANSWERS = [True, False, None, None]


@pytest.mark.parametrize(
    "urls",
    [
        URLS,
        tuple(URLS),
        iter(URLS),
        (url for url in URLS),
        dict.fromkeys(URLS),
        [url.encode() if url else None for url in URLS],
    ],
    ids=["list", "tuple", "iterator", "generator", "dict", "bytes"],
)
def test_iterables_give_lists(urls: object) -> None:
    assert POLICY.allows_many(urls) == ANSWERS


def test_answers_are_those_of_single_questions() -> None:
    urls = [f"https://e.example/{'x' if n % 3 else 'y'}{n}" for n in range(1_000)]
    assert POLICY.allows_many(urls) == [POLICY.allows(url) for url in urls]
    assert POLICY.allows_many([]) == []


TYPES = [
    pyarrow.string(),
    pyarrow.large_string(),
    pyarrow.string_view(),
    pyarrow.binary(),
    pyarrow.large_binary(),
    pyarrow.binary_view(),
    pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    pyarrow.dictionary(pyarrow.int32(), pyarrow.large_string()),
]


def column(data_type: pyarrow.DataType, urls: list[str | None] = URLS) -> pyarrow.Array:
    if pyarrow.types.is_dictionary(data_type):
        return pyarrow.array(urls, data_type.value_type).dictionary_encode().cast(data_type)
    return pyarrow.array(urls, data_type)


@pytest.mark.parametrize("data_type", TYPES, ids=str)
def test_arrow_columns(data_type: pyarrow.DataType) -> None:
    answers = POLICY.allows_many(column(data_type))
    assert isinstance(answers, pyarrow.BooleanArray)
    assert answers.to_pylist() == ANSWERS
    assert POLICY.allows_many(column(data_type).slice(1, 2)).to_pylist() == ANSWERS[1:3]
    assert POLICY.allows_many(column(data_type, [])).to_pylist() == []
    chunks = pyarrow.chunked_array([column(data_type), column(data_type)[:1]])
    answers = POLICY.allows_many(chunks)
    assert isinstance(answers, pyarrow.ChunkedArray)
    assert answers.to_pylist() == [*ANSWERS, True]


@pytest.mark.parametrize("data_type", TYPES, ids=str)
def test_arrow_columns_that_raise(data_type: pyarrow.DataType) -> None:
    with pytest.raises(InvalidUrlError, match=r"urls\[2\]") as caught:
        POLICY.allows_many(column(data_type), errors="raise")
    assert caught.value.index == 2


def test_nulls_of_no_type() -> None:
    assert POLICY.allows_many(pyarrow.nulls(2)).to_pylist() == [None, None]
    empty = pyarrow.chunked_array([], pyarrow.string())
    assert POLICY.allows_many(empty).to_pylist() == []


class Foreign:
    """A column of a library that nobody knows."""

    def __init__(self, array: pyarrow.Array) -> None:
        self.array = array

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.array.__arrow_c_array__(requested_schema)


def test_any_library_that_knows_arrow() -> None:
    answers = POLICY.allows_many(Foreign(column(pyarrow.string())))
    assert isinstance(answers, BooleanColumn)
    assert len(answers) == 4
    assert answers.to_list() == ANSWERS
    assert pyarrow.array(answers).to_pylist() == ANSWERS
    assert polars.Series(answers).to_list() == ANSWERS
    assert repr(answers) == "<BooleanColumn: 4 URLs, 1 allowed, 2 without an answer>"


def test_polars() -> None:
    series = polars.Series("url", URLS)
    answers = POLICY.allows_many(series)
    assert isinstance(answers, polars.Series)
    assert (answers.name, answers.dtype) == ("url", polars.Boolean)
    assert answers.to_list() == ANSWERS
    assert POLICY.allows_many(series.cast(polars.Categorical)).to_list() == ANSWERS
    assert POLICY.allows_many(polars.concat([series, series], rechunk=False)).to_list() == ANSWERS * 2
    assert POLICY.allows_many(series[:0]).to_list() == []


@pytest.mark.parametrize("dtype", ["str", "object", "string[pyarrow]", "string[python]"])
def test_pandas(dtype: str) -> None:
    series = pandas.Series(URLS, index=[3, 5, 7, 9], name="url", dtype=dtype)
    answers = POLICY.allows_many(series)
    assert answers.index.equals(series.index)
    assert (answers.name, str(answers.dtype)) == ("url", "boolean")
    assert answers.isna().tolist() == [False, False, True, True]
    assert answers.fillna(False).tolist() == [True, False, False, False]
    assert str(POLICY.allows_many(series[:2]).dtype) == "boolean"


def test_numpy() -> None:
    for dtype in [object, "U", numpy.dtypes.StringDType()]:
        urls = numpy.array([url or "" for url in URLS], dtype=dtype)
        answers = POLICY.allows_many(urls)
        assert (answers.dtype, answers.tolist()) == (bool, [True, False, None, None])
        assert urls[answers].tolist() == [urls[0]]
    square = numpy.array(URLS, dtype=object).reshape(2, 2)
    assert POLICY.allows_many(square).tolist() == [[True, False], [None, None]]
    whole = POLICY.allows_many(numpy.array(["/", "/x"], dtype="S"))
    assert whole.tolist() == [True, False]
    assert isinstance(whole, numpy.ma.MaskedArray)


@pytest.mark.parametrize("urls", [URLS, numpy.array(URLS, dtype=object), polars.Series(URLS)])
def test_errors_on_request(urls: object) -> None:
    with pytest.raises(InvalidUrlError, match=r"^urls\[2\]: .*: no url$") as caught:
        POLICY.allows_many(urls, errors="raise")
    assert (caught.value.url, caught.value.index) == ("no url", 2)


@pytest.mark.parametrize(
    "urls",
    ["https://e.example/", b"/", 5, None, [1], ["/", 2.5], numpy.array([1]), [["/"]]],
)
def test_wrong_types(urls: object) -> None:
    with pytest.raises(TypeError, match="argument 'urls'"):
        POLICY.allows_many(urls)


@pytest.mark.parametrize("urls", [pyarrow.array([1]), polars.Series([1.5])])
def test_columns_of_something_else(urls: object) -> None:
    with pytest.raises(InvalidOptionError, match="urls: expected text, but found a column of"):
        POLICY.allows_many(urls)


def test_whole_tables_are_no_columns() -> None:
    table = pyarrow.table({"url": URLS})
    for whole in [table, polars.DataFrame(table), table.to_pandas()]:
        with pytest.raises(TypeError, match="argument 'urls'"):
            POLICY.allows_many(whole)


def test_unknown_policies_about_errors() -> None:
    with pytest.raises(InvalidOptionError, match="errors"):
        POLICY.allows_many(["/"], errors="ignore")
