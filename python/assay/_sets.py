"""How what a person hands over becomes a set of the engine: files, data frames, or arrays lent to it."""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

import numpy

from ._convert import convert, reader_of
from ._errors import Error


class Set:
    """Samples with what belongs to them, for where ``audit`` is given several sets.

    :param values: embeddings or features, a row a sample: an array [N, d] (anything with ``__array__`` or DLPack), a
        data frame, or the path of a file or folder. Pictures alone, uint8 [N, H, W] or [N, H, W, 1, 3 or 4], are
        embedded by the built-in embedding. Series are floats [N, steps, features].
    :param labels: classes: N integers or texts, one-hot [N, C], or the path of a file with them
    :param groups: samples that belong together: N integers or texts, the name of a column of ``values``, or the path of a
        file with them
    :param ids: N integers or texts
    :param images: uint8 [N, H, W] or [N, H, W, 1, 3 or 4], or the path of a folder or file of pictures
    :param series: that an array [N, steps, 3] holds steps in time, not the points of clouds
    """

    def __init__(
        self,
        values: Any,
        *,
        labels: Any = None,
        groups: Any = None,
        ids: Any = None,
        images: Any = None,
        series: bool = False,
    ) -> None:
        self.values = values
        self.labels = labels
        self.groups = groups
        self.ids = ids
        self.images = images
        self.series = series

    def replaced(self, values: Any, **parts: Any) -> "Set":
        """The set with other values, and with other parts where they are given."""
        own = {key: getattr(self, key) for key in ("labels", "groups", "ids", "images", "series")}
        return Set(values, **{**own, **parts})

    def __repr__(self) -> str:
        shape = getattr(self.values, "shape", None)
        what = repr(self.values) if is_path(self.values) else f"{type(self.values).__name__} {list(shape or [])}"
        parts = [name for name in ("labels", "groups", "ids", "images") if getattr(self, name) is not None]
        return f"<assay.Set: {', '.join([what, *parts])}>"


class Scratch:
    """A folder for what the engine can only read from files. It is removed with the audit."""

    def __init__(self) -> None:
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._shown: Dict[str, str] = {}

    @property
    def is_used(self) -> bool:
        return self._folder is not None

    def file(self, name: str, shown: str) -> str:
        """A file of its own, however others are called.

        :param shown: how messages call it
        """
        file = os.path.join(self.folder(), name.replace("/", "_"))
        self.show(file, shown)
        return file

    def show(self, file: str, shown: str) -> None:
        self._shown[file] = shown

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Errors name what a person handed over, not the files that were made of it."""
        try:
            yield
        except Error as error:
            text = str(error)
            for file in sorted(self._shown, key=len, reverse=True):
                if file in text:
                    text = _by_rows(text.replace(file, self._shown[file]), file, self._shown[file])
            if text == str(error):
                raise
            raise Error(text, error.kind) from None

    def folder(self) -> Path:
        """A new folder, for files that are called like others."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assay-")
        return Path(tempfile.mkdtemp(dir=self._folder.name))


def _by_rows(text: str, file: str, shown: str) -> str:
    """Rows in place of lines of a table that was made of a data frame or of another file, a line for each row."""
    line = re.search(re.escape(shown) + r", line (\d+)", text)
    if line is None or not file.endswith(".csv"):
        return text
    row = int(line.group(1)) - 2
    if row < 0 or '"' in Path(file).read_text(encoding="utf-8"):  # a field in quotes may hold line ends
        return text.replace(line.group(), shown)
    return text.replace(line.group(), f"{shown}, row {row}")


def settled(given: Any, name: str) -> Any:
    """Lazy frames are collected, Arrow's tables become frames, and sparse matrices arrays; all else stays as it is."""
    if isinstance(given, Set):
        return given.replaced(settled(given.values, name))
    if hasattr(given, "collect_schema") and hasattr(given, "collect"):
        collected = given.collect()
        return collected if is_frame(collected) else given
    if hasattr(given, "column_names") and hasattr(given, "to_pandas"):
        try:
            return given.to_pandas()
        except ImportError:
            raise Error(
                f"{name}: expected pandas, which {type(given).__name__} needs, found none: pip install pandas"
            ) from None
    if hasattr(given, "toarray") and hasattr(given, "nnz"):
        size = math.prod(given.shape) * given.dtype.itemsize
        if size > _MOST_DENSE:
            raise Error(
                f"{name}: expected at most {_MOST_DENSE >> 30} GiB as a dense array, found a sparse matrix of "
                f"{size / 2**30:.1f} GiB; embed it in fewer columns, for instance by sklearn's TruncatedSVD"
            )
        return given.toarray()
    return given


_MOST_DENSE = 4 << 30  #: bytes


def is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and (hasattr(value, "to_csv") or hasattr(value, "write_csv"))


def as_array(value: Any, name: str) -> numpy.ndarray:
    """The array of anything that has one; without a copy where its memory is NumPy's to read.

    :param name: of the argument, for messages
    """
    if hasattr(value, "detach"):  # a tensor of torch: off the graph and the card
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":
            value = value.float()
    if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
        value = numpy.from_dlpack(value)
    if isinstance(value, numpy.ma.MaskedArray):
        value = _unmasked(value, name)
    try:
        array = numpy.asarray(value)
    except ValueError as error:
        raise Error(f"{name}: expected an array, found what NumPy refuses: {error}", "bad_input") from None
    if array.ndim == 0:
        raise TypeError(f"{name}: expected an array, a data frame or a path, found {value!r:.80}")
    return array.astype(numpy.float32) if array.dtype.name == "bfloat16" else array


def _unmasked(array: Any, name: str) -> Any:
    """What is masked is missing: NaN, or None where there are no numbers."""
    if not numpy.ma.getmaskarray(array).any():
        return array.data
    if array.dtype.kind == "f":
        return array.filled(numpy.nan)
    if array.dtype == numpy.uint8 and array.ndim > 2:
        raise Error(f"{name}: expected pictures without a mask, found masked pixels")
    missing = numpy.nan if array.dtype.kind in "biu" else None
    return numpy.where(numpy.ma.getmaskarray(array), missing, array.data)


def as_list(value: Any, name: str) -> numpy.ndarray:
    """Classes, groups or ids as integers, floats or text, or one-hot; what is missing becomes an empty text."""
    if is_frame(value) and len(value.columns) == 1:
        value = value[value.columns[0]]
    if isinstance(value, numpy.ma.MaskedArray) and numpy.ma.getmaskarray(value).any():
        value = numpy.where(numpy.ma.getmaskarray(value), numpy.array(None), value.data)
    array = as_array(value, name)
    if array.dtype.kind in "biufUS":
        return array
    if array.ndim > 1:
        raise Error(f"{name}: expected one value for each sample, found an array {list(array.shape)} of objects")
    return numpy.asarray(["" if one is None or one != one else str(one) for one in array.tolist()], dtype=str)


def lent(array: numpy.ndarray, name: str, copy: bool) -> Tuple[bytes, Any]:
    """An array as the engine takes it: the header that NumPy would write to a file, and the memory of the elements."""
    if array.dtype.hasobject:
        raise Error(f"{name}: expected an array of numbers or text, found one of objects ({array.dtype})", "bad_input")
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        array = numpy.ascontiguousarray(array)
    elif copy:
        array = array.copy(order="K")
    header = io.BytesIO()
    numpy.lib.format.write_array_header_1_0(header, numpy.lib.format.header_data_from_array_1_0(array))
    elements = array if array.flags.c_contiguous else array.T
    return header.getvalue(), elements.reshape(-1).view(numpy.uint8)


def _require_single_values(frame: Any, name: str) -> None:
    for at, column in enumerate(frame.columns):
        values = frame.iloc[:, at] if hasattr(frame, "iloc") else frame.to_series(at)
        if getattr(values.dtype, "kind", "O") != "O":
            continue
        first = next(iter(values.dropna() if hasattr(values, "dropna") else values.drop_nulls()), None)
        if first is not None and not isinstance(first, (str, bytes)) and hasattr(first, "__len__"):
            raise Error(
                f"{name}: expected columns of single values, found a {type(first).__name__} in {column!r}; give vectors as "
                f"an array, numpy.stack(frame[{column!r}])",
                "bad_input",
            )


def _write_frame(frame: Any, ids: Any, name: str, file: str) -> None:
    """A data frame as a table; its ids are those given, or those of its index."""
    columns = [str(column) for column in frame.columns]
    _require_single_values(frame, name)
    ids = None if ids is None else as_list(ids, f"ids of {name}")
    if ids is not None and "id" in columns:
        raise Error(f"ids of {name}: expected none beside the frame's column 'id'")
    if ids is not None and len(ids) != len(frame):
        raise Error(f"ids of {name}: expected {len(frame)}, found {len(ids)}")
    if not hasattr(frame, "to_csv"):  # polars
        if ids is not None:
            frame = type(frame)({"id": list(ids)}).hstack(frame)
        frame.write_csv(file)
        return
    if ids is not None:
        frame = frame.set_axis(list(ids), axis=0)
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


def _beside(value: Any, name: str, what: str, scratch: Scratch) -> str:
    """A file for what stands beside a file of samples."""
    if is_path(value):
        return str(os.fspath(value))
    place = f"{what} of {name}"
    saved = scratch.file(f"{what}.npy", place)
    numpy.save(saved, as_array(value, place) if what == "images" else as_list(value, place), allow_pickle=False)
    return saved


def describe(given: Any, name: str, scratch: Scratch, copy: bool = False) -> Dict[str, Any]:
    """The dictionary by which the engine is told of a set (python/src/requests.h).

    :param copy: arrays are copied, not lent
    """
    one = given if isinstance(given, Set) else Set(given)
    values = one.values
    if "\0" in name:
        raise Error(f"models: expected names of text, found {name!r}")
    described: Dict[str, Any] = {"name": name}
    if is_frame(values):
        if isinstance(one.labels, str) and one.labels in values.columns:
            one = one.replaced(_labelled_by(values, one.labels, name), labels=None)
        elif isinstance(one.labels, str) and not Path(one.labels.partition(":")[0]).exists():
            columns = ", ".join(map(str, values.columns))
            raise Error(f"labels of {name}: expected one of the columns {columns}, or a file, found {one.labels!r}")
        file = scratch.file(f"{name}.csv", f"{name} (data frame)")
        _write_frame(one.values, one.ids, name, file)
        one = one.replaced(file, ids=None)
        values = file
    if is_path(values):
        described["file"] = os.fspath(values)
        if Path(values).exists() and reader_of(Path(values)) is not None:
            out = scratch.folder() / f"{Path(values).name}.npz"
            described["file"] = os.fspath(convert(values, out, tell=lambda note: None))
            scratch.show(described["file"], os.fspath(values))
            pictures, classes = (out.with_name(out.stem + end) for end in ("_pictures", "_labels.csv"))
            if one.images is None and out.exists() and pictures.is_dir():
                described["pictures"] = os.fspath(pictures)
            if one.labels is None and not out.exists() and classes.exists():
                described["classes"] = os.fspath(classes)
        if one.ids is not None:
            raise Error(f"ids of {name}: expected them in the file {described['file']}, found others beside it")
        if one.images is not None:
            described["pictures"] = _beside(one.images, name, "images", scratch)
        if one.labels is not None:
            described["classes"] = _beside(one.labels, name, "labels", scratch)
        if one.groups is not None:
            described["group_source"] = _beside(one.groups, name, "groups", scratch)
        return described
    described["place"] = f"{name} (in memory)"
    array = None if values is None else as_array(values, name)
    if array is not None and array.dtype == numpy.uint8 and array.ndim in (3, 4) and one.images is None:
        described["images"] = lent(array, name, copy)
    elif array is not None:
        described["values"] = lent(array, name, copy)
        described["series"] = one.series
    besides = (("images", one.images, "pictures"), ("labels", one.labels, "classes"), ("groups", one.groups, "group_source"))
    for key, value, file_key in besides:
        if value is not None and is_path(value):
            described[file_key] = os.fspath(value)
        elif value is not None:
            place = f"{key} of {name}"
            described[key] = lent(as_array(value, place) if key == "images" else as_list(value, place), place, copy)
    if one.ids is not None:
        described["ids"] = lent(as_list(one.ids, f"ids of {name}"), f"ids of {name}", copy)
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
    models = settled(models, "models")
    if isinstance(models, Mapping):
        if not models:
            raise Error('models: expected at least one, such as {"gan": samples}, found none')
        return {str(name): settled(samples, str(name)) for name, samples in models.items()}
    if isinstance(models, Set) or is_frame(models) or hasattr(models, "__array__") or hasattr(models, "__dlpack__"):
        return {"model": models}
    if not is_path(models) and not hasattr(models, "__iter__"):
        raise TypeError(f'models: expected a dictionary such as {{"gan": samples}}, samples or paths, found {models!r:.80}')
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
    """Every name that labels, groups, ids or images are given for is that of one set."""
    for key, value in parts.items():
        if not isinstance(value, Mapping):
            continue
        if unknown := [str(name) for name in value if name not in set(sets)]:
            raise Error(f"{key}: expected names among {', '.join(sets)}; found {', '.join(unknown)}")
        if both := [name for name in value if name in ("real", "held_out") and name in set(models)]:
            raise Error(f"{key}: expected the name of one set, found {both[0]}, a model's too: give it by assay.Set")
