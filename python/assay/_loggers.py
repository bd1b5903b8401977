"""Trackers of experiments, by the methods that they have."""

from __future__ import annotations

from typing import Any, Mapping, Optional

_MOST_AT_ONCE = 500  #: of MLflow's servers: 1,000


def log_figures(run: Any, figures: Mapping[str, float], texts: Mapping[str, str], step: Optional[int]) -> None:
    if hasattr(run, "add_scalar"):  # TensorBoard
        for name, value in figures.items():
            run.add_scalar(name, value, step)
        for name, text in texts.items():
            run.add_text(name, text, step)
    elif hasattr(run, "log_metrics") and hasattr(run, "log_text"):  # MLflow
        every = list(figures.items())
        for start in range(0, len(every), _MOST_AT_ONCE):
            run.log_metrics(dict(every[start : start + _MOST_AT_ONCE]), step=step)
        for name, text in texts.items():
            run.log_text(text, f"{name}.txt" if step is None else f"{name}-{step}.txt")
    elif hasattr(run, "log"):  # Weights & Biases, Trackio
        run.log({**figures, **texts}, step=step)
    else:
        raise TypeError(
            f"run: expected a run of Weights & Biases or Trackio, mlflow or a SummaryWriter, found {type(run).__name__}"
        )
