"""What an audit found, as plain values."""

from __future__ import annotations

import html
import json
import math
import numbers
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

import numpy
import numpy.typing

from . import _engine
from ._errors import Error, UnknownNameError

Array = numpy.typing.NDArray[Any]
SomeRules = Union[str, Mapping[str, Any], Sequence[Mapping[str, Any]]]
Rules = Optional[SomeRules]
Value = TypeVar("Value")


def number(value: Optional[float]) -> float:
    """A figure of the JSON, in which null stands for what is no number."""
    return math.nan if value is None else value


class Named(Dict[str, Value]):
    """A dictionary that says which names it has when one is not among them."""

    def __missing__(self, name: str) -> Value:
        raise UnknownNameError(f"expected one of {', '.join(self)}; found {name}")


def rules_json(rules: Rules, required: bool = False) -> str:
    """Rules as the engine reads them; an empty text for None, where they are not required.

    :param rules: ``{"good_lost": 0.01}``: lose at most this share of good samples; the name of a ready rule, such as
        ``"copy"``; the object or the list of docs/rules.md; or its JSON
    """
    if rules is None and not required:
        return ""
    expected = (
        'expected a share such as {"good_lost": 0.01}, rules as in docs/rules.md or a ready rule '
        f"({', '.join(_engine.ready_rules())}), found {rules!r:.80}"
    )
    if isinstance(rules, str):
        ready = _engine.ready_rule(rules)
        if not ready and not rules.lstrip().startswith(("[", "{")):
            raise Error(f"rules: {expected}")
        return ready or rules
    if not isinstance(rules, (Mapping, list, tuple)):
        raise TypeError(f"rules: {expected}")
    if isinstance(rules, Mapping) and set(rules) == {"good_lost"}:
        share = rules["good_lost"]
        if not isinstance(share, numbers.Real) or not 0 <= float(share) <= 1:
            raise Error(f"good_lost: expected a share from 0 to 1, such as 0.01 for 1 %, found {share!r}")
        return json.dumps([{"column": "p_any", "bound": "at_least", "value": float(share)}])
    if isinstance(rules, Mapping) and "column" in rules:
        rules = [rules]
    return json.dumps(rules, default=_plain)


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    if isinstance(value, numpy.generic):
        return value.item()
    raise TypeError(f"rules: expected numbers and texts, found {value!r:.80}")


def is_selection(rules: Any) -> bool:
    """Whether samples are chosen by flags or rows instead of rules."""
    first = rules[0] if isinstance(rules, (list, tuple)) and rules else None
    return hasattr(rules, "__array__") or isinstance(first, (int, numpy.bool_, numpy.integer))


def flags_of(selection: Any, rows: int) -> Array:
    """A flag for each sample, of M flags or of rows to keep."""
    chosen = numpy.asarray(selection)
    if chosen.dtype == bool and chosen.shape == (rows,):
        return chosen
    if chosen.dtype.kind in "iu" and chosen.ndim == 1 and len(chosen):
        if chosen.min() >= 0 and chosen.max() < rows and len(numpy.unique(chosen)) == len(chosen):
            flags = numpy.zeros(rows, dtype=bool)
            flags[chosen] = True
            return flags
    raise Error(
        f"rules: expected {rows} flags (bool), or rows from 0 to {rows - 1}, each once; found {chosen.dtype} "
        f"{list(chosen.shape)}"
    )


class Table(Mapping[str, Array]):
    """Columns by name, each an array with an entry a sample: ``row``, ``id``, ``label``, ``group`` where the set has groups, then every score.

    Scores of numbers are float64, NaN where a sample has none; verdicts are words. Columns and their order within a
    name are those of ``assay-score --csv``; ``assay.catalog()`` says what each means.
    """

    def __init__(self, samples: Tuple[List[int], List[str], List[str], List[str]], columns: Mapping[str, Array]) -> None:
        rows, ids, labels, groups = samples
        self._columns: Named[Array] = Named(
            {
                "row": numpy.asarray(rows, dtype=numpy.int64),
                "id": numpy.asarray(ids, dtype=str),
                "label": numpy.asarray(labels, dtype=str),
            }
        )
        if groups:
            self._columns["group"] = numpy.asarray(groups, dtype=str)
        about = _engine.catalog()
        for name, values in columns.items():
            words = about[name]["words"]
            self._columns[name] = numpy.asarray(words)[values.astype(int)] if words else values

    def __getitem__(self, name: str) -> Array:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of samples."""
        return len(self._columns["row"])

    def to_numpy(self) -> Array:
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
            return str(self.to_pandas()._repr_html_())
        except ImportError:
            return html.escape(repr(self))


@dataclass(frozen=True)
class NeighborTable:
    """Nearest neighbours of every sample, the nearest first; exact. Arrays show the engine's own memory."""

    index: Array  #: uint32 [samples, k]: row of the neighbour in its set
    distance: Array  #: float64 [samples, k]: Euclidean, in the embedding's unit

    def __repr__(self) -> str:
        samples, k = self.index.shape
        return f"<assay.NeighborTable of {samples} samples with {k} neighbours>"


class Neighbors(NamedTuple):
    """Neighbour tables of a model. No sample is its own neighbour."""

    real_to_real: NeighborTable
    real_to_synthetic: NeighborTable
    synthetic_to_real: NeighborTable
    synthetic_to_synthetic: NeighborTable


def _pair(bounds: Any) -> Tuple[float, float]:
    """An interval of the JSON: low and high by name, or of kept samples one after the other."""
    low, high = (bounds["low"], bounds["high"]) if isinstance(bounds, Mapping) else bounds
    return number(low), number(high)


class Scores:
    """Aggregates with intervals, of a model or of what was kept of it."""

    def __init__(self, metrics: Mapping[str, Optional[float]], intervals: Mapping[str, Any]) -> None:
        #: every aggregate by id
        self.metrics: Dict[str, float] = Named((name, number(value)) for name, value in metrics.items())
        #: the 95 % interval (low, high) of every aggregate that is a mean over samples
        self.intervals: Dict[str, Tuple[float, float]] = Named((name, _pair(bounds)) for name, bounds in intervals.items())

    def interval(self, metric: str) -> Tuple[float, float]:
        """The 95 % interval (low, high).

        :raises assay.UnknownNameError: (a ``KeyError``) for a metric without one, naming those that have one
        """
        if metric not in self.intervals:
            known = f"one of {', '.join(self.intervals)}" if self.intervals else "an audit with intervals (quick=False)"
            raise UnknownNameError(f"interval: expected {known}; found {metric}")
        return self.intervals[metric]

    def flat(self, prefix: str = "") -> Dict[str, float]:
        """Every figure, and the ends of its interval as ``.low`` and ``.high``, in one dictionary for a logger."""
        flat: Dict[str, float] = {}
        for name, value in self.metrics.items():
            flat[prefix + name] = value
            if name in self.intervals:
                flat[prefix + name + ".low"], flat[prefix + name + ".high"] = self.intervals[name]
        return flat

    def headline(self) -> str:
        """Clipped density and clipped coverage, for ``repr``."""
        names = [name for name in ("clipped_density", "clipped_coverage") if name in self.metrics]
        return ", ".join(f"{name} {self.metrics[name]:.3f}" for name in names) or "no scores"

    def __repr__(self) -> str:
        return f"<assay.Scores: {self.headline()}>"


class Kept(Scores):
    """What rules leave of a model: audited as a set of its own, beside as many samples drawn at random.

    ``flags`` is bool [M], true for kept samples; ``kept`` and ``rejected`` count them; ``false_alarm_rate`` is the share
    of good samples that the rules would reject, None where it is not known; ``random`` has the scores of as many samples
    at random (None where at most k samples are kept).
    """

    def __init__(self, flags: Any, part: Mapping[str, Any]) -> None:
        super().__init__(part.get("metrics", {}), part.get("intervals", {}))
        self.flags: numpy.typing.NDArray[numpy.bool_] = numpy.asarray(flags, dtype=bool)
        self.kept: int = part["kept"]
        self.rejected: int = part["rejected"]
        self.false_alarm_rate: Optional[float] = part.get("false_alarm_rate")
        random = part.get("random")
        self.random = Scores(random["metrics"], random.get("intervals", {})) if random else None

    def __repr__(self) -> str:
        return f"<assay.Kept: {self.kept} kept, {self.rejected} rejected; {self.headline()}>"
