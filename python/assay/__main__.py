"""``python -m assay``: what the package does from a command line."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from ._convert import DESCRIPTION, add_arguments, run


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m assay", description="Audits generative models, sample by sample.")
    commands = parser.add_subparsers(dest="command", required=True)
    add_arguments(
        commands.add_parser(
            "convert", help="write a file of Python's formats as one that Assay reads", description=DESCRIPTION
        )
    )
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
