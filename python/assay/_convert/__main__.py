"""Run by ``python3 FOLDER`` of this folder, whatever it is called: neither the package nor its compiled module is needed."""

import importlib
import importlib.util
import os
import sys

if not __package__:
    folder = os.path.dirname(os.path.abspath(__file__))
    # Its modules are no modules for others: `readers` may be one of someone else's.
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != folder]
    spec = importlib.util.spec_from_file_location(
        "assay_convert", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    sys.modules["assay_convert"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["assay_convert"])

sys.exit(importlib.import_module((__package__ or "assay_convert") + ".command").main())
