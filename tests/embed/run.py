"""Runs one file of tests: `python3 tests/embed/run.py sources_test`. Ends with 77 when all of it was skipped."""

import importlib
import sys
import unittest
from pathlib import Path

SKIPPED = 77


def main() -> int:
    sys.path.insert(0, str(Path(__file__).parent))
    tests = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(sys.argv[1]))
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    if not result.wasSuccessful():
        return 1
    return SKIPPED if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
