"""Audits generative models, sample by sample.

>>> import assay
>>> audit = assay.audit(real, {"gan": gan, "vae": vae}, labels=classes, held_out=test)
>>> audit["gan"].summary, audit["gan"].metrics["clipped_density"], audit["gan"].interval("clipped_density")
>>> audit["gan"].samples["verdict"], audit.keep("gan", rules={"good_lost": 0.01}).metrics
>>> audit.require("clipped_density.low>=0.8")
>>> audit.report("audit.html"); audit.save("audit.assay"); audit.show()
"""

from . import _engine
from ._audit import Audit, Model, audit, catalog, compute_prdc, demo, frechet, open
from ._convert import convert
from ._errors import Error, RequirementError, UnknownNameError
from ._metric import Metric
from ._results import Kept, Neighbors, NeighborTable, Scores, Table
from ._sets import Set

__version__ = _engine.version
__all__ = [
    "Audit",
    "Error",
    "Kept",
    "Metric",
    "Model",
    "NeighborTable",
    "Neighbors",
    "RequirementError",
    "Scores",
    "Set",
    "Table",
    "UnknownNameError",
    "audit",
    "catalog",
    "compute_prdc",
    "convert",
    "demo",
    "frechet",
    "open",
]
