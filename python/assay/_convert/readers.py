"""A reader for each format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .columns import Columns, Error, Pictures, needed, numpy
from .pictures import pictures_of, pictures_of_table


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

    pictures = pictures_of(schema, parts)
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


def read_arrow(file: Path) -> Columns:
    table = _arrow_table(file)
    pictures = pictures_of_table(table)
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
    pictures = pictures_of_table(table)
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
