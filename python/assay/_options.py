"""Options: what each may be, checked before anything is read."""

from __future__ import annotations

import numbers
import os
from typing import Any, Callable, Dict, List, Mapping, NoReturn, Union

import numpy

from ._errors import Error

Path = Union[str, "os.PathLike[str]"]


def refuse_type(name: str, expected: str, found: Any) -> NoReturn:
    raise TypeError(f"{name}: expected {expected}, found {found!r:.80}")


def _integer(lowest: int, highest: int = 2**31 - 1) -> Callable[[str, Any], int]:
    def check(name: str, value: Any) -> int:
        if not isinstance(value, numbers.Integral) or isinstance(value, bool):
            refuse_type(name, "an integer", value)
        integer = int(value)
        if not lowest <= integer <= highest:
            raise Error(f"{name}: expected an integer from {lowest} to {highest}, found {integer}")
        return integer

    return check


def _number(name: str, value: Any) -> float:
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        refuse_type(name, "a number", value)
    return float(value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, numpy.bool_)):
        refuse_type(name, "True or False", value)
    return bool(value)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        refuse_type(name, "a text", value)
    return str(value)


def _names(name: str, value: Any) -> List[str]:
    names = [value] if isinstance(value, str) else value
    if isinstance(names, (Mapping, bytes)) or not hasattr(names, "__iter__"):
        refuse_type(name, "names of columns", value)
    return [_text(name, one) for one in names]


def _kinds(name: str, value: Any) -> Dict[str, str]:
    if not isinstance(value, Mapping):
        refuse_type(name, 'kinds by the names of columns, such as {"zip": "category"}', value)
    return {_text(name, column): _text(name, kind) for column, kind in value.items()}


def _bytes(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, numbers.Integral)):
        refuse_type(name, 'bytes, as a number or a text such as "4G"', value)
    return str(value)


_CHECKS: Dict[str, Callable[[str, Any], Any]] = {
    "k": _integer(1),
    "seed": _integer(0, 2**64 - 1),
    "fdr": _number,
    "cover_k": _integer(1),
    "cover_c": _integer(1),
    "one_class": _flag,
    "quick": _flag,
    "scale": _text,
    "missing": _text,
    "one_hot": _flag,
    "ignore_columns": _names,
    "columns": _kinds,
    "backend": _text,
    "threads": _integer(0),
    "memory_limit": _bytes,
    "bad_fraction": _flag,
    "sample_size": _flag,
    "frontier": _flag,
    "discard": _names,
    "discard_useful": _names,
    "compat": _text,
}


def engine_options(given: Mapping[str, Any]) -> Dict[str, Any]:
    """The options among the arguments of a function as the engine takes them, without those that are None.

    :raises TypeError: for a value of another type
    """
    return {name: _CHECKS[name](name, value) for name, value in given.items() if name in _CHECKS and value is not None}


def checked_path(name: str, value: Any) -> str:
    if not isinstance(value, (str, os.PathLike)):
        refuse_type(name, "a path", value)
    return str(os.fspath(value))
