"""The conversion, and its command line."""

from __future__ import annotations

import argparse
import csv
import os
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Optional

from .columns import Columns, Error, is_matrix, numpy, require_numpy
from .pictures import write_pictures
from .readers import READERS, reader_of

LABELS = ("label", "labels", "class", "classes", "target")
IDS = ("id", "ids", "path", "file", "filename", "file_name", "image_path")
PICKLES = (".pkl", ".pickle", ".joblib", ".dill")


def _choose(read: Columns, asked: Optional[str], own: Optional[str], usual: tuple, file: Path) -> Optional[str]:
    if asked is not None and asked not in read.columns:
        raise Error(f"{file}: expected one of the columns {', '.join(read.columns)}, found {asked}", "bad_input")
    named = [name for name in read.columns if name.lower() in usual]
    return asked or own or (named[0] if named else None)


def _embeddings(read: Columns, key: Optional[str], file: Path) -> numpy.ndarray:
    matrices = [name for name, value in read.columns.items() if is_matrix(value)]
    if key is not None and key not in read.columns:
        raise Error(f"{file}: expected one of the columns {', '.join(read.columns)}, found {key}", "bad_input")
    if key is None and len(matrices) > 1:
        usual = [name for name in matrices if name in ("embeddings", "embedding", "features", "X")]
        key = usual[0] if usual else None
        if key is None:
            raise Error(f"{file}: expected the key of one of the columns of vectors {', '.join(matrices)}, found none", "bad_input")
    if key is not None or matrices:
        chosen = read.columns[key or matrices[0]]
        if not is_matrix(chosen):
            raise Error(f"{file}: expected vectors of equal length in {key}, found other values", "bad_input")
        return chosen
    raise Error(f"{file}: expected a column of vectors, found none", "bad_input")


def _is_nested(column: Any) -> bool:
    return any(isinstance(one, (list, tuple, dict, numpy.ndarray)) for one in column)


def _as_table(
    read: Columns, chosen: Dict[str, Optional[str]], file: Path, tell: Callable[[str], None]
) -> Dict[str, Any]:
    """The columns as a table has them: classes and ids by names that say so, without what is no single value."""
    index = "__index_level_0__"  # of pandas
    ids = chosen["ids"] or (index if index in read.columns else None)
    called = {}
    if chosen["labels"] is not None and chosen["labels"].lower() not in LABELS:
        called[chosen["labels"]] = "label"
    if ids is not None and ids.lower() not in IDS:
        called[ids] = "id"
    nested = [name for name, value in read.columns.items() if _is_nested(value)]
    if nested:
        tell(f"{file}: left out, as they hold lists: {', '.join(nested)}")
    table = {called.get(name, name): value for name, value in read.columns.items() if name not in nested}
    if not table:
        raise Error(f"{file}: expected a column of vectors or columns of values, found neither", "bad_input")
    return table


def _print_note(note: str) -> None:
    print(f"assay: note: {note}", file=sys.stderr)


def _write_table(columns: Dict[str, Any], out: Path) -> None:
    with open(out, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        flat: Dict[str, Any] = {}
        for name, value in columns.items():
            if is_matrix(value):
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
    :return: ``out``; of columns without vectors a table of that name (``.csv``), which is read as tables are. Pictures that are stored as bytes are beside it, in ``OUT_pictures``, with their names as ids. Where a
        set has pictures but no vectors, no archive is written, and this is their folder; classes are in
        ``OUT_labels.csv``. ``assay-embed`` makes embeddings of them
    :raises assay.Error: naming what is missing; for a pickle, which is never read
    """
    file, out = Path(file), Path(out)
    if file.suffix.lower() in PICKLES:
        raise Error(
            f"{file}: expected anything but a pickle, which runs what is in it; save the arrays as .npz", "bad_input"
        )
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
    require_numpy(file)
    read = reader(file)
    chosen = {
        "labels": _choose(read, labels, read.labels, LABELS, file),
        "ids": _choose(read, ids, read.ids, IDS, file),
    }
    values = None
    if out.suffix.lower() == ".npz" and (read.pictures is None or key or any(map(is_matrix, read.columns.values()))):
        if key is None and not any(map(is_matrix, read.columns.values())):
            table = out.with_suffix(".csv")
            _write_table(_as_table(read, chosen, file, tell), table)
            return table
        values = _embeddings(read, key, file)
    if read.pictures is not None:
        folder = out.with_name(out.stem + "_pictures")
        names = write_pictures(read.pictures, read.columns[chosen["ids"]] if chosen["ids"] else None, folder, file)
        empty = sum(not (folder / name).exists() for name in names)
        if empty:
            tell(f"{file}: {empty} of {len(names)} samples have no picture that Assay reads")
        chosen["ids"] = read.pictures.name
        read.columns[read.pictures.name] = names
    if out.suffix.lower() == ".csv":
        _write_table(read.columns, out)
        return out
    if values is None:  # only pictures
        if chosen["labels"] is not None:
            rows = zip(read.columns[chosen["ids"]], read.columns[chosen["labels"]])
            kept = [row for row in rows if (folder / row[0]).exists()]
            _write_table(
                {"id": [row[0] for row in kept], "label": [row[1] for row in kept]},
                out.with_name(out.stem + "_labels.csv"),
            )
        tell(
            f"{file} has pictures and no embeddings: the pictures are in {folder}. Make embeddings of them with: "
            f"assay-embed {folder} --out {out}"
        )
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
    parser.add_argument(
        "--ids", metavar="COLUMN", help="the column of ids or paths of pictures; by default one of that name"
    )


def run(given: argparse.Namespace) -> int:
    try:
        convert(given.file, given.out, key=given.key, labels=given.labels, ids=given.ids)
    except Error as error:
        print(f"assay: {error}", file=sys.stderr)
        return 3
    return 0


class _Parser(argparse.ArgumentParser):
    """Fails where its help cannot be printed, which argparse passes over."""

    def _print_message(self, message, file=None):
        if file is not sys.stdout:
            return super()._print_message(message, file)
        try:
            file.write(message)
            file.flush()
        except OSError as error:
            print(f"{self.prog}: standard output: expected room to write, found: {error.strerror}", file=sys.stderr, flush=True)
            os._exit(1)  # without another attempt to write what is left


def main() -> int:
    """The program ``assay-convert``."""
    parser = _Parser(prog="assay-convert", description=DESCRIPTION)
    add_arguments(parser)
    return run(parser.parse_args())
