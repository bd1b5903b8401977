"""The audit, and the models in it."""

from __future__ import annotations

import functools
import html
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from typing import AbstractSet, Any, Dict, Iterator, List, Optional

from . import _engine
from ._errors import Error
from ._progress import Progress, Watched
from ._results import Kept, Named, Neighbors, NeighborTable, Rules, Scores, Table, rules_json
from ._sets import Scratch, describe, is_frame, named_models, require_sets, with_parts


class Model(Scores):
    """One synthetic set of an audit: ``audit["gan"]``.

    ``metrics`` has every aggregate by id, ``interval(id)`` its 95 % interval. ``json`` is the model's part of the JSON
    (docs/output.md).
    """

    def __init__(self, audit: "Audit", index: int, part: Mapping) -> None:
        super().__init__(part["metrics"], part.get("intervals", {}))
        self._audit = audit
        self._index = index
        self.json = part
        self.name: str = part["name"]
        self.summary: str = part["summary"]  #: what is wrong with the model, in one or a few sentences
        self.findings: List[Dict[str, Any]] = part["findings"]  #: the most severe first

    @functools.cached_property
    def samples(self) -> Table:
        """Scores of every synthetic sample, M entries a column."""
        engine = self._audit._engine
        return Table(engine.samples(self._index), engine.columns(self._index, True))

    @functools.cached_property
    def real(self) -> Table:
        """What this model makes of every real sample, N entries a column: coverage and so on."""
        engine = self._audit._engine
        return Table(engine.real_samples(), engine.columns(self._index, False))

    @property
    def neighbors(self) -> Neighbors:
        """Neighbour tables of the real and the synthetic samples."""
        tables = self._audit._engine.neighbors(self._index)
        return Neighbors(**{name: NeighborTable(*table) for name, table in tables.items()})

    def explain(self, row: int, *, real: bool = False) -> str:
        """Why a sample scored as it did, in a sentence. ``row`` counts from 0 in the set."""
        rows = (self.real if real else self.samples).rows
        if not 0 <= row < rows:
            raise Error(f"row: expected a number from 0 to {rows - 1}, found {row}")
        return self._audit._engine.explain(self._index, row, not real)

    def __repr__(self) -> str:
        return f"<assay.Model {self.name}: {self.summary}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.summary)}</p>"


class Audit(Mapping):
    """A finished audit: models by name. It never changes."""

    def __init__(self, engine: "_engine.Audit", scratch: Optional[Scratch] = None, in_memory: bool = False) -> None:
        self._engine = engine
        self._scratch = scratch or Scratch()
        self._in_memory = in_memory

    def to_json(self) -> str:
        """The JSON that ``assay-score --json`` writes (docs/output.md)."""
        return self._engine.json()

    @functools.cached_property
    def json(self) -> Dict[str, Any]:
        """The same as a dictionary."""
        return json.loads(self.to_json())

    @functools.cached_property
    def _models(self) -> Dict[str, Model]:
        return Named((part["name"], Model(self, index, part)) for index, part in enumerate(self.json["models"]))

    def __getitem__(self, name: str) -> Model:
        return self._models[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._engine.names)

    def __len__(self) -> int:
        return len(self._engine.names)

    @functools.cached_property
    def held_out(self) -> Optional[Table]:
        """Scores of the held-out samples, as if they were synthetic; None without any."""
        if not self._engine.has_held_out:
            return None
        return Table(self._engine.held_out_samples(), self._engine.held_out_columns())

    @property
    def comparisons(self) -> List[Dict[str, Any]]:
        """Differences between every two models, with intervals."""
        return self.json["comparisons"]

    def to_pandas(self) -> Any:
        """A data frame of figures: a row for each model, a column for each metric."""
        import pandas

        return pandas.DataFrame.from_dict({name: dict(model.metrics) for name, model in self.items()}, orient="index")

    def flat(self) -> Dict[str, float]:
        """Every figure of every model in one dictionary for a logger: ``gan/clipped_density``, and ``.low``, ``.high``."""
        flat = {}
        for name, model in self.items():
            flat.update(model.flat(name + "/"))
        return flat

    def keep(self, model: str, rules: Rules, *, progress: Progress = None, **options: Any) -> Kept:
        """Audits what rules keep of a model, beside as many samples at random.

        :param rules: ``{"good_lost": 0.01}`` to lose at most this share of good samples, the name of a ready rule, or
            rules as in docs/rules.md
        :param options: ``backend``, ``threads``, ``memory_limit``, as of ``audit``
        :raises assay.Error: for rules that do not fit the audit
        """
        _require_known(options, _WORK_OPTIONS)
        index = list(self).index(self[model].name)
        with Watched(progress) as callback:
            flags, text = self._engine.keep(index, rules_json(rules), options, callback)
        return Kept(flags, json.loads(text)["models"][0]["kept"])

    def report(self, file: "str | os.PathLike[str]", *, rules: Rules = None, progress: Progress = None) -> None:
        """Writes a report to read (``.html``) or for a model card (``.md``).

        :param rules: adds what they keep of every model
        """
        with Watched(progress) as callback:
            self._engine.report(os.fspath(file), rules_json(rules), callback)

    def save(
        self,
        file: "str | os.PathLike[str]",
        *,
        pack: Optional[bool] = None,
        rules: Rules = None,
        progress: Progress = None,
    ) -> None:
        """Writes the audit as ``FILE.assay``, for the window, ``assay-score --open`` and ``assay.open``.

        :param pack: with embeddings and pictures in it, so that the file needs no others; by default where some of them
            are in memory alone
        """
        with Watched(progress) as callback:
            packed = self._in_memory if pack is None else pack
            self._engine.save(os.fspath(file), packed, rules_json(rules), callback)

    def show(self, program: str = "assay") -> "subprocess.Popen[bytes]":
        """Opens the audit in the window, which has to be installed; does not wait for it.

        The window works on a copy in the folder for temporary files, which outlives Python; save it elsewhere to keep it.

        :param program: the window, by name or path
        """
        found = shutil.which(program)
        if found is None:
            raise Error(f"show: expected the program '{program}' on the search path, found none")
        file = os.path.join(tempfile.mkdtemp(prefix="assay-"), "audit.assay")
        self.save(file, pack=True, progress=False)
        return subprocess.Popen([found, file])

    def __str__(self) -> str:
        return self._engine.table()

    def __repr__(self) -> str:
        return f"<assay.Audit of {', '.join(self)}>"

    def _repr_html_(self) -> str:
        sentences = "".join(model._repr_html_() for model in self.values())
        return f"{sentences}<pre>{html.escape(str(self))}</pre>"


def audit(
    real: Any,
    models: Any,
    *,
    labels: Any = None,
    ids: Any = None,
    images: Any = None,
    held_out: Any = None,
    progress: Progress = None,
    **options: Any,
) -> Audit:
    """Audits synthetic sets against a real set, as ``assay-score`` does.

    :param real: the real set: an array [N, d] of embeddings (anything with ``__array__`` or DLPack), pictures
        uint8 [N, H, W, C], series [N, steps, features], a data frame, the path of any file or folder that
        ``assay-score`` reads, or an ``assay.Set``. float32 rows in C order are used in place: leave them alone meanwhile
    :param models: the synthetic sets by name, each as ``real``; or paths
    :param labels: classes of the real set; or of several sets by name (``"real"``, ``"held_out"``, models' names).
        Likewise ``ids`` and ``images``
    :param held_out: real samples that no model was trained on
    :param progress: True for a line on the terminal (the default where there is one), False for nothing, or a function
        of (fraction in [0, 1], stage). What it raises stops the audit and is raised here; so does Ctrl+C
    :param options: those of ``assay-score`` by name, with its defaults: ``k``, ``fdr``, ``cover_k``, ``cover_c``,
        ``one_class``, ``quick``, ``scale``, ``missing``, ``one_hot``, ``ignore_columns``, ``backend``, ``threads``,
        ``memory_limit``, ``bad_fraction``, ``sample_size``, ``frontier``, ``discard``, ``discard_useful``, ``compat``
    :raises assay.Error: with the engine's text
    :raises KeyboardInterrupt: within 100 ms of Ctrl+C
    """
    _require_known(options)
    parts = {"labels": labels, "ids": ids, "images": images}
    named = named_models(models)
    everyone = {**named, "real": real, **({} if held_out is None else {"held_out": held_out})}
    if isinstance(labels, str) and is_frame(real) and labels in real.columns:  # a column, of every frame that has it
        parts["labels"] = {name: labels for name, one in everyone.items() if is_frame(one) and labels in one.columns}
    require_sets(parts, everyone, named)
    parts = {
        key: value if isinstance(value, Mapping) or value is None else {"real": value} for key, value in parts.items()
    }
    scratch = Scratch()
    described = describe(with_parts(real, "real", parts), "real", scratch)
    others = [
        describe(one if name in ("real", "held_out") else with_parts(one, name, parts), name, scratch)
        for name, one in named.items()
    ]
    held = None if held_out is None else describe(with_parts(held_out, "held_out", parts), "held_out", scratch)
    everything = [described, *others] + ([held] if held is not None else [])
    in_memory = scratch.is_used or any("file" not in one for one in everything)
    with Watched(progress) as callback:
        return Audit(_engine.audit(described, others, held, options, callback), scratch, in_memory)


def demo(*, progress: Progress = None, **options: Any) -> Audit:
    """Audits the built-in demo: six generators of small pictures, five of them with a planted fault.

    :param options: as of ``audit``
    """
    _require_known(options)
    with Watched(progress) as callback:
        return Audit(_engine.audit({}, [], None, {**options, "demo": True}, callback))


def _require_known(options: Mapping, known: Optional[AbstractSet[str]] = None) -> None:
    expected = _OPTIONS if known is None else known
    unknown = sorted(set(options) - expected)
    if unknown:
        raise TypeError(f"expected options among {', '.join(sorted(expected))}; found {', '.join(unknown)}")


_WORK_OPTIONS = {"backend", "threads", "memory_limit"}
_OPTIONS = set(
    "k seed fdr cover_k cover_c one_class quick scale missing one_hot ignore_columns backend threads memory_limit "
    "bad_fraction sample_size frontier discard discard_useful compat".split()
)


def open(file: "str | os.PathLike[str]", *, progress: Progress = None) -> Audit:  # noqa: A001
    """Opens an audit that was saved; nothing is scored again.

    :raises assay.Error: for another file, and where an input is missing or has changed
    """
    with Watched(progress) as callback:
        return Audit(_engine.open(os.fspath(file), callback))


def compute_prdc(real_features: Any, fake_features: Any, nearest_k: int) -> Dict[str, float]:
    """Precision, recall, density and coverage as the package ``prdc`` computes them, by the same names.

    Exact, on all cores, and without its N x N matrices.

    :param real_features: [N, d]
    :param fake_features: [M, d]
    :param nearest_k: neighbours that make a ball; less than N and M
    :returns: ``precision``, ``recall``, ``density``, ``coverage``
    Source: Naeem et al., ICML 2020.
    """
    done = audit(real_features, {"fake": fake_features}, k=nearest_k, quick=True, compat="prdc", progress=False)
    return dict(done["fake"].json["compat"]["metrics"])


def catalog() -> Dict[str, Dict[str, Any]]:
    """Every metric and column by id: ``title``, ``definition``, ``source``, and of columns of words the ``words``."""
    return _engine.catalog()
