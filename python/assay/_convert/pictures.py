"""Pictures that a file keeps as bytes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath
from typing import Any, Callable, Iterator, List, Optional

from .columns import Error, Pictures

#: First bytes of the pictures that Assay reads, and the ending of their files. Of WebP the length is in between.
PICTURES = (
    (rb"\x89PNG\r\n\x1a\n", ".png"),
    (rb"\xff\xd8\xff", ".jpg"),
    (rb"GIF8[79]a", ".gif"),
    (rb"RIFF....WEBP", ".webp"),
    (rb"BM", ".bmp"),
    (rb"(?:II\*\0|MM\0\*)", ".tiff"),
)
#: A file of a few megabytes can say that it holds any number of bytes.
MOST_BYTES_OF_PICTURE = 64 << 20
MOST_BYTES_OF_PICTURES = 64 << 30


def ending_of(picture: bytes) -> Optional[str]:
    """The ending of a picture's file by its content; None for what is no picture that Assay reads."""
    return next((ending for magic, ending in PICTURES if re.match(magic, picture[:16], re.DOTALL)), None)


def _has_bytes(kind: Any) -> bool:
    """Whether a type of Arrow is that of Hugging Face's pictures: a structure of ``bytes`` and ``path``."""
    return hasattr(kind, "get_field_index") and kind.num_fields == 2 and min(
        kind.get_field_index("bytes"), kind.get_field_index("path")
    ) >= 0


def _is_binary(kind: Any) -> bool:
    return str(kind) in ("binary", "large_binary")


def pictures_of(schema: Any, parts: Callable[[str], Iterator[Any]]) -> Optional[Pictures]:
    """The first column of pictures that are stored as bytes.

    :param parts: yields a column, or a field of one (``image.path``), in parts
    """

    def read(name: str) -> Iterator[Optional[bytes]]:
        for part in parts(name):
            yield from part.to_pylist()

    for field in schema:
        if _has_bytes(field.type):
            place = field.name + ".bytes"
            paths = ["" if path is None else path for path in read(field.name + ".path")]
        elif _is_binary(field.type):
            place, paths = field.name, []
        else:
            continue
        first = next((one for one in read(place) if one is not None), None)
        if first is not None and ending_of(first):
            return Pictures(field.name, paths, lambda place=place: read(place))
    return None


def pictures_of_table(table: Any) -> Optional[Pictures]:
    def parts(place: str) -> Iterator[Any]:
        name, _, field = (place, "", "") if place in table.column_names else place.rpartition(".")
        for chunk in table.column(name).chunks:
            part = chunk.field(field) if field else chunk
            for begin in range(0, len(part), 256):
                yield part[begin : begin + 256]

    return pictures_of(table.schema, parts)


def _plain_stems(names: List[str]) -> Optional[List[str]]:
    """Names of files without folders and endings, of plain characters; None where they are not all different."""
    stems = [re.sub(r"[^A-Za-z0-9_-]+", "_", PurePosixPath(name.replace("\\", "/")).stem)[:100] for name in names]
    distinct = {stem.lower() for stem in stems}
    return stems if len(distinct) == len(stems) and "" not in distinct else None


def write_pictures(pictures: Pictures, ids: Optional[List[Any]], folder: Path, file: Path) -> List[str]:
    """Writes a column of pictures into a new folder; all of them, or nothing.

    :param ids: by which the pictures are called, where that gives plain names that are all different; else by the paths
        that the file has for them, else by their rows
    :return: the name of each picture's file in the folder; of a sample without a picture, one without ending
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise Error(f"{folder}: expected no such folder, or an empty one, to write the pictures to, found one in use")
    stems = _plain_stems([str(one) for one in ids]) if ids else None
    stems = stems or (_plain_stems(pictures.paths) if pictures.paths else None)
    names: List[str] = []
    total = 0
    folder.mkdir(exist_ok=True)
    try:
        room = min(MOST_BYTES_OF_PICTURES, shutil.disk_usage(folder).free)
        for row, picture in enumerate(pictures.read()):
            ending = ending_of(picture) if picture else None
            names.append((stems[row] if stems else f"{row:06d}") + (ending or ""))
            if picture is None or ending is None:
                continue
            total += len(picture)
            if len(picture) > MOST_BYTES_OF_PICTURE or total > room:
                limit = MOST_BYTES_OF_PICTURE if len(picture) > MOST_BYTES_OF_PICTURE else room
                raise Error(f"{file}, row {row}: expected pictures of at most {limit} bytes, found more", "bad_input")
            with open(folder / names[-1], "xb") as stream:
                stream.write(picture)
    except BaseException:
        shutil.rmtree(folder)
        raise
    return names
