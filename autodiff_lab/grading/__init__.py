"""From unit sources to grades: build, answer banks, execution, gradebook, feedback and report.

Knows nothing of the command line: every step is a function with keyword arguments and, where it takes long, a progress
callback.
"""

import sys

# A checker of addresses that jsonschema takes if it is there: nothing here has it check any, and to import it takes a
# second, in each process.
if "jsonschema" not in sys.modules:
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
