"""What PyTorch's `import torch.nn as nn` and `import torch.nn.functional as F` become: `autodiff_lab.engine.nn`."""

import sys

from autodiff_lab.engine import nn

sys.modules[__name__] = nn
for _name in ("functional", "init", "utils"):
    sys.modules[__name__ + "." + _name] = getattr(nn, _name)
