"""nbgrader's configuration of this course; nbgrader's own commands, formgrader and `autodiff_lab grade` all read it.

Change what you like. Options are explained by `nbgrader --help-all`; GUIDE.md says which of them matter here.
"""

import contextlib
import sys
from pathlib import Path

COURSE = Path(__file__).resolve().parent
if (COURSE.parent / "autodiff_lab" / "grading").is_dir():  # a checkout that is not installed
    sys.path.insert(0, str(COURSE.parent))

from nbgrader.preprocessors import (  # noqa: E402
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)

from autodiff_lab.grading.build import release_steps  # noqa: E402
from autodiff_lab.grading.execute import ExecuteSubmission  # noqa: E402
from autodiff_lab.grading.export import QuotedCsv  # noqa: E402
from autodiff_lab.grading.feedback import PREPROCESSORS as FEEDBACK_PREPROCESSORS  # noqa: E402
from autodiff_lab.grading.formgrader import BesideAnswer  # noqa: E402
from autodiff_lab.grading.formgrader import guard as guard_formgrader  # noqa: E402
from autodiff_lab.grading.late import LatePenalty  # noqa: E402
from autodiff_lab.grading.sanitize import MatchRelease, guard  # noqa: E402
from autodiff_lab.grading.still import TEMPLATES, OnlyStill, StillHTMLExporter, markdown_filter  # noqa: E402

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "autodiff_lab"
c.CourseDirectory.root = str(COURSE)
# The text sources hold the solutions and lie beside the built notebooks: they never go into a release.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "[0-9][0-9]_*.py"]

# Where nbgrader's release, fetch, submit and collect meet. On a shared machine name a folder that all may write to.
c.Exchange.root = str(COURSE / "exchange")
with contextlib.suppress(OSError):  # nbgrader wants it to be there; a course that may not be written needs none
    (COURSE / "exchange").mkdir(exist_ok=True)

# An answer cell that asks for a value (`prediction = ...`) runs without an error before it is answered.
c.GenerateAssignment.preprocessors = release_steps(SaveCells)

# Grading. The time is for one cell; a cell that does not end loses its own exercise only.
c.ExecuteSubmission.timeout = 30
c.ExecuteSubmission.total_timeout = 600
c.ExecuteSubmission.max_output_bytes = 50_000
c.ExecuteSubmission.max_notebook_bytes = 10_000_000
# Submissions run in a sandbox (bubblewrap, on Linux), and nothing runs where there is none. True: run them without one.
# Their tests stay in another process, but the code of a student can then do what you can.
c.ExecuteSubmission.trust_students = False
c.Execute.store_widget_state = False
guard()  # nbgrader's own commands open no link, no pipe and no device of a submission
c.Autograde.sanitize_preprocessors = [ClearOutput, MatchRelease, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [
    ExecuteSubmission,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]

# Late work, by the due date in the gradebook and the time of collecting. "none" costs nothing, "zero" everything; for
# "per day" each day begun after the grace costs percent_per_day of the points that were earned, up to max_percent.
c.AssignLatePenalties.plugin_class = LatePenalty
c.LateSubmissionPlugin.penalty_method = "none"
c.LateSubmissionPlugin.grace_minutes = 0
c.LateSubmissionPlugin.percent_per_day = 10
c.LateSubmissionPlugin.max_percent = 100

# Feedback shows what failed and what to read, never a hidden test.
c.GenerateFeedback.preprocessors = FEEDBACK_PREPROCESSORS
c.GenerateFeedback.exporter_class = StillHTMLExporter
c.StillHTMLExporter.extra_template_basedirs = TEMPLATES
c.StillHTMLExporter.template_name = "autodiff_feedback"
c.StillHTMLExporter.preprocessors = []

# Formgrader shows submissions in your browser, on the address of your Jupyter server: nothing of a student runs there.
# A written answer has its model answer and marking guide beside it.
c.HTMLExporter.extra_template_basedirs = c.HTMLExporter.extra_template_paths = TEMPLATES
c.HTMLExporter.template_name = "autodiff_formgrade"
c.HTMLExporter.preprocessors = [OnlyStill, BesideAnswer]
c.HTMLExporter.filters = {"markdown2html": markdown_filter}
guard_formgrader()  # also where this course is opened in a server that was started in another folder

# CSV with quoted names; what is not graded stays empty instead of 0.
c.ExportApp.plugin_class = QuotedCsv
