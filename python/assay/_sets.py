"""How what a person hands over becomes a set of the engine: files, data frames, or arrays lent to it."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional

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
    :param series: that an array [N, steps, 3] holds steps in time, not the points of clouds
    """

    def __init__(
        self, values: Any, *, labels: Any = None, ids: Any = None, images: Any = None, series: bool = False
    ) -> None:
        self.values = values
        self.labels = labels
        self.ids = ids
        self.images = images
        self.series = series


class Scratch:
    """A folder for what the engine can only read from files. It is removed with the audit."""

    def __init__(self) -> None:
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None

    @property
    def is_used(self) -> bool:
        return self._folder is not None

    def file(self, name: str) -> str:
        """A file of its own, however others are called."""
        return os.path.join(self.folder(), name.replace("/", "_"))

    def folder(self) -> Path:
        """A new folder, for files that are called like others."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assay-")
        return Path(tempfile.mkdtemp(dir=self._folder.name))


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
    if isinstance(value, numpy.ma.MaskedArray):
        value = _unmasked(value)
    array = numpy.asarray(value)
    return array.astype(numpy.float32) if array.dtype.name == "bfloat16" else array


def _unmasked(array: numpy.ma.MaskedArray) -> numpy.ndarray:
    """What is masked is missing: NaN, or None where there are no numbers."""
    if not numpy.ma.getmaskarray(array).any():
        return array.data
    if array.dtype.kind == "f":
        return array.filled(numpy.nan)
    if array.dtype == numpy.uint8 and array.ndim > 2:
        raise Error("expected pictures without a mask, found masked pixels")
    return array.astype(float).filled(numpy.nan) if array.dtype.kind in "biu" else array.astype(object).filled(None)


def as_list(value: Any) -> numpy.ndarray:
    """Classes or ids as integers, floats or text; what is missing becomes an empty text."""
    if isinstance(value, numpy.ma.MaskedArray) and numpy.ma.getmaskarray(value).any():
        value = value.astype(object).filled(None)
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


def _write_frame(frame: Any, ids: Any, name: str, file: str) -> None:
    """A data frame as a table; its ids are those given, or those of its index."""
    columns = [str(column) for column in frame.columns]
    if ids is not None and "id" in columns:
        raise Error(f"ids of {name}: expected none beside the frame's column 'id'")
    if ids is not None and len(ids) != len(frame):
        raise Error(f"ids of {name}: expected {len(frame)}, found {len(ids)}")
    if not hasattr(frame, "to_csv"):  # polars
        if ids is not None:
            frame = type(frame)({"id": list(as_list(ids))}).hstack(frame)
        frame.write_csv(file)
        return
    if ids is not None:
        frame = frame.set_axis(list(as_list(ids)), axis=0)
    is_count = type(frame.index).__name__ == "RangeIndex"
    has_ids = "id" not in columns and (ids is not None or not is_count) and frame.index.nlevels == 1
    frame.to_csv(file, index=has_ids, index_label="id" if has_ids else None)


def _labelled_by(frame: Any, column: str, name: str) -> Any:
    """The frame with that column as its labels."""
    if column == "label":
        return frame
    if "label" in frame.columns:
        raise Error(f"labels of {name}: expected one column of labels, found '{column}' and 'label'")
    return frame.rename(columns={column: "label"}) if hasattr(frame, "to_csv") else frame.rename({column: "label"})


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
    if "\0" in name:
        raise Error(f"models: expected names of text, found {name!r}")
    described: Dict[str, Any] = {"name": name}
    if is_frame(values):
        if isinstance(one.labels, str) and one.labels in values.columns:
            one = Set(_labelled_by(values, one.labels, name), ids=one.ids, images=one.images)
        file = scratch.file(f"{name}.csv")
        _write_frame(one.values, one.ids, name, file)
        one = Set(file, labels=one.labels, images=one.images)
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
        described["series"] = one.series
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
    return Set(one.values, series=one.series, **chosen)


def named_models(models: Any) -> Dict[str, Any]:
    """Models by name; files without names are called after themselves."""
    if isinstance(models, Mapping):
        if not models:
            raise Error('models: expected at least one, such as {"gan": samples}, found none')
        return {str(name): samples for name, samples in models.items()}
    if isinstance(models, Set) or is_frame(models) or hasattr(models, "__array__") or hasattr(models, "__dlpack__"):
        return {"model": models}
    files: List[Any] = [models] if is_path(models) else list(models)
    if not files or not all(is_path(file) for file in files):
        raise Error('models: expected a dictionary such as {"gan": samples}, or paths, found samples without a name')
    return dict(zip(_names_of([Path(file) for file in files]), files))


def _names_of(files: List[Path]) -> List[str]:
    """What tells the files apart: their stems, or as many of their folders as it takes: "ra/emb", "ga/emb"."""
    parts = [(*file.parts[:-1], file.stem) for file in files]
    for depth in range(1, max(map(len, parts)) + 1):
        names = ["/".join(of[-depth:]) for of in parts]
        if len(set(names)) == len(names):
            return names
    raise Error("models: expected every file once, found " + str(max(files, key=files.count)) + " twice")


def require_sets(parts: Mapping[str, Any], sets: Iterable[str], models: Iterable[str]) -> None:
    """Every name that labels, ids or images are given for is that of one set."""
    for key, value in parts.items():
        if not isinstance(value, Mapping):
            continue
        if unknown := [str(name) for name in value if name not in set(sets)]:
            raise Error(f"{key}: expected names among {', '.join(sets)}; found {', '.join(unknown)}")
        if both := [name for name in value if name in ("real", "held_out") and name in set(models)]:
            raise Error(f"{key}: expected the name of one set, found {both[0]}, a model's too: give it by assay.Set")
