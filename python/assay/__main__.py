"""``python -m assay``: what the package does from a command line."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from ._convert import convert
from ._errors import Error


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m assay", description="Audits generative models, sample by sample.")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser(
        "convert",
        help="write a file of Python's formats as one that Assay reads",
        description="Reads Parquet, Arrow, Feather, JSON Lines, MATLAB up to 7, data sets of Hugging Face and AnnData. "
        "Never reads a pickle.",
    )
    one.add_argument("file", metavar="IN", help="the file, or the folder of a data set")
    one.add_argument("out", metavar="OUT", help=".npz for embeddings with classes and ids, .csv for a table")
    one.add_argument("--key", metavar="COLUMN", help="the column of vectors, where there are several")
    one.add_argument("--labels", metavar="COLUMN", help="the column of classes; by default one of that name")
    one.add_argument("--ids", metavar="COLUMN", help="the column of ids or paths of pictures; by default one of that name")
    given = parser.parse_args(arguments)
    try:
        convert(given.file, given.out, key=given.key, labels=given.labels, ids=given.ids)
    except Error as error:
        print(f"assay: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
