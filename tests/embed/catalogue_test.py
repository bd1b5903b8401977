"""The window offers the networks that assay-embed has."""

import re
import unittest
from pathlib import Path

import support  # noqa: F401  finds the program
from assay_embed.models import LSTM, MODELS
from assay_embed.series import Fit

OFFERED = Path(__file__).resolve().parents[2] / "gui" / "jobs" / "embedding_networks.cpp"


class CatalogueTest(unittest.TestCase):
    def test_window_and_program_agree(self):
        rows = re.findall(r'\{QStringLiteral\("([^"]+)"\), QStringLiteral\("[^"]+"\), (\d+)(?:, Embedded::Series)?\}', OFFERED.read_text())
        self.assertEqual([(name, int(dimensions)) for name, dimensions in rows],
                         [*((spec.name, spec.dimensions) for spec in MODELS.values()), (LSTM, Fit.dimensions)])
