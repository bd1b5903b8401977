"""What a run says of itself, on stderr: for people, or one JSON object a line for programs."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

_INTERVAL_S = 0.1


class Progress:
    """@param style text, json or none; warnings and errors are always said"""

    def __init__(self, style: str) -> None:
        self._style = style
        self._last = 0.0
        self._stage = ""
        self._open_line = False

    def step(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage == self._stage and done < total and now - self._last < _INTERVAL_S:
            return
        self._stage, self._last = stage, now
        if self._style == "json":
            self._event("progress", stage=stage, done=done, total=total)
        elif self._style == "text" and sys.stderr.isatty():
            percent = 100 * done // max(total, 1)
            self._write(f"\r{stage}: {done} of {total} ({percent} %)\x1b[K")
            self._open_line = done < total
            if not self._open_line:
                self._write("\n")

    def say(self, message: str) -> None:
        if self._style == "json":
            self._event("note", message=message)
        elif self._style == "text":
            self._line(message)

    def warn(self, message: str) -> None:
        if self._style == "json":
            self._event("warning", message=message)
        else:
            self._line(f"assay-embed: note: {message}")

    def fail(self, message: str) -> None:
        if self._style == "json":
            self._event("error", message=message)
        else:
            self._line(f"assay-embed: {message}")

    def done(self, **facts: Any) -> None:
        if self._style == "json":
            self._event("done", **facts)
        elif self._style == "text":
            self._line(f"{facts['file']}: {facts['rows']} x {facts['dimensions']}")

    def _event(self, event: str, **facts: Any) -> None:
        self._write(json.dumps({"event": event, **facts}) + "\n")

    def _line(self, text: str) -> None:
        if self._open_line:
            self._write("\n")
            self._open_line = False
        self._write(text + "\n")

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (BrokenPipeError, UnicodeEncodeError):
            pass  # whoever listened is gone; the embeddings are still wanted
