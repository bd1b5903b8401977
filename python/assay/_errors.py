"""The one error that the package raises of its own."""

from __future__ import annotations


class Error(RuntimeError):
    """What went wrong, in the words of the engine: the file or option, what was expected and what was found.

    ``kind`` is one of ``bad_input``, ``invalid_argument``, ``not_enough_memory``, ``write_failed`` and
    ``device_failed``.
    """

    def __init__(self, message: str, kind: str = "invalid_argument") -> None:
        super().__init__(message)
        self.kind = kind
