"""Static graphs: a function traced to a program, and what can be done with a program."""

from autodiff_lab.engine.static.passes import Report as Report
from autodiff_lab.engine.static.passes import optimize as optimize
from autodiff_lab.engine.static.program import Program as Program
from autodiff_lab.engine.static.trace import TraceError as TraceError
from autodiff_lab.engine.static.trace import trace as trace
