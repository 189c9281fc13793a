"""Reads, checks and runs OpenVINO IR models: load(path), then check(), layers and run()."""

from irrun._edit import edit
from irrun._model import Model, load
from irrun._native import VERSION as __version__
from irrun._session import Session
from irrun._stats import Stats
from irrun._types import Diagnostic, Error, Layer, Results, Status, Value

__all__ = [
    "Diagnostic", "Error", "Layer", "Model", "Results", "Session", "Stats", "Status", "Value", "__version__", "edit", "load"
]  # fmt: skip
