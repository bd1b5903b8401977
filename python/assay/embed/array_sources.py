"""Pictures that lie in one array: .npy, .npz, IDX and CIFAR files. Read in order, a row at a time."""

from __future__ import annotations

import gzip
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

from .errors import refuse
from .pictures import MOST_PIXELS, from_array
from .sources import Label, Sample, Source, file_fingerprint

_CHANNELS = (1, 3, 4)
_UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)  # of damaged or encrypted files
_MOST_LISTED = 1 << 30  # bytes of labels or ids


class ArraySource(Source):
    """uint8 pictures of one size, [N, H, W] or [N, H, W, C], from a stream that is opened at each reading."""

    def __init__(self, name: str, shape: tuple[int, ...], open_rows: Callable[[], BinaryIO]) -> None:
        self.name = name
        self._shape = shape
        self._open = open_rows
        self.total = shape[0]
        self.size = (shape[2], shape[1])
        self.labels: list[Label] | None = None
        self.ids: list[str] | None = None
        self.files = [name]
        self.key = ""  # of the array, where one was chosen
        # From the bytes of a row to its pixels [H, W(, C)].
        self.arrange: Callable[[Any], Any] = lambda row: row.reshape(self._shape[1:])

    @property
    def fingerprint(self) -> str:
        return file_fingerprint(*self.files, key=self.key)

    def samples(self, start: int) -> Iterator[Sample]:
        import numpy

        row_bytes = 1
        for length in self._shape[1:]:
            row_bytes *= length
        with self._open() as stream:
            _skip(stream, start * row_bytes, self.name)
            for index in range(start, self.total):
                row = numpy.frombuffer(_exactly(stream, row_bytes, self.name), dtype=numpy.uint8)
                yield Sample(index, self.ids[index] if self.ids else str(index),
                             self.labels[index] if self.labels else None, partial(from_array, self.arrange(row)))


def open_by_content(path: str, head: bytes) -> Source | None:
    if head.startswith(b"\x93NUMPY"):
        return _open_npy(path)
    if head.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(path) as file:
                head = file.read(16)
        except _UNREADABLE as error:
            raise refuse(path, "a whole gzip file", str(error)) from error
        return _open_idx(path, head, gzip.open) if head.startswith(b"\0\0\x08") else None
    if head.startswith(b"\0\0\x08"):
        return _open_idx(path, head, open)
    if len(head) >= 2 and head[0] == 0x80 and 2 <= head[1] <= 5:
        from .cifar_pickle import open_cifar_pickle

        return open_cifar_pickle(path)
    return _open_cifar(path)


def open_npz(path: str, key: str = "") -> Source:
    """The array of that name, else `images` (or guided-diffusion's `arr_0`), with `labels` (`arr_1`) and `ids` where they
    are."""
    import numpy

    with zipfile.ZipFile(path) as archive:
        names = {info.filename[:-len(".npy")]: info for info in archive.infolist() if info.filename.endswith(".npy")}
        chosen = key
        expected = f"pictures as '{key}'" if key else "pictures as 'images' or 'arr_0'"
        key = key or ("images" if "images" in names else "arr_0")
        if key not in names:
            raise refuse(path, expected, ", ".join(sorted(names)[:20]) or "no arrays")
        where = f"{path}: '{key}'"
        with archive.open(names[key]) as stream:
            shape, fortran, dtype = read_header(stream, where)
            payload = names[key].file_size - stream.tell()
        _require_pictures(shape, fortran, dtype, payload, where)
        source = ArraySource(path, shape, partial(_open_entry, path, names[key].filename))
        source.key = chosen

        def companion(name: str) -> list[Any] | None:
            if name not in names:
                return None
            if names[name].file_size > _MOST_LISTED:
                raise refuse(f"{path}: '{name}'", f"at most {_MOST_LISTED} bytes", str(names[name].file_size))
            with archive.open(names[name]) as stream:
                try:
                    values = numpy.lib.format.read_array(stream, allow_pickle=False)
                except ValueError:  # a pickle, which is never loaded
                    return None
                except _UNREADABLE as error:
                    raise refuse(f"{path}: '{name}'", "bytes that can be read", str(error)) from error
            return listed(values, source.total, f"{path}: '{name}'")

        source.labels = companion("labels" if key != "arr_0" or "labels" in names else "arr_1")
        ids = companion("ids")
        source.ids = [str(each) for each in ids] if ids is not None else None
        source.has_ids = ids is not None
        return source


def listed(values: Any, count: int, where: str) -> list[Any]:
    """Labels or ids as whole numbers or text. @raise EmbedError when they are another number of entries, or of a kind
    that is neither"""
    if values.shape != (count,):
        raise refuse(where, f"{count} entries, one for each sample", str(list(values.shape)))
    if values.dtype.kind not in "iubSU":
        raise refuse(where, "whole numbers or text", str(values.dtype))
    if values.dtype.kind == "b":
        values = values.astype("uint8")
    return [text.decode("utf-8", "replace") if isinstance(text, bytes) else text for text in values.tolist()]


def _open_npy(path: str) -> Source:
    with open(path, "rb") as stream:
        shape, fortran, dtype = read_header(stream, path)
        begin = stream.tell()
    _require_pictures(shape, fortran, dtype, os.path.getsize(path) - begin, path)
    return ArraySource(path, shape, partial(_open_at, path, begin, open))


def _open_idx(path: str, head: bytes, opener: Callable[..., Any]) -> Source:
    if len(head) < 16:
        raise refuse(path, "IDX pictures as uint8 [N, height, width]", "a file that ends in its header")
    dimensions = [int.from_bytes(head[4 + 4 * i:8 + 4 * i], "big") for i in range(3)]
    if head[3] != 3 or 0 in dimensions or dimensions[1] * dimensions[2] > MOST_PIXELS:
        raise refuse(path, "IDX pictures as uint8 [N, height, width]", f"{head[3]} dimensions {dimensions}")
    begin = 16
    expected = begin + dimensions[0] * dimensions[1] * dimensions[2]
    if opener is open and os.path.getsize(path) != expected:  # of gzip it shows while reading
        raise refuse(path, f"{expected} bytes", str(os.path.getsize(path)))
    source = ArraySource(path, tuple(dimensions), partial(_open_at, path, begin, opener))
    beside = _labels_beside(path)
    if beside is not None:
        with (gzip.open if beside.endswith(".gz") else open)(beside, "rb") as stream:
            start = _exactly(stream, 8, beside)
            count = int.from_bytes(start[4:], "big")
            if start[:4] != b"\0\0\x08\x01" or count != source.total:
                raise refuse(beside, f"{source.total} labels as IDX uint8", f"{count} of another kind or number")
            source.labels = list(_exactly(stream, count, beside))
        source.files.append(beside)
    return source


def _labels_beside(path: str) -> str | None:
    folder, name = os.path.split(path)
    labels = name.replace("images", "labels").replace("idx3", "idx1")
    if labels == name:
        return None
    plain = labels[:-3] if labels.endswith(".gz") else labels
    found = (os.path.join(folder, each) for each in (labels, plain, plain + ".gz"))
    return next((each for each in found if os.path.isfile(each)), None)


def _open_cifar(path: str) -> Source | None:
    """Records of one label byte (CIFAR-10) or two (CIFAR-100: coarse, fine), then planes of 1024."""
    if not path.endswith(".bin"):  # nothing but the sizes tells them from any other file
        return None
    import numpy

    size = os.path.getsize(path)
    for label_bytes, classes in ((1, 10), (2, 100)):
        record = label_bytes + 3072
        if size == 0 or size % record != 0:
            continue
        count = size // record
        raw = numpy.memmap(path, dtype=numpy.uint8, mode="r", shape=(count, record))
        labels = raw[:, label_bytes - 1].tolist()
        if max(labels) >= classes or (label_bytes == 2 and int(raw[:, 0].max()) >= 20):
            continue
        source = ArraySource(path, (count, 32, 32, 3), partial(_open_cifar_rows, path, label_bytes))
        source.labels = labels
        source.arrange = lambda row: row.reshape(3, 32, 32).transpose(1, 2, 0)
        return source
    return None


class _RecordRows:
    """The pictures of CIFAR records as one stream, without the labels."""

    def __init__(self, path: str, label_bytes: int) -> None:
        self._file = open(path, "rb")
        self._label_bytes = label_bytes

    def __enter__(self) -> _RecordRows:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, count: int) -> bytes:
        assert count == 3072
        self._file.read(self._label_bytes)
        return self._file.read(count)

    def skip(self, count: int) -> None:
        self._file.seek(count // 3072 * (3072 + self._label_bytes), os.SEEK_CUR)


def _open_cifar_rows(path: str, label_bytes: int) -> Any:
    return _RecordRows(path, label_bytes)


def _open_at(path: str, begin: int, opener: Callable[..., Any]) -> BinaryIO:
    stream = opener(path, "rb")
    stream.seek(begin)
    return stream  # type: ignore[no-any-return]


def _open_entry(path: str, entry: str) -> Any:
    stream = zipfile.ZipFile(path).open(entry)
    read_header(stream, path)
    return stream


def read_header(stream: Any, where: str) -> tuple[tuple[int, ...], bool, Any]:
    import numpy

    try:
        version = numpy.lib.format.read_magic(stream)
        if version == (1, 0):
            return numpy.lib.format.read_array_header_1_0(stream)  # type: ignore[no-any-return]
        if version == (2, 0):
            return numpy.lib.format.read_array_header_2_0(stream)  # type: ignore[no-any-return]
    except (ValueError, *_UNREADABLE) as error:
        raise refuse(where, "a NumPy array", "a damaged header") from error
    raise refuse(where, "a NumPy array of version 1 or 2", f"version {version[0]}.{version[1]}")


def _require_pictures(shape: tuple[int, ...], fortran: bool, dtype: Any, payload: int, where: str) -> None:
    colour = len(shape) == 4 and shape[3] in _CHANNELS
    if str(dtype) != "uint8" or not (len(shape) == 3 or colour) or 0 in shape or shape[1] * shape[2] > MOST_PIXELS:
        raise refuse(where, "pictures as uint8 [N, height, width] or [N, height, width, 1, 3 or 4 channels]",
                     f"{dtype} {list(shape)}")
    if fortran:
        raise refuse(where, "pictures in C order", "Fortran order; numpy.ascontiguousarray() changes it")
    count = 1
    for length in shape:
        count *= length
    if payload != count:
        raise refuse(where, f"{count} bytes for uint8 {list(shape)}", str(payload))


def _exactly(stream: Any, count: int, where: str) -> bytes:
    try:
        data = stream.read(count)
    except _UNREADABLE as error:
        raise refuse(where, "bytes that can be read", str(error)) from error
    if len(data) != count:
        raise refuse(where, "more pictures", "the end of the file")
    return data  # type: ignore[no-any-return]


def _skip(stream: Any, count: int, where: str) -> None:
    if hasattr(stream, "skip"):
        stream.skip(count)
    elif count:
        try:
            stream.seek(count, os.SEEK_CUR)
        except _UNREADABLE as error:
            raise refuse(where, "bytes that can be read", str(error)) from error
