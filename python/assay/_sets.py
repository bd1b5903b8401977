"""How what a person hands over becomes a set of the engine: files, data frames, or arrays lent to it."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

import numpy

from ._convert import convert, reader_of
from ._errors import Error


class Set:
    """Samples with what belongs to them, for where ``audit`` is given several sets.

    :param values: embeddings or features, a row a sample: an array [N, d] (anything with ``__array__`` or DLPack), a
        data frame, or the path of a file or folder. Pictures alone, uint8 [N, H, W] or [N, H, W, 1, 3 or 4], are
        embedded by the built-in embedding. Series are floats [N, steps, features].
    :param labels: classes: N integers or texts, or the path of a file with them
    :param ids: N integers or texts
    :param images: uint8 [N, H, W] or [N, H, W, 1, 3 or 4], or the path of a folder or file of pictures
    """

    def __init__(self, values: Any, *, labels: Any = None, ids: Any = None, images: Any = None) -> None:
        self.values = values
        self.labels = labels
        self.ids = ids
        self.images = images


class Scratch:
    """A folder for what the engine can only read from files. It is removed with the audit."""

    def __init__(self) -> None:
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None

    @property
    def is_used(self) -> bool:
        return self._folder is not None

    def file(self, name: str) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assay-")
        return os.path.join(self._folder.name, name.replace("/", "_"))

    def folder(self) -> Path:
        """A new folder, for files that are called like others."""
        return Path(tempfile.mkdtemp(dir=os.path.dirname(self.file("-"))))


def is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and (hasattr(value, "to_csv") or hasattr(value, "write_csv"))


def as_array(value: Any) -> numpy.ndarray:
    """The array of anything that has one; without a copy where its memory is NumPy's to read."""
    if hasattr(value, "detach"):  # a tensor of torch: off the graph and the card
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":
            value = value.float()
    if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
        value = numpy.from_dlpack(value)
    array = numpy.asarray(value)
    return array.astype(numpy.float32) if array.dtype.name == "bfloat16" else array


def as_list(value: Any) -> numpy.ndarray:
    """Classes or ids as integers, floats or text; what is missing becomes an empty text."""
    array = as_array(value)
    if array.dtype.kind in "biufUS":
        return array
    return numpy.asarray(["" if one is None or one != one else str(one) for one in array.tolist()], dtype=str)


def lent(array: numpy.ndarray) -> tuple[bytes, Any]:
    """An array as the engine takes it: the header that NumPy would write to a file, and the memory of the elements."""
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        array = numpy.ascontiguousarray(array)
    header = io.BytesIO()
    numpy.lib.format.write_array_header_1_0(header, numpy.lib.format.header_data_from_array_1_0(array))
    if array.dtype.hasobject:
        raise Error(f"expected an array of numbers or text, found one of objects ({array.dtype})", "bad_input")
    elements = array if array.flags.c_contiguous else array.T
    return header.getvalue(), elements.reshape(-1).view(numpy.uint8)


def _write_frame(frame: Any, file: str) -> None:
    if hasattr(frame, "to_csv"):
        frame.to_csv(file, index=False)
    else:
        frame.write_csv(file)


def _beside(value: Any, file: str, what: str, scratch: Scratch) -> str:
    """A file for what stands beside a file of samples."""
    if is_path(value):
        return os.fspath(value)
    saved = scratch.file(f"{Path(file).name}.{what}.npy")
    numpy.save(saved, as_array(value) if what == "images" else as_list(value), allow_pickle=False)
    return saved


def describe(given: Any, name: str, scratch: Scratch) -> Dict[str, Any]:
    """The dictionary by which the engine is told of a set (python/src/requests.h)."""
    one = given if isinstance(given, Set) else Set(given)
    values = one.values
    described: Dict[str, Any] = {"name": name}
    if is_frame(values):
        file = scratch.file(f"{name}.csv")
        _write_frame(values, file)
        values = file
    if is_path(values):
        described["file"] = os.fspath(values)
        if Path(values).exists() and reader_of(Path(values)) is not None:
            out = scratch.folder() / f"{Path(values).name}.npz"
            described["file"] = os.fspath(convert(values, out, tell=lambda note: None))
            pictures, classes = (out.with_name(out.stem + end) for end in ("_pictures", "_labels.csv"))
            if one.images is None and out.exists() and pictures.is_dir():
                described["pictures"] = os.fspath(pictures)
            if one.labels is None and not out.exists() and classes.exists():
                described["classes"] = os.fspath(classes)
        if one.ids is not None:
            raise Error(f"ids of {name}: expected them in the file {described['file']}, found others beside it")
        if one.images is not None:
            described["pictures"] = _beside(one.images, described["file"], "images", scratch)
        if one.labels is not None:
            described["classes"] = _beside(one.labels, described["file"], "labels", scratch)
        return described
    described["place"] = f"{name} (in memory)"
    array = None if values is None else as_array(values)
    if array is not None and array.dtype == numpy.uint8 and array.ndim in (3, 4) and one.images is None:
        described["images"] = lent(array)
    elif array is not None:
        described["values"] = lent(array)
    for key, value, file_key in (("images", one.images, "pictures"), ("labels", one.labels, "classes")):
        if value is not None and is_path(value):
            described[file_key] = os.fspath(value)
        elif value is not None:
            described[key] = lent(as_array(value) if key == "images" else as_list(value))
    if one.ids is not None:
        described["ids"] = lent(as_list(one.ids))
    return described


def with_parts(given: Any, name: str, parts: Mapping[str, Any]) -> Set:
    """The set with the parts that ``audit`` was given for its name."""
    one = given if isinstance(given, Set) else Set(given)
    chosen = {}
    for key, value in parts.items():
        own = getattr(one, key)
        chosen[key] = value.get(name, own) if isinstance(value, Mapping) else own
    return Set(one.values, **chosen)


def named_models(models: Any) -> Dict[str, Any]:
    """Models by name; files without names are called after themselves."""
    if isinstance(models, Mapping):
        if not models:
            raise Error('models: expected at least one, such as {"gan": samples}, found none')
        return dict(models)
    files: List[Any] = [models] if is_path(models) else list(models)
    if not all(is_path(file) for file in files):
        raise Error('models: expected a dictionary such as {"gan": samples}, or paths, found samples without a name')
    return {Path(file).stem: file for file in files}
