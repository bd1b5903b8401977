"""``python -m assay``: what the package does from a command line."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from ._convert.command import DESCRIPTION, add_arguments, run


def main(arguments: Optional[List[str]] = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["embed"]:
        from .embed.cli import main as embed  # has options of its own

        return embed(given[1:])
    parser = argparse.ArgumentParser(prog="python -m assay", description="Audits generative models, sample by sample.")
    commands = parser.add_subparsers(dest="command", required=True)
    add_arguments(
        commands.add_parser(
            "convert", help="write a file of Python's formats as one that Assay reads", description=DESCRIPTION
        )
    )
    commands.add_parser("embed", help="make embeddings of pictures and series by networks; embed --help has more")
    return run(parser.parse_args(given))


if __name__ == "__main__":
    sys.exit(main())
