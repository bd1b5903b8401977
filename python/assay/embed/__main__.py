"""Run by ``python3 FOLDER`` of this folder, whatever it is called: neither the package nor its compiled module is needed.
Also ``python -m assay.embed``."""

import importlib
import importlib.util
import os
import sys

if sys.version_info < (3, 9):
    sys.exit(f"assay-embed: {sys.executable} is Python {sys.version.split()[0]}; 3.9 or later is needed")

if not __package__:
    folder = os.path.dirname(os.path.abspath(__file__))
    # Its modules are no modules for others: `series` may be one of someone else's.
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != folder]
    spec = importlib.util.spec_from_file_location(
        "assay_embed", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    sys.modules["assay_embed"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["assay_embed"])

sys.exit(importlib.import_module((__package__ or "assay_embed") + ".cli").main())
