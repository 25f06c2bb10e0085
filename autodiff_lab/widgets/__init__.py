"""Interactive views: `CurveFit` and `HelloSlider` (unit 00), `GraphExplorer` and `OrderStepper` (unit 01).

Each is an anywidget whose numbers are computed in the kernel, with a static twin for exports and a plain-ipywidgets
fallback (`view.plain()`, and by itself where anywidget is not installed).
"""

from __future__ import annotations

from .curve_fit import CurveFit
from .graph_explorer import GraphExplorer
from .hello import HelloSlider
from .order_stepper import OrderStepper

__all__ = ["CurveFit", "GraphExplorer", "HelloSlider", "OrderStepper"]
