"""The audit, and the models in it."""

from __future__ import annotations

import builtins
import contextlib
import functools
import html
import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union, cast

import numpy

from . import _engine
from ._errors import Error, RequirementError
from ._explore import Explorer, examples_html, explorer
from ._loggers import log_figures
from ._options import checked_path, engine_options
from ._progress import Callback, Progress, Watched
from ._results import (
    Array,
    Kept,
    Named,
    Neighbors,
    NeighborTable,
    Rules,
    Scores,
    SomeRules,
    Table,
    flags_of,
    is_selection,
    rules_json,
)
from ._sets import Scratch, Set, describe, is_frame, is_path, named_models, require_sets, settled, with_parts

ColumnKind = Literal["number", "category", "date", "id", "label", "group", "left-out"]
Missing = Literal["refuse", "drop", "indicate"]
Scale = Literal["none", "zscore", "pca-whiten", "l2"]
Compat = Literal["salvy", "prdc", "fox", "alaa", "dgm-eval", "torch-fidelity", "fadtk", "cmmd"]
Memory = Union[str, int, None]
Path = Union[str, "os.PathLike[str]"]
_EXPLORE = "<p>To look at the samples: <code>audit.explore()</code></p>"
_CELL_SAMPLES = 200  # of the page in a model's cell, which stays below half a megabyte for small pictures


class Model(Scores):
    """One synthetic set of an audit: ``audit["gan"]``.

    ``metrics`` has every aggregate by id, ``interval(id)`` its 95 % interval. ``json`` is the model's part of the JSON
    (docs/output.md).
    """

    def __init__(self, audit: "Audit", index: int, part: Mapping[str, Any]) -> None:
        super().__init__(part["metrics"], part.get("intervals", {}))
        self._audit = audit
        self._index = index
        self.json: Mapping[str, Any] = part
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
        if isinstance(row, bool) or not hasattr(row, "__index__"):
            raise TypeError(f"row: expected an integer, found {row!r}")
        if not 0 <= row < rows:
            raise Error(f"row: expected a number from 0 to {rows - 1}, found {row}")
        return self._audit._engine.explain(self._index, int(row), not real)

    def __repr__(self) -> str:
        return f"<assay.Model {self.name}: {self.json['rows']} samples, {self.headline()}. {self.summary}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return _model_of, (self._audit, self.name)

    def _repr_html_(self) -> str:
        return self._with_examples() + self._page_in_cell

    @functools.cached_property
    def _page_in_cell(self) -> str:
        """A small page of this model that opens by a click and needs no kernel and no other file."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "page.html")
            try:
                self._audit._engine.model_page(self._index, file, _CELL_SAMPLES)
            except Error as error:  # arrays were changed, a disk is full: what is known of the model is shown all the same
                return f"<p>Its samples cannot be explored here: {html.escape(str(error))}</p>"
            with builtins.open(file, encoding="utf-8") as page:
                cell = Explorer(page.read(), 900)._repr_html_()
        held = self.json["rows"] + self._audit.json["real"]["rows"]
        return (
            f"<details><summary>Explore {min(_CELL_SAMPLES, held)} of the samples here, examples and flagged ones first</summary>"
            f"{cell}</details><p>More of them: <code>audit.explore()</code></p>"
        )

    def _with_examples(self) -> str:
        pictures = self._audit._engine.finding_pictures(self._index)
        return f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.summary)}</p>{examples_html(pictures)}"


class Audit(Mapping[str, Model]):
    """A finished audit: models by name. It never changes.

    Pickling it (joblib, multiprocessing) writes the packed audit file, with all embeddings and pictures, and opens it again:
    nothing is scored anew, but it takes as many bytes as the inputs and the scores together. ``copy.deepcopy`` returns the
    audit itself.
    """

    def __init__(self, engine: "_engine.Audit", scratch: Optional[Scratch] = None, in_memory: bool = False) -> None:
        self._engine = engine
        self._scratch = scratch or Scratch()
        self._in_memory = in_memory

    @contextlib.contextmanager
    def _watched(self, progress: Progress) -> Iterator[Optional[Callback]]:
        """The callback of a job; its errors name what a person handed over."""
        with Watched(progress) as callback, self._scratch.hidden():
            yield callback

    def __reduce__(self) -> Tuple[Any, ...]:
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            file = os.path.join(folder, "audit.assay")
            self.save(file, pack=True, progress=False)
            with builtins.open(file, "rb") as packed:
                return _unpacked, (packed.read(), self._engine.compat)

    def __copy__(self) -> "Audit":
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Audit":
        return self

    def to_json(self) -> str:
        """The JSON that ``assay-score --json`` writes (docs/output.md)."""
        return self._engine.json()

    @functools.cached_property
    def json(self) -> Dict[str, Any]:
        """The same as a dictionary."""
        return cast(Dict[str, Any], json.loads(self.to_json()))

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
        return cast(List[Dict[str, Any]], self.json["comparisons"])

    def to_pandas(self) -> Any:
        """A data frame of figures: a row for each model, a column for each metric."""
        import pandas

        return pandas.DataFrame.from_dict({name: dict(model.metrics) for name, model in self.items()}, orient="index")

    def flat(self) -> Dict[str, float]:
        """Every figure of every model in one dictionary for a logger: ``gan/clipped_density``, and ``.low``, ``.high``."""
        flat: Dict[str, float] = {}
        for name, model in self.items():
            flat.update(model.flat(name + "/"))
        return flat

    def keep(
        self,
        model: str,
        rules: Union[SomeRules, Array, Sequence[bool], Sequence[int]],
        *,
        backend: str = "auto",
        threads: Optional[int] = None,
        memory_limit: Memory = None,
        progress: Progress = None,
    ) -> Kept:
        """Audits what rules keep of a model, beside as many samples at random.

        :param rules: ``{"good_lost": 0.01}`` to lose at most this share of good samples, the name of a ready rule, rules as
            in docs/rules.md; or which samples to keep: M flags (a mask), or row numbers that count from 0 in the set
        :param backend: as of ``audit``; likewise ``threads`` and ``memory_limit``
        :raises assay.Error: for rules that do not fit the audit
        """
        options = engine_options(locals())
        chosen = self[model]
        index = list(self).index(chosen.name)
        if is_selection(rules):
            flags = flags_of(rules, chosen.json["rows"])
            with self._watched(progress) as callback:
                text = self._engine.keep_samples(index, flags.tobytes(), options, callback)
            return Kept(flags, json.loads(text)["models"][0]["kept"])
        with self._watched(progress) as callback:
            kept, text = self._engine.keep(index, rules_json(cast(Rules, rules), True), options, callback)
        return Kept(kept, json.loads(text)["models"][0]["kept"])

    def require(self, *conditions: str, rules: Rules = None, progress: Progress = None) -> None:
        """Ends a job whose samples are not good enough, as ``assay-score --require`` does.

        :param conditions: ``"clipped_density.low>=0.8"``, ``"gan:verdict_copy<=0.01"``, ``"kept.clipped_coverage>=0.7"``
            (docs/pipeline.md)
        :param rules: as of ``keep``; ``kept.`` is about the samples that they keep
        :raises assay.RequirementError: (an ``AssertionError``) with a sentence for every model and figure that fails
        """
        if not conditions:
            raise TypeError("require: expected conditions such as 'clipped_density>=0.8', found none")
        for condition in conditions:
            if not isinstance(condition, str):
                raise TypeError(f"require: expected conditions such as 'clipped_density>=0.8', found {condition!r:.80}")
        with self._watched(progress) as callback:
            failures = self._engine.unmet(list(conditions), rules_json(rules), callback)
        if failures:
            raise RequirementError(failures)

    def add(
        self,
        name: str,
        model: Any,
        *,
        labels: Any = None,
        groups: Any = None,
        ids: Any = None,
        images: Any = None,
        backend: str = "auto",
        threads: Optional[int] = None,
        memory_limit: Memory = None,
        copy: bool = False,
        progress: Progress = None,
    ) -> "Audit":
        """A new audit with one model more, as if all had been audited at once; only the new model is scored.

        :param name: of the model
        :param model: as of ``audit``; likewise its ``labels``, ``groups``, ``ids`` and ``images``, and the options
        """
        if not isinstance(name, str):
            raise TypeError(f"name: expected a text, found {name!r:.80}")
        options = engine_options(locals())
        given = Set(settled(model, name)) if not isinstance(model, Set) else settled(model, name)
        parts = {"labels": labels, "groups": groups, "ids": ids, "images": images}
        given = with_parts(given, name, {key: {name: value} for key, value in parts.items() if value is not None})
        described = describe(given, name, self._scratch, copy)
        with self._watched(progress) as callback:
            engine = self._engine.add(described, options, callback)
        return Audit(engine, self._scratch, self._in_memory or self._scratch.is_used or "file" not in described)

    def log(self, run: Any, step: Optional[int] = None) -> None:
        """Logs every figure (``gan/clipped_density``), every model's summary, and pictures of what its findings are about
        (``gan/copy``) to a tracker of experiments.

        :param run: a run of Weights & Biases or Trackio (or these modules), the module ``mlflow``, or a ``SummaryWriter`` of
            TensorBoard
        :param step: of training
        """
        summaries = {f"{name}/summary": model.summary for name, model in self.items()}
        pictures = {
            f"{name}/{finding}": strip
            for index, name in enumerate(self)
            for finding, strip in self._engine.finding_pictures(index).items()
        }
        log_figures(run, self.flat(), summaries, pictures, step)

    def report(self, file: Path, *, rules: Rules = None, progress: Progress = None) -> None:
        """Writes a report to read (``.html``) or for a model card (``.md``).

        :param rules: adds what they keep of every model
        """
        file = checked_path("file", file)
        with self._watched(progress) as callback:
            self._engine.report(file, rules_json(rules), callback)

    def page(self, file: Path, *, samples: int = 20000, progress: Progress = None) -> None:
        """Writes one HTML file to explore in a browser: plane, ranking, samples and distributions, linked. It needs no
        server and nothing else.

        :param samples: how many it holds at most: examples and flagged ones first, then random ones
        """
        file = checked_path("file", file)
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
            raise Error(f"samples: expected a number from 1 on, found {samples!r}")
        with self._watched(progress) as callback:
            self._engine.page(file, samples, callback)

    def explore(self, *, samples: int = 5000, height: int = 900, progress: Progress = None) -> Explorer:
        """The same page in a cell of a notebook. Where ``anywidget`` is installed, ``explore().selection`` has the rows that
        are selected there, as ``keep`` takes them, and ``.ids`` their ids.

        :param height: of the cell, in pixels
        """
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "page.html")
            self.page(file, samples=samples, progress=progress)
            with builtins.open(file, encoding="utf-8") as page:
                return explorer(page.read(), height)

    def save(
        self,
        file: Path,
        *,
        pack: Optional[bool] = None,
        rules: Rules = None,
        progress: Progress = None,
    ) -> None:
        """Writes the audit as ``FILE.assay``, for the window, ``assay-score --open`` and ``assay.open``.

        :param pack: with embeddings and pictures in it, so that the file needs no others; by default where some of them
            are in memory alone
        """
        file = checked_path("file", file)
        with self._watched(progress) as callback:
            packed = self._in_memory if pack is None else bool(pack)
            self._engine.save(file, packed, rules_json(rules), callback)

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
        models = ", ".join(f"{name} ({model.json['rows']})" for name, model in self.items())
        return f"<assay.Audit of {self.json['real']['rows']} real samples and {models}>"

    def _repr_html_(self) -> str:
        sentences = "".join(model._with_examples() for model in self.values())
        return f"{sentences}<pre>{html.escape(str(self))}</pre>{_EXPLORE}"


def _model_of(audit: Audit, name: str) -> Model:
    return audit[name]


def _unpacked(packed: bytes, compat: List[Any]) -> Audit:
    """The audit of a pickle."""
    scratch = Scratch()
    file = scratch.file("audit.assay", "the pickled audit")
    with builtins.open(file, "wb") as opened:
        opened.write(packed)
    with scratch.hidden():
        return Audit(_engine.open(file, None, compat), scratch, True)


def audit(
    real: Any,
    models: Any,
    *,
    labels: Any = None,
    groups: Any = None,
    ids: Any = None,
    images: Any = None,
    held_out: Any = None,
    k: int = 5,
    seed: int = 0,
    fdr: float = 0.05,
    cover_k: int = 3,
    cover_c: int = 3,
    one_class: bool = False,
    quick: bool = False,
    scale: Optional[Scale] = None,
    missing: Optional[Missing] = None,
    one_hot: bool = False,
    ignore_columns: Sequence[str] = (),
    columns: Optional[Mapping[str, ColumnKind]] = None,
    backend: str = "auto",
    threads: Optional[int] = None,
    memory_limit: Memory = None,
    bad_fraction: bool = False,
    sample_size: bool = False,
    frontier: bool = False,
    discard: Sequence[str] = (),
    discard_useful: Sequence[str] = (),
    compat: Optional[Compat] = None,
    copy: bool = False,
    progress: Progress = None,
) -> Audit:
    """Audits synthetic sets against a real set, as ``assay-score`` does.

    Warning: float32 arrays in C order are lent, not copied. Changing one later changes what the audit shows, and ``save``,
    ``report`` and ``pickle`` then refuse it. ``copy=True`` copies them.

    :param real: the real set: an array [N, d] of embeddings (anything with ``__array__`` or DLPack; sparse matrices become
        dense), pictures uint8 [N, H, W, C], series [N, steps, features], a data frame (pandas, polars, pyarrow), the path of
        any file or folder that ``assay-score`` reads, or an ``assay.Set``
    :param models: the synthetic sets by name, each as ``real``; or paths
    :param labels: classes of the real set, N integers or texts, or one-hot [N, C]; or of several sets by name (``"real"``,
        ``"held_out"``, models' names). Likewise ``ids`` and ``images``
    :param groups: samples that belong together, such as the slices of a patient: as ``labels``, but not one-hot; or the name
        of a column, of every table that has it
    :param held_out: real samples that no model was trained on
    :param k: neighbours that span a ball
    :param seed: of everything drawn at random
    :param fdr: share of wrong verdicts to expect among the samples called bad
    :param cover_k: of precision and recall cover, as ``cover_c``
    :param one_class: trains the one-class embedding of alpha-precision and beta-recall, too
    :param quick: only what needs the neighbours alone, without intervals and verdicts
    :param scale: ``"none"``, ``"zscore"``, ``"pca-whiten"`` or ``"l2"``; by default z-scores of tables
    :param missing: what happens to missing values: ``"refuse"``, ``"drop"`` or ``"indicate"``; by default tables are filled
    :param one_hot: every column of text becomes categories
    :param ignore_columns: columns of tables to leave out
    :param columns: what columns of tables hold where they are not taken as you mean them: ``"number"``, ``"category"``,
        ``"date"``, ``"id"``, ``"label"``, ``"group"`` or ``"left-out"`` by name
    :param backend: how neighbours are found: ``"auto"``, ``"gemm"``, ``"kdtree"``, ``"nanoflann"`` or ``"cuda"``
    :param threads: all cores by default
    :param memory_limit: beyond the inputs, in bytes or as ``"4G"``
    :param bad_fraction: computes these curves, too (docs/curves.md), as do ``sample_size`` and ``frontier``, and ``discard``
        and ``discard_useful`` for the columns that they name
    :param compat: adds the figures of a published program: ``"salvy"``, ``"prdc"``, ``"fox"``, ``"alaa"``, ``"dgm-eval"``,
        ``"torch-fidelity"``, ``"fadtk"``, ``"cmmd"``
    :param copy: copies arrays instead of lending them
    :param progress: True for a line on the terminal (the default where there is one), False for nothing, or a function
        of (fraction in [0, 1], stage). What it raises stops the audit and is raised here; so does Ctrl+C
    :raises assay.Error: with the engine's text
    :raises TypeError: for an option of another type
    :raises KeyboardInterrupt: within 100 ms of Ctrl+C
    """
    options = engine_options(locals())
    parts = {"labels": labels, "groups": groups, "ids": ids, "images": images}
    real, held_out = settled(real, "real"), settled(held_out, "held_out")
    named = named_models(models)
    everyone = {**named, "real": real, **({} if held_out is None else {"held_out": held_out})}
    if isinstance(labels, str) and is_frame(real) and labels in real.columns:  # a column, of every frame that has it
        parts["labels"] = {name: labels for name, one in everyone.items() if is_frame(one) and labels in one.columns}
    if isinstance(groups, str) and not os.path.exists(groups.partition(":")[0]):  # a column, of every table that has it
        values = real.values if isinstance(real, Set) else real
        if not is_frame(values) and not is_path(values):
            raise Error(f"groups of real: expected one value for each sample, or a file, found {groups!r}")
        options["groups"] = groups
        parts["groups"] = None
    require_sets(parts, everyone, named)
    parts = {key: value if isinstance(value, Mapping) or value is None else {"real": value} for key, value in parts.items()}
    scratch = Scratch()
    with scratch.hidden():
        described = describe(with_parts(real, "real", parts), "real", scratch, copy)
        others = [
            describe(one if name in ("real", "held_out") else with_parts(one, name, parts), name, scratch, copy)
            for name, one in named.items()
        ]
        held = None
        if held_out is not None:
            held = describe(with_parts(held_out, "held_out", parts), "held_out", scratch, copy)
        everything = [described, *others] + ([held] if held is not None else [])
        in_memory = scratch.is_used or any("file" not in one for one in everything)
        with Watched(progress) as callback:
            return Audit(_engine.audit(described, others, held, options, callback), scratch, in_memory)


def demo(
    *,
    k: int = 5,
    seed: int = 0,
    fdr: float = 0.05,
    cover_k: int = 3,
    cover_c: int = 3,
    one_class: bool = False,
    quick: bool = False,
    backend: str = "auto",
    threads: Optional[int] = None,
    memory_limit: Memory = None,
    bad_fraction: bool = False,
    sample_size: bool = False,
    frontier: bool = False,
    discard: Sequence[str] = (),
    discard_useful: Sequence[str] = (),
    compat: Optional[Compat] = None,
    progress: Progress = None,
) -> Audit:
    """Audits the built-in demo: six generators of small pictures, five of them with a planted fault.

    The options are those of ``audit``.
    """
    options = engine_options(locals())
    with Watched(progress) as callback:
        return Audit(_engine.audit({}, [], None, {**options, "demo": True}, callback))


def open(file: Path, *, progress: Progress = None) -> Audit:  # noqa: A001
    """Opens an audit that was saved; nothing is scored again.

    :raises assay.Error: for another file, and where an input is missing or has changed
    """
    file = checked_path("file", file)
    with Watched(progress) as callback:
        return Audit(_engine.open(file, callback))


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


def frechet(
    reference: Union[Path, Tuple[Any, Any]],
    samples: Any,
    *,
    threads: int = 0,
    seed: int = 0,
    progress: Progress = None,
) -> Dict[str, Any]:
    """Frechet distance of samples to published statistics: a mean and a covariance in place of real samples.

    :param reference: an ``.npz`` with ``mu`` and ``sigma`` (``FILE.npz:s`` for ``mu_s`` and ``sigma_s``), ``NAME.mu.npy``
        beside ``NAME.cov.npy``, or the two arrays [d] and [d, d]
    :param samples: [M, d], or a file
    :returns: ``frechet_distance``; ``frechet_infinity``, that of infinitely many samples, with
        ``frechet_infinity_interval`` (95 %) and ``frechet_infinity_r2``, NaN where there is none; ``frechet_influence``,
        an array of each sample's share
    """
    options = engine_options({"threads": threads, "seed": seed})
    if isinstance(reference, tuple):
        mean, covariance = (numpy.ascontiguousarray(settled(part, "reference"), numpy.float64) for part in reference)
        if mean.ndim != 1 or covariance.shape != (mean.size, mean.size):
            raise Error(f"reference: expected arrays [d] and [d, d], found {list(mean.shape)} and {list(covariance.shape)}")
        given: Any = (mean, covariance)
    else:
        given = checked_path("reference", reference)
    scratch = Scratch()
    with Watched(progress) as callback, scratch.hidden():
        return dict(_engine.frechet(given, describe(settled(samples, "samples"), "samples", scratch), options, callback))


def catalog() -> Dict[str, Dict[str, Any]]:
    """Every metric and column by id: ``title``, ``definition``, ``source``, and of columns of words the ``words``."""
    return _engine.catalog()
