"""Columns of URLs: each library gets its answers as its own kind of column."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from abide_robots._native import Policy
    from abide_robots._types import OnError


def allows_many(policy: Policy, urls: Any, errors: OnError) -> Any:
    """Answers about a column, or about any other iterable of URLs."""
    library = type(urls).__module__.partition(".")[0]
    answer = _LIBRARIES.get(library)
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
