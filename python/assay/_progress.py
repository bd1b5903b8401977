"""Progress of a job: a callback of the caller, or a line on the terminal."""

from __future__ import annotations

import sys
from typing import Callable, Optional, Union

Callback = Callable[[float, str], None]
Progress = Union[None, bool, Callback]


class Bar:
    """One line that is written over, on standard error."""

    def __init__(self) -> None:
        self._width = 0

    def __call__(self, fraction: float, stage: str) -> None:
        line = f"{fraction:4.0%}  {stage}"[:100]
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def wipe(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


class Watched:
    """``with Watched(progress) as callback``: the callback for the engine, None for nobody."""

    def __init__(self, progress: Progress) -> None:
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise TypeError(f"progress: expected True, False or a function, found {progress!r:.80}")
        on_terminal = progress is None and sys.stderr is not None and sys.stderr.isatty()
        self._bar = Bar() if progress is True or on_terminal else None
        self._callback: Optional[Callback] = self._bar or (progress if callable(progress) else None)

    def __enter__(self) -> Optional[Callback]:
        return self._callback

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.wipe()
