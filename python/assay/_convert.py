"""Files that Python's libraries read and the engine does not, as files that it does.

``python -m assay convert IN OUT``, or this file by itself, writes an archive (``.npz``) of embeddings with classes and ids,
or a table (``.csv``). Pictures that are stored as bytes go to a folder beside it. Pickles are never read: opening one runs
what is in it.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path, PurePosixPath
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

#: Packages that formats need beside NumPy.
PACKAGES = {".parquet": "pyarrow", ".arrow": "pyarrow", ".feather": "pyarrow", ".mat": "scipy", ".h5ad": "h5py"}

try:
    import numpy
except ImportError:
    if __name__ != "__main__":  # alone it still says what it does, and what it needs
        raise
    numpy = None  # type: ignore[assignment]

try:
    from ._errors import Error
except ImportError:  # run by its file, as assay-score does, in a Python without the package

    class Error(RuntimeError):  # type: ignore[no-redef]
        def __init__(self, message: str, kind: str = "invalid_argument") -> None:
            super().__init__(message)

LABELS = ("label", "labels", "class", "classes", "target")
IDS = ("id", "ids", "path", "file", "filename", "file_name", "image_path")
PICKLES = (".pkl", ".pickle", ".joblib", ".dill")
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


class Pictures:
    """A column of encoded pictures, which is read in parts.

    :param paths: what the file calls each picture; empty texts where it says nothing
    :param read: yields the bytes of each picture, None where there is none
    """

    def __init__(self, name: str, paths: List[str], read: Callable[[], Iterator[Optional[bytes]]]) -> None:
        self.name = name
        self.paths = paths
        self.read = read


class Columns:
    """Columns of a file by name: each a list or an array with an entry a sample; vectors are arrays [N, d]."""

    def __init__(
        self,
        columns: Dict[str, Any],
        labels: Optional[str] = None,
        ids: Optional[str] = None,
        pictures: Optional[Pictures] = None,
    ) -> None:
        self.columns = columns
        self.labels = labels  #: names of the columns that the format itself calls so
        self.ids = ids
        self.pictures = pictures  #: beside the columns


def needed(name: str, file: Path, package: Optional[str] = None) -> Any:
    """A library, or what is missing and how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Error(
            f"{file}: reading it needs {package or name}, which {sys.executable} does not have. "
            f"Install it: {sys.executable} -m pip install {package or name.partition('.')[0]}"
        ) from None


def _require_numpy(file: Path) -> None:
    if numpy is not None:
        return
    package = "pyarrow" if file.is_dir() else PACKAGES.get(file.suffix.lower())
    lacking = ["numpy"] + ([package] if package and importlib.util.find_spec(package) is None else [])
    raise Error(
        f"{file}: reading it needs {' and '.join(lacking)}, which {sys.executable} does not have. "
        f"Install {'it' if len(lacking) == 1 else 'them'}: {sys.executable} -m pip install {' '.join(lacking)}"
    )


def _values(column: Any) -> Any:
    """An array of numbers, of vectors or of texts from values one by one."""
    column = list(column)
    if column and isinstance(column[0], (list, tuple, numpy.ndarray)):
        lengths = {len(one) for one in column}
        if len(lengths) == 1:
            return numpy.asarray(column)
    return column


def _of_arrow(table: Any, left_out: Tuple[str, ...] = ()) -> Dict[str, Any]:
    return {name: _values(table.column(name).to_pylist()) for name in table.column_names if name not in left_out}


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


def _pictures_of(schema: Any, parts: Callable[[str], Iterator[Any]]) -> Optional[Pictures]:
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


def _with_features(columns: Dict[str, Any], features: Dict[str, Any], pictures: Optional[Pictures]) -> Columns:
    """The columns as Hugging Face's description of them says: classes by their names, pictures by their paths."""
    labels = ids = None
    for name, feature in features.items():
        kind = feature.get("_type") if isinstance(feature, dict) else None
        if kind == "ClassLabel" and name in columns:
            texts = feature["names"]
            columns[name] = ["" if one is None or one < 0 else texts[one] for one in columns[name]]
            labels = labels or name
        if kind == "Image" and name in columns:
            columns[name] = [(one or {}).get("path") or "" for one in columns[name]]
            ids = ids or (name if all(columns[name]) else None)
    return Columns(columns, labels, ids, pictures)


def read_parquet(file: Path) -> Columns:
    opened = needed("pyarrow.parquet", file, "pyarrow").ParquetFile(file)
    schema = opened.schema_arrow

    def parts(place: str) -> Iterator[Any]:
        for batch in opened.iter_batches(batch_size=256, columns=[place]):
            column = batch.column(0)
            yield column if place in schema.names else column.field(0)

    pictures = _pictures_of(schema, parts)
    wanted = [name for name in schema.names if pictures is None or name != pictures.name]
    described = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
    features = (described.get("info") or {}).get("features") or {}
    return _with_features(_of_arrow(opened.read(columns=wanted)), features, pictures)


def _arrow_table(file: Path) -> Any:
    arrow = needed("pyarrow", file)
    with open(file, "rb") as head:
        magic = head.read(6)
    if magic[:4] == b"FEA1":
        return needed("pyarrow.feather", file, "pyarrow").read_table(file)
    with arrow.memory_map(str(file)) as source:
        opened = arrow.ipc.open_file(source) if magic == b"ARROW1" else arrow.ipc.open_stream(source)
        return opened.read_all()


def _pictures_of_table(table: Any) -> Optional[Pictures]:
    def parts(place: str) -> Iterator[Any]:
        name, _, field = (place, "", "") if place in table.column_names else place.rpartition(".")
        for chunk in table.column(name).chunks:
            part = chunk.field(field) if field else chunk
            for begin in range(0, len(part), 256):
                yield part[begin : begin + 256]

    return _pictures_of(table.schema, parts)


def read_arrow(file: Path) -> Columns:
    table = _arrow_table(file)
    pictures = _pictures_of_table(table)
    return Columns(_of_arrow(table, (pictures.name,) if pictures else ()), pictures=pictures)


def read_json_lines(file: Path) -> Columns:
    rows: List[Dict[str, Any]] = []
    with open(file, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise Error(f"{file}, line {number}: expected a JSON object, found {error}", "bad_input") from None
            if not isinstance(row, dict):
                raise Error(f"{file}, line {number}: expected a JSON object, found {type(row).__name__}", "bad_input")
            rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Columns({name: _values(row.get(name) for row in rows) for name in names})


def read_matlab(file: Path) -> Columns:
    loaded = needed("scipy.io", file, "scipy").loadmat(file)
    columns: Dict[str, Any] = {}
    for name, value in loaded.items():
        if name.startswith("__") or not isinstance(value, numpy.ndarray) or value.ndim != 2:
            continue
        if 1 in value.shape:  # MATLAB has no vectors
            value = value.reshape(-1)
        if value.dtype == object:
            value = [str(one[0]) if getattr(one, "size", 0) else "" for one in value]
        columns[name] = value
    return Columns(columns)


def read_data_set(folder: Path) -> Columns:
    """What ``datasets.Dataset.save_to_disk`` of Hugging Face writes."""
    arrow = needed("pyarrow", folder)
    parts = json.loads((folder / "state.json").read_text(encoding="utf-8"))["_data_files"]
    table = arrow.concat_tables([_arrow_table(folder / part["filename"]) for part in parts])
    pictures = _pictures_of_table(table)
    features = json.loads((folder / "dataset_info.json").read_text(encoding="utf-8")).get("features") or {}
    return _with_features(_of_arrow(table, (pictures.name,) if pictures else ()), features, pictures)


def _matrix(group: Any) -> numpy.ndarray:
    """A dense matrix, or one of AnnData's sparse ones."""
    if hasattr(group, "shape"):
        return group[...]
    kind, shape = group.attrs["encoding-type"], tuple(group.attrs["shape"])
    data, indices, pointers = (group[name][...] for name in ("data", "indices", "indptr"))
    dense = numpy.zeros(shape, dtype=data.dtype)
    major = numpy.repeat(numpy.arange(len(pointers) - 1), numpy.diff(pointers))
    rows, columns = (major, indices) if kind == "csr_matrix" else (indices, major)
    dense[rows, columns] = data
    return dense


def read_anndata(file: Path) -> Columns:
    hdf5 = needed("h5py", file)

    def texts(values: Any) -> List[str]:
        return [one.decode() if isinstance(one, bytes) else str(one) for one in values]

    columns: Dict[str, Any] = {}
    with hdf5.File(file, "r") as opened:
        columns["X"] = _matrix(opened["X"])
        for name, group in opened.get("obsm", {}).items():
            if hasattr(group, "shape") and len(group.shape) == 2:
                columns[name] = group[...]
        obs = opened["obs"]
        index = obs.attrs.get("_index", "_index")
        for name, column in obs.items():
            if hasattr(column, "shape"):
                values = column[...]
                columns[name] = texts(values) if values.dtype.kind in "OS" else values
            elif "categories" in column:
                categories = texts(column["categories"][...])
                columns[name] = [categories[code] if code >= 0 else "" for code in column["codes"][...]]
    return Columns(columns, None, index if index in columns else None)


READERS: Dict[str, Callable[[Path], Columns]] = {
    ".parquet": read_parquet,
    ".arrow": read_arrow,
    ".feather": read_arrow,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".mat": read_matlab,
    ".h5ad": read_anndata,
}


def reader_of(file: Path) -> Optional[Callable[[Path], Columns]]:
    """The reader of a file that the engine does not read; None for any other file."""
    if file.is_dir():
        return read_data_set if (file / "state.json").is_file() and (file / "dataset_info.json").is_file() else None
    reader = READERS.get(file.suffix.lower())
    if reader is read_matlab:
        with open(file, "rb") as head:  # 7.3 is HDF5, which the engine reads
            return reader if head.read(10).startswith(b"MATLAB 5.0") else None
    return reader


def _is_matrix(value: Any) -> bool:
    return isinstance(value, numpy.ndarray) and value.ndim == 2 and value.dtype.kind in "fiub"


def _is_number(value: Any) -> bool:
    array = numpy.asarray([numpy.nan if one is None else one for one in value])
    return array.ndim == 1 and array.dtype.kind in "fiub"


def _choose(read: Columns, asked: Optional[str], own: Optional[str], usual: tuple, file: Path) -> Optional[str]:
    if asked is not None and asked not in read.columns:
        raise Error(f"{file}: expected one of the columns {', '.join(read.columns)}, found {asked}", "bad_input")
    named = [name for name in read.columns if name.lower() in usual]
    return asked or own or (named[0] if named else None)


def _embeddings(read: Columns, key: Optional[str], left_out: set, file: Path) -> numpy.ndarray:
    matrices = [name for name, value in read.columns.items() if _is_matrix(value)]
    if key is not None and key not in read.columns:
        raise Error(f"{file}: expected one of the columns {', '.join(read.columns)}, found {key}", "bad_input")
    if key is None and len(matrices) > 1:
        usual = [name for name in matrices if name in ("embeddings", "embedding", "features", "X")]
        key = usual[0] if usual else None
        if key is None:
            raise Error(f"{file}: expected --key with one of {', '.join(matrices)}, found none", "bad_input")
    if key is not None or matrices:
        chosen = read.columns[key or matrices[0]]
        if not _is_matrix(chosen):
            raise Error(f"{file}: expected vectors of equal length in {key}, found other values", "bad_input")
        return chosen
    numbers = [name for name, value in read.columns.items() if name not in left_out and _is_number(value)]
    if not numbers:
        raise Error(f"{file}: expected a column of vectors or columns of numbers, found neither", "bad_input")
    return numpy.stack(
        [numpy.asarray([numpy.nan if one is None else one for one in read.columns[name]], float) for name in numbers], 1
    )


def _plain_stems(names: List[str]) -> Optional[List[str]]:
    """Names of files without folders and endings, of plain characters; None where they are not all different."""
    stems = [re.sub(r"[^A-Za-z0-9_-]+", "_", PurePosixPath(name.replace("\\", "/")).stem)[:100] for name in names]
    distinct = {stem.lower() for stem in stems}
    return stems if len(distinct) == len(stems) and "" not in distinct else None


def _write_pictures(pictures: Pictures, ids: Optional[List[Any]], folder: Path, file: Path) -> List[str]:
    """Writes a column of pictures into a new folder; all of them, or nothing.

    :param ids: by which the pictures are called, where that gives plain names that are all different; else by the paths
        that the file has for them, else by their rows
    :return: the name of each picture's file in the folder; empty where there is none
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
            if picture is None or ending is None:
                names.append("")
                continue
            total += len(picture)
            if len(picture) > MOST_BYTES_OF_PICTURE or total > room:
                limit = MOST_BYTES_OF_PICTURE if len(picture) > MOST_BYTES_OF_PICTURE else room
                raise Error(f"{file}, row {row}: expected pictures of at most {limit} bytes, found more", "bad_input")
            names.append((stems[row] if stems else f"{row:06d}") + ending)
            with open(folder / names[-1], "xb") as stream:
                stream.write(picture)
    except BaseException:
        shutil.rmtree(folder)
        raise
    return names


def _print_note(note: str) -> None:
    print(f"assay: note: {note}", file=sys.stderr)


def _write_table(columns: Dict[str, Any], out: Path) -> None:
    with open(out, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        flat: Dict[str, Any] = {}
        for name, value in columns.items():
            if _is_matrix(value):
                flat.update({f"{name}_{at}": value[:, at].tolist() for at in range(value.shape[1])})
            else:
                flat[name] = value.tolist() if isinstance(value, numpy.ndarray) else value
        writer.writerow(flat)
        writer.writerows(zip(*(("" if one is None else one for one in value) for value in flat.values())))


def convert(
    file: "str | Path",
    out: "str | Path",
    *,
    key: Optional[str] = None,
    labels: Optional[str] = None,
    ids: Optional[str] = None,
    tell: Callable[[str], None] = _print_note,
) -> Path:
    """Writes a file of Python's formats as one that the engine reads.

    Reads Parquet, Arrow and Feather, JSON Lines, MATLAB up to 7, data sets that Hugging Face's ``datasets`` has saved, and
    AnnData (``.h5ad``).

    :param file: the file or folder
    :param out: ``.npz``: embeddings with ``labels`` and ``ids``; or ``.csv``: a table with all columns
    :param key: the column of vectors, where there are several (of AnnData ``X`` or a name of ``obsm``)
    :param labels: the column of classes; by default one of that name
    :param ids: the column of ids or of the pictures' paths; by default one of that name
    :param tell: gets what a person should know about it; by default it goes to standard error
    :return: ``out``. Pictures that are stored as bytes are beside it, in ``OUT_pictures``, with their names as ids. Where a
        set has pictures but no vectors, no archive is written, and this is their folder; classes are in
        ``OUT_labels.csv``. ``assay-embed`` makes embeddings of them
    :raises assay.Error: naming what is missing; for a pickle, which is never read
    """
    file, out = Path(file), Path(out)
    if file.suffix.lower() in PICKLES:
        raise Error(f"{file}: expected anything but a pickle, which runs what is in it; save the arrays as .npz", "bad_input")
    if not file.exists():
        raise Error(f"{file}: expected a file, found nothing of that name", "bad_input")
    reader = reader_of(file)
    if reader is None:
        raise Error(
            f"{file}: expected a data set of Hugging Face or one of {', '.join(READERS)}; other files are opened as they are",
            "bad_input",
        )
    if out.suffix.lower() not in (".npz", ".csv"):
        raise Error(f"{out}: expected the name of a .npz or .csv to write, found another ending")
    _require_numpy(file)
    read = reader(file)
    chosen = {
        "labels": _choose(read, labels, read.labels, LABELS, file),
        "ids": _choose(read, ids, read.ids, IDS, file),
    }
    values = None
    if out.suffix.lower() == ".npz" and (read.pictures is None or key or any(map(_is_matrix, read.columns.values()))):
        values = _embeddings(read, key, {name for name in chosen.values() if name}, file)
    if read.pictures is not None:
        folder = out.with_name(out.stem + "_pictures")
        names = _write_pictures(read.pictures, read.columns[chosen["ids"]] if chosen["ids"] else None, folder, file)
        if not all(names):
            tell(f"{file}: {names.count('')} of {len(names)} samples have no picture that Assay reads")
        chosen["ids"] = read.pictures.name
        read.columns[read.pictures.name] = names
    if out.suffix.lower() == ".csv":
        _write_table(read.columns, out)
        return out
    if values is None:  # only pictures
        if chosen["labels"] is not None:
            rows = zip(read.columns[chosen["ids"]], read.columns[chosen["labels"]])
            kept = [row for row in rows if row[0]]
            _write_table({"id": [row[0] for row in kept], "label": [row[1] for row in kept]},
                         out.with_name(out.stem + "_labels.csv"))
        tell(f"{file} has pictures and no embeddings: the pictures are in {folder}. Make embeddings of them with: "
             f"assay-embed {folder} --out {out}")
        return folder
    parts: Dict[str, Any] = {"embeddings": values}
    for name, column in chosen.items():
        if column is not None:
            texts = numpy.asarray(["" if one is None else one for one in read.columns[column]])
            parts[name] = texts if texts.dtype.kind in "biufU" else texts.astype(str)
    numpy.savez(out, **parts)
    return out


DESCRIPTION = (
    "Converts files of Python's libraries for Assay. Reads Parquet, Arrow, Feather, JSON Lines, MATLAB up to 7, data sets of "
    "Hugging Face and AnnData; never a pickle. Pictures that are stored as bytes go to OUT_pictures."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN", help="the file, or the folder of a data set")
    parser.add_argument("out", metavar="OUT", help=".npz for embeddings with classes and ids, .csv for a table")
    parser.add_argument("--key", metavar="COLUMN", help="the column of vectors, where there are several")
    parser.add_argument("--labels", metavar="COLUMN", help="the column of classes; by default one of that name")
    parser.add_argument("--ids", metavar="COLUMN", help="the column of ids or paths of pictures; by default one of that name")


def run(given: argparse.Namespace) -> int:
    try:
        convert(given.file, given.out, key=given.key, labels=given.labels, ids=given.ids)
    except Error as error:
        print(f"assay: {error}", file=sys.stderr)
        return 3
    return 0


def main() -> int:
    """The program ``assay-convert``."""
    parser = argparse.ArgumentParser(prog="assay-convert", description=DESCRIPTION)
    add_arguments(parser)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
