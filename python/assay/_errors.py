"""The errors that the package raises of its own."""

from __future__ import annotations

import re


class Error(RuntimeError):
    """What went wrong, in the words of the engine: the file or option, what was expected and what was found.

    ``kind`` is one of ``bad_input``, ``invalid_argument``, ``not_enough_memory``, ``write_failed`` and
    ``device_failed``.
    """

    def __init__(self, message: str, kind: str = "invalid_argument") -> None:
        super().__init__(message)
        self.kind = kind


class UnknownNameError(Error, KeyError):
    """A name that a mapping does not have; the message lists those that it has."""

    __str__ = Error.__str__  # a KeyError shows its message in quotes


class RequirementError(Error, AssertionError):
    """An audit does not meet what ``Audit.require`` requires. ``failures`` has a sentence for every model and figure."""

    def __init__(self, failures: "list[str]") -> None:
        super().__init__("\n".join(failures))
        self.failures = failures

    def __reduce__(self) -> "tuple[type[RequirementError], tuple[list[str]]]":
        return RequirementError, (self.failures,)


_OPTION = re.compile(r"(?<![\w/.-])--(?:(missing|scale|backend) ([a-z][a-z0-9-]*)|ignore-columns (NAME)|([a-z][a-z-]*))")
_FLAGS = ("one-hot", "one-class", "quick", "bad-fraction", "sample-size", "frontier")
_OTHERS = {"open": "assay.open", "real-labels": "labels"}
_NAMES = {"false discovery rate:": "fdr:", "model names:": "models:"}


def _as_argument(option: "re.Match[str]") -> str:
    """An option of the command line as an argument in Python."""
    name, value, column, other = option.groups()
    if name:
        return f'{name}="{value}"'
    if column:
        return f'ignore_columns=["{column}"]'
    return _OTHERS.get(other, other.replace("-", "_") + ("=True" if other in _FLAGS else ""))


def of_engine(message: str, kind: str) -> Error:
    """An error of the engine, with arguments of Python in place of options of the command line."""
    for name, argument in _NAMES.items():
        if message.startswith(name):
            message = argument + message[len(name) :]
    return Error(_OPTION.sub(_as_argument, message), kind)
