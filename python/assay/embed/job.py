"""Embeds one source: decodes ahead on threads, fits the batch to memory, keeps parts, writes the archive."""

from __future__ import annotations

import itertools
import os
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from .array_sources import read_header
from .errors import EmbedError, refuse, undisturbed
from .parts import Archive, Part, PartFolder, text_array, write_whole
from .pictures import framed, thumbnail
from .progress import Progress
from .sources import Label, Sample, Source, folder_labels, named

_PART_ROWS = 4096
_PART_SECONDS = 30.0
In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Facts:
    """What goes into the file as text: what the embedding is called and how it was made."""

    model: str
    weights: str
    preprocessing: str
    versions: str
    source: str = ""  # its fingerprint


@dataclass(frozen=True)
class Prepared:
    sample: Sample
    values: Any = None  # what the network is shown
    image: Any = None  # thumbnail, or nothing
    problem: str = ""


class Batches:
    """Runs the network on batches, smaller ones from the first time that memory runs out."""

    def __init__(self, embed: Callable[[Any], Any], size: int, progress: Progress) -> None:
        self._embed = embed
        self.size = size
        self._progress = progress

    def run(self, values: list[Any]) -> list[Any]:
        """@param values one array for each sample @return an embedding for each"""
        import numpy

        results: list[Any] = []
        while len(results) < len(values):
            piece = values[len(results):len(results) + self.size]
            try:
                results.extend(self._embed(numpy.stack(piece)))
                continue
            except (RuntimeError, MemoryError) as error:
                if not _is_out_of_memory(error):
                    reason = (str(error).splitlines() or [type(error).__name__])[0]
                    raise EmbedError(f"the network failed on a batch of {len(piece)}: {reason}") from error
                if len(piece) == 1:
                    raise EmbedError("not enough memory for a single sample; --device cpu may have more") from error
            # Behind the except: the error's traceback holds what the network had allocated.
            self.size = max(1, len(piece) // 2)
            self._progress.say(f"Out of memory: batches of {self.size} from here on")
            _give_back_memory()
        return results


def prepare_picture(apply: Callable[[Any], Any], side: int) -> Callable[[Sample], Prepared]:
    """@param side of thumbnails; 0 for none"""

    def prepare(sample: Sample) -> Prepared:
        try:
            image = sample.load()
        except EmbedError as error:
            return Prepared(sample, problem=str(error))
        return Prepared(sample, apply(image), thumbnail(image, side) if side else None)

    return prepare


def embed_source(source: Source, prepare: Callable[[Sample], Prepared], batches: Batches, folder: PartFolder,
                 start: int, threads: int, progress: Progress) -> None:
    """Adds the parts that are missing, from sample `start` on. What is done when this ends early is kept."""
    part = Part(start, start)
    begun = time.monotonic()
    progress.step("Embedding", start, source.total)
    try:
        for group in _groups(_ahead(prepare, source.samples(start), threads, 2 * batches.size + threads), batches):
            good = [each for each in group if not each.problem]
            embedded = batches.run([each.values for each in good])
            with undisturbed():
                _extend(part, group, good, embedded, source)
            progress.step("Embedding", part.end, source.total)
            if part.end - part.begin >= _PART_ROWS or time.monotonic() - begun > _PART_SECONDS:
                folder.add(part)
                part = Part(part.end, part.end)
                begun = time.monotonic()
    finally:
        if part.end > part.begin:
            folder.add(part)


def _extend(part: Part, group: list[Prepared], good: list[Prepared], embedded: list[Any], source: Source) -> None:
    for each, values in zip(good, embedded):
        part.embeddings.append(values)
        if each.image is not None:
            part.images.append(each.image)
        if source.has_ids:
            part.ids.append(each.sample.id)
        part.labels.append(each.sample.label)
    part.left_out.extend(f"{each.sample.id} ({each.problem})" for each in group if each.problem)
    part.end = group[-1].sample.index + 1


@dataclass(frozen=True)
class Made:
    """What an earlier run has written."""

    facts: Facts
    rows: int
    dimensions: int


def made_of(file: str) -> Made | None:
    """Nothing where assay-embed has not made the file, or it is damaged."""
    import numpy

    try:
        with numpy.load(file, allow_pickle=False) as arrays:
            facts = Facts(**{each.name: str(arrays[each.name]) for each in fields(Facts)})
        with zipfile.ZipFile(file) as archive, archive.open("embeddings.npy") as stream:
            rows, dimensions = read_header(stream, file)[0]
    except (OSError, ValueError, TypeError, AttributeError, KeyError, EmbedError, zipfile.BadZipFile):
        return None
    return Made(facts, rows, dimensions)


def write_archive(output: str, folder: PartFolder, source: Source, facts: Facts, progress: Progress) -> None:
    """Joins the parts. @raise EmbedError when none of the samples could be decoded"""
    rows, dimensions = 0, 0
    sizes: set[tuple[int, int]] = set()  # height and width of the thumbnails
    ids: list[str] = []
    labels: list[Label] = []
    left_out: list[str] = []
    for part in folder.parts():
        if len(part["embeddings"]):
            rows, dimensions = rows + len(part["embeddings"]), part["embeddings"].shape[1]
        sizes.update(image.shape[:2] for image in part["images"])
        ids += part["ids"]
        labels += part["labels"]
        left_out += part["left_out"]
    if rows == 0:
        raise refuse(source.name, "pictures that can be decoded", named("none: {count}", left_out))
    notes = source.notes()
    if left_out:
        notes.append(named(f"{source.name}: {{count}} left out, not to be decoded", left_out))
    for note in notes:
        progress.warn(note)

    def write(temporary: str) -> None:
        filled = (part for part in folder.parts() if len(part["embeddings"]))
        with Archive(temporary) as archive:
            archive.rows("embeddings", "<f4", (rows, dimensions), (part["embeddings"] for part in filled))
            if sizes:
                _write_pictures(archive, rows, sizes, (part["images"] for part in folder.parts() if part["images"]))
            classes = folder_labels(ids) if source.labels_are_folders else labels
            if classes and all(label is not None for label in classes):
                archive.whole("labels", text_array(classes) if isinstance(classes[0], str) else classes)
            if ids:
                archive.whole("ids", text_array(ids))
            for key, value in vars(facts).items():
                archive.text(key, value)
            archive.text("notes", "; ".join(notes))

    write_whole(output, write, folder.file("archive.tmp"))
    progress.done(file=output, rows=rows, dimensions=dimensions, left_out=len(left_out))


def _write_pictures(archive: Archive, rows: int, sizes: set[tuple[int, int]], parts: Iterator[list[Any]]) -> None:
    """As they are where all have one size; else each within the largest height and width."""
    import numpy

    height, width = (max(lengths) for lengths in zip(*sizes))
    if len(sizes) == 1:
        archive.rows("images", "|u1", (rows, height, width, 3), (numpy.stack(pictures) for pictures in parts))
    else:
        archive.rows("images", "|u1", (rows, height, width, 4), (framed(pictures, height, width) for pictures in parts))


def _ahead(work: Callable[[In], Out], items: Iterator[In], threads: int, window: int) -> Iterator[Out]:
    """`work` of each item in order, on threads, at most `window` items ahead."""
    with ThreadPoolExecutor(threads) as pool:
        pending: list[Future[Out]] = []
        try:
            for item in items:
                pending.append(pool.submit(work, item))
                if len(pending) >= window:
                    yield pending.pop(0).result()
            while pending:
                yield pending.pop(0).result()
        finally:
            for future in pending:
                future.cancel()


def _groups(prepared: Iterator[Prepared], batches: Batches) -> Iterator[list[Prepared]]:
    """As many as a batch now takes."""
    while group := list(itertools.islice(prepared, batches.size)):
        yield group


def _is_out_of_memory(error: BaseException) -> bool:
    text = str(error).lower()
    return isinstance(error, MemoryError) or any(words in text for words in (
        "out of memory", "can't allocate memory", "not enough memory", "alloc_failed"))


def _give_back_memory() -> None:
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()


def default_threads() -> int:
    return max(1, min(16, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1))
