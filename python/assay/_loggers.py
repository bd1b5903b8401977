"""Trackers of experiments, by the methods that they have."""

from __future__ import annotations

from typing import Any, Mapping, Optional


def log_figures(run: Any, figures: Mapping[str, float], texts: Mapping[str, str], step: Optional[int]) -> None:
    if hasattr(run, "add_scalar"):  # TensorBoard
        for name, value in figures.items():
            run.add_scalar(name, value, step)
        for name, text in texts.items():
            run.add_text(name, text, step)
    elif hasattr(run, "log_metrics") and hasattr(run, "log_text"):  # MLflow
        run.log_metrics(dict(figures), step=step)
        for name, text in texts.items():
            run.log_text(text, f"{name}.txt" if step is None else f"{name}-{step}.txt")
    elif hasattr(run, "log"):  # Weights & Biases, Trackio
        run.log({**figures, **texts}, step=step)
    else:
        raise TypeError(
            f"run: expected a run of Weights & Biases or Trackio, mlflow or a SummaryWriter, found {type(run).__name__}"
        )
