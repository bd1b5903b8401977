"""Trackers of experiments, by the methods that they have."""

from __future__ import annotations

import inspect
import sys
from typing import Any, Mapping, Optional

from numpy.typing import NDArray

_MOST_AT_ONCE = 500  #: of MLflow's servers: 1,000


def log_figures(
    run: Any,
    figures: Mapping[str, float],
    texts: Mapping[str, str],
    pictures: Mapping[str, NDArray[Any]],
    step: Optional[int],
) -> None:
    """:param pictures: uint8 [height, width, 1, 3 or 4]; left out where the tracker takes none"""
    if hasattr(run, "add_scalar"):  # TensorBoard
        for name, value in figures.items():
            run.add_scalar(name, value, step)
        for name, text in texts.items():
            run.add_text(name, text, step)
        for name, picture in pictures.items() if hasattr(run, "add_image") else ():
            run.add_image(name, picture, step, dataformats="HWC")
    elif hasattr(run, "log_metrics") and hasattr(run, "log_text"):  # MLflow
        every = list(figures.items())
        for start in range(0, len(every), _MOST_AT_ONCE):
            run.log_metrics(dict(every[start : start + _MOST_AT_ONCE]), step=step)
        for name, text in texts.items():
            run.log_text(text, f"{name}.txt" if step is None else f"{name}-{step}.txt")
        for name, picture in pictures.items() if hasattr(run, "log_image") else ():
            run.log_image(picture, f"{name}.png" if step is None else f"{name}-{step}.png")
    elif hasattr(run, "log"):  # Weights & Biases, Trackio
        module = run if inspect.ismodule(run) else sys.modules[type(run).__module__.partition(".")[0]]
        image = getattr(module, "Image", None)
        shown = {name: image(picture) for name, picture in pictures.items()} if image else {}
        run.log({**figures, **texts, **shown}, step=step)
    else:
        raise TypeError(
            f"run: expected a run of Weights & Biases or Trackio, mlflow or a SummaryWriter, found {type(run).__name__}"
        )
