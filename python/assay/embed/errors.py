"""What ends the program with one line instead of a traceback."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class EmbedError(Exception):
    """One line for a person: file, what was expected, what was found, the way out."""


class Cancelled(BaseException):
    """SIGINT or SIGTERM. Not an Exception, so that no `except Exception` takes it for a failure."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number


def refuse(where: str, expected: str, found: str) -> EmbedError:
    """In Assay's own form."""
    return EmbedError(f"{where}: expected {expected}, found {found}")


class _Signals:
    """Raises Cancelled in the main thread, once: what is being written is cleaned up undisturbed."""

    def __init__(self) -> None:
        self._held = False
        self._came = 0

    def install(self) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, self._handle)

    @contextmanager
    def held(self) -> Iterator[None]:
        self._held = True
        try:
            yield
        finally:
            self._held = False
            if self._came:
                raise Cancelled(self._came)

    def _handle(self, number: int, _frame: object) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        self._came = number
        if not self._held:
            raise Cancelled(number)


_SIGNALS = _Signals()
stop_on_signals = _SIGNALS.install
undisturbed = _SIGNALS.held  # a few statements that a signal must not tear apart
