"""Where pictures come from: the sources that Assay itself reads, in the same order."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Optional, Union

from .errors import EmbedError, refuse
from .pictures import decode, is_named_picture

_MOST_BYTES = 1 << 28  # of one picture's file, Assay's own limit
Label = Optional[Union[str, int]]


@dataclass(frozen=True)
class Sample:
    index: int  # in the source
    id: str  # for messages, and for the file where the source has ids
    label: Label
    load: Callable[[], Any]  # a PIL image in RGB; @raise EmbedError


class Source(ABC):
    """Pictures in a fixed order, read once from any of them on."""

    name: str
    total: int
    has_ids = False
    labels_are_folders = False
    size: tuple[int, int] | None = None  # width and height, where all are alike

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Changes with the source; cheap: sizes and times of files, not their contents."""

    @abstractmethod
    def samples(self, start: int) -> Iterator[Sample]:
        """All from that one on."""

    def notes(self) -> list[str]:
        return []


def open_source(path: str) -> Source:
    """Decides by the content. @raise EmbedError when it is none that is read here"""
    from . import array_sources

    path, key = split_key(path)
    if not os.path.exists(path):
        raise refuse(path, "a file or folder", "nothing of that name")
    if os.path.isdir(path):
        return FolderSource(path)
    try:
        with open(path, "rb") as file:
            head = file.read(16)
    except OSError as error:
        raise refuse(path, "a file that can be read", error.strerror or str(error)) from error
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return array_sources.open_npz(path, key) if _holds_arrays(path) else ZipSource(path)
    source = array_sources.open_by_content(path, head)
    if source is not None:
        return source
    raise refuse(path, "a folder or zip of pictures, .npy or .npz with pictures as uint8 [N, height, width, channels], "
                       "IDX or CIFAR-10/100 binary", "a file that is none of these")


def split_key(source: str) -> tuple[str, str]:
    """`FILE.npz:KEY` as its file and its array; any other source as it is, with no array."""
    file, colon, key = source.rpartition(":")
    is_keyed = colon and not os.path.exists(source) and os.path.isfile(file)
    return (file, key) if is_keyed else (source, "")


def file_fingerprint(*paths: str, key: str = "") -> str:
    """Of the files' sizes and times, and of the array's name where one is chosen."""
    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape"))
    for path in paths:
        info = os.stat(path)
        digest.update(f"{os.path.basename(path)}\0{info.st_size}\0{info.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


class FolderSource(Source):
    """Whole relative paths, byte by byte; hidden files and links to folders are left out."""

    has_ids = True
    labels_are_folders = True

    def __init__(self, path: str) -> None:
        self.name = path
        self._folder = Path(path)
        self._paths: list[str] = []
        self._others: list[str] = []
        self._list()
        self.total = len(self._paths)
        if not self._paths:
            raise refuse(path, "a folder with pictures (PNG, JPEG, WebP, BMP, GIF, TIFF)", "none in it, at any depth")

    def _list(self) -> None:
        def fail(error: OSError) -> None:
            raise refuse(self.name, "a folder that can be read", error.strerror or str(error))

        for folder, below, files in os.walk(self._folder, onerror=fail, followlinks=False):
            below[:] = [name for name in below if not name.startswith(".")]
            for name in files:
                if name.startswith(".") or not os.path.isfile(os.path.join(folder, name)):
                    continue
                relative = os.path.relpath(os.path.join(folder, name), self._folder)
                (self._paths if is_named_picture(name) else self._others).append(relative)
        self._paths.sort(key=os.fsencode)
        self._others.sort(key=os.fsencode)

    @property
    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for path in self._paths:
            info = os.stat(self._folder / path)
            digest.update(os.fsencode(path) + f"\0{info.st_size}\0{info.st_mtime_ns}\n".encode())
        return digest.hexdigest()

    def samples(self, start: int) -> Iterator[Sample]:
        for index in range(start, self.total):
            path = self._paths[index]
            yield Sample(index, path, None, partial(self._load, path))

    def _load(self, path: str) -> Any:
        try:
            file = self._folder / path
            if file.stat().st_size > _MOST_BYTES:
                raise EmbedError(f"its file is larger than {_MOST_BYTES} bytes")
            return decode(file.read_bytes())
        except OSError as error:
            raise EmbedError(error.strerror or str(error)) from error

    def notes(self) -> list[str]:
        return [named(f"{self.name}: {{count}} left out, no pictures by name", self._others)] if self._others else []


class ZipSource(Source):
    """A zip of pictures, with the labels of StyleGAN's dataset.json where there is one."""

    has_ids = True
    labels_are_folders = True

    def __init__(self, path: str) -> None:
        self.name = path
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError) as error:
            raise refuse(path, "a whole zip archive", str(error)) from error
        self._entries = sorted((info for info in self._zip.infolist() if _is_picture_entry(info)),
                               key=lambda info: info.filename.encode("utf-8", "surrogateescape"))
        self.total = len(self._entries)
        if not self._entries:
            raise refuse(path, "a zip with pictures (PNG, JPEG, WebP, BMP)", "none in it")
        self._notes: list[str] = []
        others = sorted(info.filename for info in self._zip.infolist() if _is_other_entry(info))
        if others:
            self._notes.append(named(f"{path}: {{count}} left out, no pictures by name", others))
        self._labels = self._dataset_labels()
        self.labels_are_folders = not self._has_list

    def _dataset_labels(self) -> dict[str, Label]:
        """Of each picture; empty where there are none. What the list does not name is of the class 'none'."""
        info = next((info for info in self._zip.infolist() if info.filename == "dataset.json"), None)
        self._has_list = info is not None
        if info is None:
            return {}
        where = f"{self.name}: 'dataset.json'"
        if info.file_size > _MOST_BYTES:
            raise refuse(where, f"at most {_MOST_BYTES} bytes", str(info.file_size))
        try:
            pairs = [(str(name), label) for name, label in json.loads(self._zip.read(info)).get("labels") or []]
        except Exception as error:  # of damaged archives as of JSON that is something else
            raise refuse(where, '{"labels": [[name, class], ...]}', "something else") from error
        if any(isinstance(label, (list, float)) for _, label in pairs):
            self._notes.append(f"{where}: labels that are not whole numbers were left out")
            return {}
        known = {name: label for name, label in pairs if isinstance(label, int) and not isinstance(label, bool)}
        names = [entry.filename for entry in self._entries]
        unknown = sum(name not in known for name in names)
        if unknown == len(names):
            return {}
        if unknown == 0:
            return {name: known[name] for name in names}
        self._notes.append(f"{where}: no class for {unknown} picture{'' if unknown == 1 else 's'}, here called 'none'")
        return {name: str(known.get(name, "none")) for name in names}

    @property
    def fingerprint(self) -> str:
        return file_fingerprint(self.name)

    def samples(self, start: int) -> Iterator[Sample]:
        for index in range(start, self.total):
            info = self._entries[index]
            yield Sample(index, info.filename, self._labels.get(info.filename), self._loader(info))

    def notes(self) -> list[str]:
        return self._notes

    def _loader(self, info: zipfile.ZipInfo) -> Callable[[], Any]:
        """Read here, one after the other; decoded where it is wanted."""
        try:
            if info.file_size > _MOST_BYTES:
                raise EmbedError(f"its file is larger than {_MOST_BYTES} bytes")
            return partial(decode, self._zip.read(info))
        except EmbedError as error:
            return partial(_fail, str(error))
        except Exception as error:  # zlib.error, NotImplementedError, RuntimeError for encrypted, ...
            return partial(_fail, (str(error).splitlines() or ["cannot be unpacked"])[0])


def folder_labels(ids: Sequence[str]) -> list[str] | None:
    """The first folder is the class, where every picture lies in one and there are several that are no shards: as Assay
    has it (docs/formats.md)."""
    labels = []
    for each in ids:
        folder, slash, _ = each.partition("/")
        if not slash:
            return None
        labels.append(folder)
    return labels if len(set(labels)) > 1 and not _are_shards(labels, ids) else None


def _are_shards(folders: Sequence[str], ids: Sequence[str]) -> bool:
    counts = Counter(folders)
    length = len(folders[0])
    if length < 2 or any(len(name) != length or not _is_digits(name) for name in counts):
        return False
    *full, last = (counts[name] for name in sorted(counts))
    filled_in_turn = set(full) == {full[0]} and last <= full[0]
    stems = [each.rpartition("/")[2].rpartition(".")[0] for each in ids]
    continues = all(_is_digits(stem) and len(stem) > length and stem.startswith(folder)
                    for folder, stem in zip(folders, stems))
    return (length >= 5 and filled_in_turn) or continues


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def named(text: str, names: Sequence[str]) -> str:
    """`{count}` becomes "7 files"; the first five names follow."""
    shown = ", ".join(f"'{name}'" for name in names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    count = f"{len(names)} file" + ("" if len(names) == 1 else "s")
    return text.replace("{count}", count) + f": {shown}{more}"


def _is_picture_entry(info: zipfile.ZipInfo) -> bool:
    parts = info.filename.split("/")
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
    return not info.is_dir() and not hidden and is_named_picture(parts[-1])


def _is_other_entry(info: zipfile.ZipInfo) -> bool:
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in info.filename.split("/"))
    return not info.is_dir() and not hidden and not is_named_picture(info.filename) and info.filename != "dataset.json"


def _holds_arrays(path: str) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.endswith(".npy") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise refuse(path, "a whole zip archive", str(error)) from error


def _fail(message: str) -> Any:
    raise EmbedError(message)
