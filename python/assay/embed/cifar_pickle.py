"""CIFAR for Python: a pickle, of which nothing is called but what makes an array of numbers."""

from __future__ import annotations

import io
import pickle
from functools import partial
from typing import Any

from .array_sources import ArraySource
from .errors import refuse
from .sources import Source

_EXPECTED = "a batch of CIFAR: a dictionary with 'data', uint8 [N, 3072]"
_MOST_BYTES = 1 << 30  # all of a batch is read at once
# What numpy's own pickles name, before and since its version 2, and Python 2's way to write bytes.
_ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"), ("numpy._core.multiarray", "_reconstruct"),
    ("numpy.core.numeric", "_frombuffer"), ("numpy._core.numeric", "_frombuffer"),
    ("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode"),
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name}, which is not called")
        if name == "_reconstruct":
            from numpy import ndarray

            # Of a batch always these arguments: the array is filled by what follows.
            return lambda kind, shape, code: ndarray.__new__(ndarray, (0,), "b")
        return super().find_class(module, name)


def open_cifar_pickle(path: str) -> Source:
    """@raise EmbedError for any other pickle"""
    import numpy

    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise refuse(path, f"at most {_MOST_BYTES} bytes", "more")
    try:
        batch = _Reader(io.BytesIO(data), encoding="latin1").load()
    except Exception as error:  # damaged pickles raise whatever they like
        raise refuse(path, _EXPECTED, (str(error).splitlines() or ["a damaged pickle"])[0]) from error
    fields = {_text(key): value for key, value in batch.items()} if isinstance(batch, dict) else {}
    pixels = fields.get("data")
    if not isinstance(pixels, numpy.ndarray) or pixels.dtype != numpy.uint8 or pixels.ndim != 2 or (
            pixels.shape[1] != 3072 or len(pixels) == 0):
        raise refuse(path, _EXPECTED, "another pickle")
    count = len(pixels)
    rows = numpy.ascontiguousarray(pixels).tobytes()
    source = ArraySource(path, (count, 32, 32, 3), partial(io.BytesIO, rows))
    source.arrange = lambda row: row.reshape(3, 32, 32).transpose(1, 2, 0)
    labels = fields.get("labels", fields.get("fine_labels"))
    if labels is not None:
        if not isinstance(labels, list) or len(labels) != count or not all(type(label) is int for label in labels):
            raise refuse(f"{path}: 'labels'", f"{count} whole numbers, one for each picture", "something else")
        source.labels = labels
    names = fields.get("filenames")
    if isinstance(names, list) and len(names) == count:
        source.ids = [_text(name) for name in names]
        source.has_ids = True
    return source


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
