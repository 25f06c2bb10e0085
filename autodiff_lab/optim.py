"""What PyTorch's `import torch.optim as optim` becomes: `autodiff_lab.engine.optim`."""

import sys

from autodiff_lab.engine import optim

sys.modules[__name__] = optim
sys.modules[__name__ + ".lr_scheduler"] = optim.lr_scheduler
