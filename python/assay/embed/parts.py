"""The result in parts: what an interruption leaves, and the archive that they become at the end."""

from __future__ import annotations

import glob
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import EmbedError, refuse
from .sources import Label

_SETTINGS = "settings.json"
_LOCK = "lock"


@dataclass
class Part:
    """Rows of consecutive samples of the source, without those that could not be decoded."""

    begin: int  # first sample
    end: int  # behind the last
    embeddings: list[Any] = field(default_factory=list)
    images: list[Any] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


class PartFolder:
    """The folder beside the output, `OUT.parts`. Every file in it is written whole or not at all."""

    def __init__(self, output: str, settings: dict[str, Any]) -> None:
        self.path = output + ".parts"
        self._settings = settings
        self._output = output
        self._lock: Any = None

    def begin(self, *, anew: bool, replace: bool = False) -> int:
        """Takes up what is there. @param replace forgets it when it is of another source or other settings
        @return the first sample that is missing @raise EmbedError when it is of another source or other settings"""
        try:
            os.makedirs(self.path, exist_ok=True)
            self._lock_for_this_run()
            if anew or (replace and not self._is_same()):
                for left in os.listdir(self.path):
                    if left != _LOCK:
                        os.unlink(os.path.join(self.path, left))
        except OSError as error:
            raise refuse(self.path, "a folder that can be written", error.strerror or str(error)) from error
        file = os.path.join(self.path, _SETTINGS)
        if os.path.exists(file):
            self._require_same(file)
        else:
            text = json.dumps(self._settings, indent=1, sort_keys=True)
            write_whole(file, lambda temporary: _write_text(temporary, text))
        for left in glob.glob(os.path.join(glob.escape(self.path), "*.tmp")):
            os.unlink(left)
        spans = self._spans()
        return spans[-1][1] if spans else 0

    def _is_same(self) -> bool:
        file = os.path.join(self.path, _SETTINGS)
        try:
            if os.path.exists(file):
                self._require_same(file)
            return True
        except EmbedError:
            return False

    def _require_same(self, file: str) -> None:
        try:
            with open(file, encoding="utf-8") as stream:
                before = json.load(stream)
            changed = [key for key in self._settings if before.get(key) != self._settings[key]]
        except (OSError, ValueError, AttributeError) as error:
            raise refuse(file, "the settings of an interrupted run", "a damaged file; --restart begins anew") from error
        if changed:
            key = changed[0]
            if key == "source fingerprint":
                raise refuse(self.path, "parts of this source as it is now", "the source has changed since; --restart begins anew")
            raise refuse(self.path, f"parts made with {key} '{self._settings[key]}'",
                         f"'{before.get(key)}'; the same settings go on, --restart begins anew")

    def file(self, name: str) -> str:
        return os.path.join(self.path, name)

    def add(self, part: Part) -> None:
        import numpy

        arrays = {"embeddings": numpy.stack(part.embeddings) if part.embeddings else numpy.zeros((0, 0), "float32")}
        if part.images:  # of many sizes: one after the other
            arrays["pixels"] = numpy.concatenate([image.reshape(-1) for image in part.images])
            arrays["sizes"] = numpy.array([image.shape[:2] for image in part.images], dtype=numpy.int64)
        meta = {"ids": part.ids, "labels": part.labels, "left_out": part.left_out}
        # ensure_ascii keeps names that are not UTF-8 as escaped surrogates.
        arrays["meta"] = numpy.frombuffer(json.dumps(meta).encode("ascii"), dtype=numpy.uint8)
        name = self.file(f"part-{part.begin:012d}-{part.end:012d}.npz")

        def write(temporary: str) -> None:
            with open(temporary, "wb") as stream:
                numpy.savez(stream, **arrays)

        write_whole(name, write)

    def _spans(self) -> list[tuple[int, int]]:
        """Of the parts that follow each other from the first sample on."""
        spans = []
        at = 0
        for name in sorted(glob.glob(os.path.join(glob.escape(self.path), "part-*.npz"))):
            begin, end = (int(number) for number in os.path.basename(name)[len("part-"):-len(".npz")].split("-"))
            if begin != at:
                break
            spans.append((begin, end))
            at = end
        return spans

    def parts(self) -> Iterator[dict[str, Any]]:
        import numpy

        for begin, end in self._spans():
            name = self.file(f"part-{begin:012d}-{end:012d}.npz")
            try:
                with numpy.load(name, allow_pickle=False) as arrays:
                    part = {key: arrays[key] for key in arrays.files if key != "meta"}
                    part.update(json.loads(arrays["meta"].tobytes()))
            except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
                raise refuse(name, "a part of an interrupted run", "a damaged file; --restart begins anew") from error
            part["images"] = _separate(part["pixels"], part["sizes"]) if "pixels" in part else []
            yield part

    def discard(self) -> None:
        self._unlock()
        shutil.rmtree(self.path, ignore_errors=True)

    def _lock_for_this_run(self) -> None:
        """@raise EmbedError while another run works on the same output. The system unlocks when a run ends, however."""
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        self._lock = open(os.path.join(self.path, _LOCK), "w", encoding="utf-8")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._unlock()
            raise refuse(self._output, "a file that no other run is writing", "one that another assay-embed writes") from error

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _separate(pixels: Any, sizes: Any) -> list[Any]:
    """@param pixels uint8, all pictures one after the other @param sizes [N, 2], height and width"""
    pictures = []
    at = 0
    for height, width in sizes.tolist():
        count = height * width * 3
        pictures.append(pixels[at:at + count].reshape(height, width, 3))
        at += count
    return pictures


def write_whole(name: str, write: Callable[[str], None], temporary: str | None = None) -> None:
    """Through a temporary file, renamed when it is on the disk.
    @param temporary where, on the same disk; beside the file by default"""
    temporary = temporary or f"{name}.{os.getpid()}.tmp"
    try:
        write(temporary)
        with open(temporary, "r+b") as stream:
            os.fsync(stream.fileno())
        os.replace(temporary, name)
    except OSError as error:
        raise refuse(name, "a file that can be written", error.strerror or str(error)) from error
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


class Archive:
    """A .npz written array by array, each piece by piece: no more of it in memory than a part."""

    def __init__(self, file: str) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def rows(self, key: str, dtype: str, shape: tuple[int, ...], pieces: Iterator[Any]) -> None:
        import numpy

        header = {"descr": numpy.lib.format.dtype_to_descr(numpy.dtype(dtype)), "fortran_order": False, "shape": shape}
        with self._zip.open(f"{key}.npy", "w", force_zip64=True) as stream:
            numpy.lib.format.write_array_header_1_0(stream, header)
            for piece in pieces:
                stream.write(memoryview(numpy.ascontiguousarray(piece, dtype=dtype)).cast("B"))

    def whole(self, key: str, array: Any) -> None:
        import numpy

        with self._zip.open(f"{key}.npy", "w", force_zip64=True) as stream:
            numpy.lib.format.write_array(stream, numpy.asanyarray(array), allow_pickle=False)

    def text(self, key: str, value: str) -> None:
        import numpy

        self.whole(key, numpy.array(value))


def text_array(texts: Sequence[str]) -> Any:
    """Unicode; file names that are not UTF-8 as the bytes that they are."""
    import numpy

    array = numpy.array(list(texts))
    try:
        "".join(texts).encode("utf-8")
    except UnicodeEncodeError:
        array = numpy.array([os.fsencode(text) for text in texts])
    return array


def _write_text(file: str, text: str) -> None:
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)
