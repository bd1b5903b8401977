"""Run by `python3 assay-embed` or `python3 scripts/assay-embed`."""

import sys

if sys.version_info < (3, 9):
    sys.exit(f"assay-embed: {sys.executable} is Python {sys.version.split()[0]}; 3.9 or later is needed")

from assay_embed.cli import main

sys.exit(main())
