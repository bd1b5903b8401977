"""Figures of a training loop, in the manner of torchmetrics."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy

from ._audit import Audit, audit
from ._errors import Error
from ._options import engine_options
from ._results import Array
from ._sets import as_array


class Metric:
    """Figures of samples that come in batches.

    >>> metric = assay.Metric(real)
    >>> for batch in loader:
    ...     metric.update(network(generator(batch)))
    >>> metric.compute()["clipped_density"]
    >>> metric.reset()

    Features go into one growing float32 buffer. ``compute`` scores the real set once, however often it is called.

    :param real: as of ``audit``: the real set
    :param k: as of ``audit``; likewise the other options
    :param quick: False adds intervals and all that takes longer
    """

    def __init__(
        self,
        real: Any,
        *,
        k: int = 5,
        quick: bool = True,
        held_out: Any = None,
        backend: str = "auto",
        threads: Optional[int] = None,
    ) -> None:
        self._real = real
        self._held_out = held_out
        self._options = engine_options({"k": k, "quick": quick})
        self._work = {**engine_options({"backend": backend, "threads": threads}), "progress": False}
        self._first: Optional[Audit] = None
        self._buffer: Array = numpy.empty((0, 0), dtype=numpy.float32)
        self._rows = 0

    def update(self, features: Any) -> None:
        """Adds a batch [n, d]. Copies."""
        batch = as_array(features, "features")
        width = self._buffer.shape[1] if self._rows else None
        if batch.ndim != 2 or batch.dtype.kind not in "fiub" or width not in (None, batch.shape[1]):
            raise Error(
                f"features: expected numbers [n, {width or 'd'}], found {batch.dtype} {list(batch.shape)}", "bad_input"
            )
        rows = self._rows + len(batch)
        if rows > len(self._buffer) or width is None:
            larger = numpy.empty((max(rows, 2 * self._rows), batch.shape[1]), dtype=numpy.float32)
            if self._rows:
                larger[: self._rows] = self._buffer[: self._rows]
            self._buffer = larger
        self._buffer[self._rows : rows] = batch  # never rows that an audit was lent
        self._rows = rows

    def compute(self) -> Dict[str, float]:
        """Every figure of the samples so far by id; with ``quick=False`` also ``.low`` and ``.high`` of its interval."""
        name = "samples"
        if self._first is None:
            self._first = done = audit(
                self._real, {name: self._samples}, held_out=self._held_out, **self._options, **self._work
            )
        else:
            name = "samples again"
            done = self._first.add(name, self._samples, **self._work)
        return done[name].flat()

    def reset(self) -> None:
        """Forgets all samples; the real set stays."""
        self._buffer = numpy.empty((0, 0), dtype=numpy.float32)
        self._rows = 0

    @property
    def _samples(self) -> Array:
        if self._rows == 0:
            raise Error("compute: expected samples by update(), found none")
        return self._buffer[: self._rows]

    def __repr__(self) -> str:
        return f"<assay.Metric of {self._rows} samples>"
