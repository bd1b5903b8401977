"""What an audit found, as plain values."""

from __future__ import annotations

import html
import json
import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from . import _engine
from ._errors import Error

Rules = Union[str, Mapping, Sequence, None]


def number(value: Optional[float]) -> float:
    """A figure of the JSON, in which null stands for what is no number."""
    return math.nan if value is None else value


class Named(Dict[str, Any]):
    """A dictionary that says which names it has when one is not among them."""

    def __missing__(self, name: str) -> Any:
        raise KeyError(f"expected one of {', '.join(self)}; found {name}")


def rules_json(rules: Rules) -> str:
    """Rules as the engine reads them.

    :param rules: ``{"good_lost": 0.01}``: lose at most this share of good samples; the name of a ready rule, such as
        ``"copy"``; the object or the list of docs/rules.md; or its JSON
    """
    if rules is None:
        return ""
    if isinstance(rules, str):
        return _engine.ready_rule(rules) or rules
    if isinstance(rules, Mapping) and set(rules) == {"good_lost"}:
        share = rules["good_lost"]
        if not isinstance(share, numbers.Real) or not 0 <= share <= 1:
            raise Error(f"good_lost: expected a share from 0 to 1, such as 0.01 for 1 %, found {share!r}")
        return json.dumps([{"column": "p_any", "bound": "at_least", "value": float(share)}])
    if isinstance(rules, Mapping) and "column" in rules:
        rules = [rules]
    return json.dumps(rules)


class Table(Mapping):
    """Columns by name, each an array with an entry a sample: ``row``, ``id``, ``label``, then every score.

    Scores of numbers are float64, NaN where a sample has none; verdicts are words. Columns and their order within a
    name are those of ``assay-score --csv``; ``assay.catalog()`` says what each means.
    """

    def __init__(self, samples: Tuple[List[int], List[str], List[str]], columns: Mapping) -> None:
        rows, ids, labels = samples
        self._columns: Dict[str, numpy.ndarray] = Named({
            "row": numpy.asarray(rows, dtype=numpy.int64),
            "id": numpy.asarray(ids, dtype=str),
            "label": numpy.asarray(labels, dtype=str),
        })
        about = _engine.catalog()
        for name, values in columns.items():
            words = about[name]["words"]
            self._columns[name] = numpy.asarray(words)[values.astype(int)] if words else values

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of samples."""
        return len(self._columns["row"])

    def to_numpy(self) -> numpy.ndarray:
        """One structured array [N] with a field a column. Copies."""
        table = numpy.empty(self.rows, dtype=[(name, column.dtype) for name, column in self.items()])
        for name, column in self.items():
            table[name] = column
        return table

    def to_pandas(self) -> Any:
        """A data frame; needs pandas."""
        import pandas

        return pandas.DataFrame(dict(self._columns))

    def __repr__(self) -> str:
        return f"<assay.Table of {self.rows} samples: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        try:
            return self.to_pandas()._repr_html_()
        except ImportError:
            return html.escape(repr(self))


@dataclass(frozen=True)
class NeighborTable:
    """Nearest neighbours of every sample, the nearest first; exact. Arrays show the engine's own memory."""

    index: numpy.ndarray  #: uint32 [samples, k]: row of the neighbour in its set
    distance: numpy.ndarray  #: float64 [samples, k]: Euclidean, in the embedding's unit


class Neighbors(NamedTuple):
    """Neighbour tables of a model. No sample is its own neighbour."""

    real_to_real: NeighborTable
    real_to_synthetic: NeighborTable
    synthetic_to_real: NeighborTable
    synthetic_to_synthetic: NeighborTable


class Scores:
    """Aggregates with intervals, of a model or of what was kept of it."""

    def __init__(self, metrics: Mapping, intervals: Mapping) -> None:
        self.metrics: Dict[str, float] = Named((name, number(value)) for name, value in metrics.items())
        self._intervals = intervals

    def interval(self, metric: str) -> Optional[Tuple[float, float]]:
        """The 95 % interval (low, high); None for a figure that is no mean over samples.

        :raises assay.Error: for a metric that was not computed
        """
        if metric not in self.metrics:
            raise Error(f"interval: expected one of {', '.join(self.metrics)}, found {metric}")
        bounds = self._intervals.get(metric)
        if bounds is None:
            return None
        low, high = (bounds["low"], bounds["high"]) if isinstance(bounds, Mapping) else bounds
        return number(low), number(high)

    def flat(self, prefix: str = "") -> Dict[str, float]:
        """Every figure, and the ends of its interval as ``.low`` and ``.high``, in one dictionary for a logger."""
        flat = {}
        for name, value in self.metrics.items():
            flat[prefix + name] = value
            bounds = self.interval(name)
            if bounds is not None:
                flat[prefix + name + ".low"], flat[prefix + name + ".high"] = bounds
        return flat


class Kept(Scores):
    """What rules leave of a model: audited as a set of its own, beside as many samples drawn at random.

    ``flags`` is bool [M], true for kept samples; ``kept`` and ``rejected`` count them; ``false_alarm_rate`` is the share
    of good samples that the rules would reject, None where it is not known; ``random`` has the scores of as many samples
    at random (None where at most k samples are kept).
    """

    def __init__(self, flags: List[bool], part: Mapping) -> None:
        super().__init__(part.get("metrics", {}), part.get("intervals", {}))
        self.flags = numpy.asarray(flags, dtype=bool)
        self.kept: int = part["kept"]
        self.rejected: int = part["rejected"]
        self.false_alarm_rate: Optional[float] = part.get("false_alarm_rate")
        random = part.get("random")
        self.random = Scores(random["metrics"], random["intervals"]) if random else None

    def __repr__(self) -> str:
        return f"<assay.Kept: {self.kept} kept, {self.rejected} rejected>"
