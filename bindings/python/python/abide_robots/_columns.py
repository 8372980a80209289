"""Columns of URLs: each library gets its answers as its own kind of column."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from abide_robots._native import BooleanColumn, DecisionColumn, Policy
    from abide_robots._types import OnError

    Shown: TypeAlias = Callable[[str, Any, list[Any]], object]


def allows_many(policy: Policy, urls: Any, errors: OnError) -> Any:
    """Answers about a column, or about any other iterable of URLs."""
    answer = _LIBRARIES.get(library(urls))
    if answer is not None:
        return answer(policy, urls, errors)
    if isinstance(urls, (str, bytes, bytearray)):
        name = type(urls).__name__
        message = f"argument 'urls': expected a list of URLs, but found one {name}; use allows()"
        raise TypeError(message)
    if hasattr(urls, "__arrow_c_array__"):
        return policy._arrow(urls, errors)[0]
    if hasattr(urls, "__arrow_c_stream__"):
        return [answers for chunk in policy._arrow(urls, errors) for answers in chunk.to_list()]
    try:
        items = list(urls)
    except TypeError:
        name = type(urls).__name__
        message = f"argument 'urls': expected a list or a column of URLs, but found {name}"
        raise TypeError(message) from None
    return policy.allows_many(items, errors=errors)


def library(value: object) -> str:
    """The name of the library that a value is of."""
    return type(value).__module__.partition(".")[0]


def of_rows(ask: Callable[..., Any], columns: tuple[Any, ...], shown: Shown) -> object:
    """Asks about rows, and shows the answers as the columns are."""
    libraries = {library(column) for column in columns}
    answers = ask(*map(_rows, columns))
    for name in ("pyarrow", "polars", "pandas", "numpy"):
        if name in libraries:
            return shown(name, answers, [column for column in columns if library(column) == name])
    is_list = any(isinstance(column, (list, tuple)) for column in columns)
    has_arrow = any(hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__") for column in columns)
    return shown("builtins" if is_list and not has_arrow else "", answers, [])


def _rows(column: Any) -> Any:
    """A column as the engine reads it."""
    if library(column) == "numpy" and hasattr(column, "tolist"):
        return column.ravel().tolist() if column.ndim else column.tolist()
    if library(column) != "pandas" or not hasattr(column, "to_numpy") or hasattr(column, "columns"):
        return column
    values = getattr(column, "array", column)
    if hasattr(values, "__arrow_array__"):
        return values.__arrow_array__()
    return [_item(value) for value in values.tolist()]


def _item(value: object) -> object:
    """A value of pandas, in which NaN is a missing one, and makes floats of integers beside it."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return None if type(value).__name__ == "NAType" else value


def allowed(name: str, answers: BooleanColumn, columns: list[Any]) -> object:
    """Answers of yes and no."""
    if name == "pandas":
        import pandas

        return pandas.Series(answers.to_list(), index=_index(columns), name="allowed", dtype="boolean")
    if name == "numpy":
        return _masked(answers.to_list())
    if name == "builtins":
        return answers.to_list()
    return _array(name, answers)


def _masked(answers: list[bool | None]) -> Any:
    import numpy

    values = numpy.array([answer is True for answer in answers], dtype=bool)
    # Always masked: whether some answer is missing must not change the type.
    return numpy.ma.MaskedArray(values, mask=[answer is None for answer in answers])


def decided(name: str, answers: DecisionColumn, columns: list[Any]) -> object:
    """Decisions with several fields."""
    if name != "pandas":
        return _array(name, answers)
    import pandas
    import pyarrow

    types = {
        pyarrow.bool_(): pandas.BooleanDtype(),
        pyarrow.uint32(): pandas.UInt32Dtype(),
        pyarrow.float64(): pandas.Float64Dtype(),
        pyarrow.string(): pandas.StringDtype(),
    }
    structs = pyarrow.array(answers)
    fields = pyarrow.Table.from_arrays(structs.flatten(), [field.name for field in structs.type])
    frame = fields.to_pandas(types_mapper=types.get)
    index = _index(columns)
    return frame if index is None else frame.set_axis(index, axis=0)


def _array(name: str, answers: BooleanColumn | DecisionColumn) -> object:
    if name == "pyarrow":
        import pyarrow

        return pyarrow.array(answers)
    if name == "polars":
        import polars

        return polars.Series(answers)
    return answers


def _index(columns: list[Any]) -> Any:
    """The index of the first Series."""
    return next((column.index for column in columns if hasattr(column, "index")), None)


def _numpy(policy: Policy, urls: Any, errors: OnError) -> Any:
    import numpy

    answers = numpy.frombuffer(policy._mask(urls.ravel().tolist(), errors), dtype=numpy.uint8)
    answers = answers.reshape(urls.shape)
    # Always masked: whether some answer is missing must not change the type.
    return numpy.ma.MaskedArray(answers == 1, mask=answers == 2)


def _pandas(policy: Policy, urls: Any, errors: OnError) -> Any:
    import pandas

    if isinstance(urls, pandas.DataFrame):
        message = f"argument 'urls': expected a Series, but found {type(urls).__name__}"
        raise TypeError(message)
    values = getattr(urls, "array", urls)
    if hasattr(values, "__arrow_array__"):
        # Text that pandas keeps as Arrow does is not copied.
        chunks = policy._arrow(values.__arrow_array__(), errors)
        answers = [answer for chunk in chunks for answer in chunk.to_list()]
    else:
        answers = policy.allows_many(values.tolist(), errors=errors)
    # Always the type with missing values: the schemas of chunks must not differ.
    if isinstance(urls, pandas.Series):
        return pandas.Series(answers, index=urls.index, name=urls.name, dtype="boolean")
    return pandas.array(answers, dtype="boolean")


def _polars(policy: Policy, urls: Any, errors: OnError) -> Any:
    import polars

    if not isinstance(urls, polars.Series):
        message = f"argument 'urls': expected a Series, but found {type(urls).__name__}"
        raise TypeError(message)
    chunks = [polars.Series(chunk) for chunk in policy._arrow(urls, errors)]
    answers = polars.concat(chunks) if chunks else polars.Series([], dtype=polars.Boolean)
    return answers.alias(urls.name)


def _pyarrow(policy: Policy, urls: Any, errors: OnError) -> Any:
    import pyarrow

    if not isinstance(urls, (pyarrow.Array, pyarrow.ChunkedArray)):
        message = f"argument 'urls': expected a column, but found {type(urls).__name__}"
        raise TypeError(message)
    chunks = [pyarrow.array(chunk) for chunk in policy._arrow(urls, errors)]
    if isinstance(urls, pyarrow.Array):
        return chunks[0]
    return pyarrow.chunked_array(chunks, type=pyarrow.bool_())


_LIBRARIES = {
    "numpy": _numpy,
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
}
