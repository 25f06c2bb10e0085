"""Schedules of the learning rate: `torch.optim.lr_scheduler`. Call ``step()`` after the optimizer's, once an epoch.

A schedule multiplies the rate it finds, so that several may act on one optimizer, and a change by hand is kept.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class LRScheduler:
    """The base: `scale` says by what the first rate is multiplied at step ``t``, above a floor ``eta_min``.

    optimizer   has its groups' "lr" changed; their "initial_lr" is what it was at the beginning
    last_epoch  the step to go on from; -1 to begin
    """

    eta_min = 0.0

    def __init__(self, optimizer: Any, last_epoch: int = -1) -> None:
        if not hasattr(optimizer, "param_groups"):
            raise TypeError(
                f"{type(self).__name__} takes an optimizer, whose rate it sets, not a {type(optimizer).__name__}"
            )
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def scale(self, t: int) -> float:
        """The factor at step ``t``, counted from 0."""
        raise NotImplementedError

    def get_lr(self) -> list[float]:
        """The rates at the step that has just begun, one for each group."""
        t, floor = self.last_epoch, self.eta_min
        before, now = (1.0 if t == 0 else self.scale(t - 1)), self.scale(t)
        return [
            floor + (group["lr"] - floor) * (now / before) if before else group["lr"] + (base - floor) * now
            for group, base in zip(self.optimizer.param_groups, self.base_lrs, strict=True)
        ]

    def step(self) -> None:
        """Go on to the next step and set the rates."""
        self.last_epoch += 1
        for group, lr in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = lr
        self._last_lr = self.get_last_lr()

    def get_last_lr(self) -> list[float]:
        """The rates that are set, one for each group."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, and functions, as plain data."""
        return {name: value for name, value in vars(self).items() if name not in ("optimizer", "lr_lambdas")}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a state that `state_dict` gave; the rates themselves are part of the optimizer's state."""
        vars(self).update(state_dict)


class StepLR(LRScheduler):
    """The rate times ``gamma`` every ``step_size`` steps."""

    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def scale(self, t: int) -> float:
        return self.gamma ** (t // self.step_size)


class ExponentialLR(LRScheduler):
    """The rate times ``gamma`` every step."""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def scale(self, t: int) -> float:
        return self.gamma**t


class LinearLR(LRScheduler):
    """A factor that goes from ``start_factor`` to ``end_factor`` in ``total_iters`` equal steps: a warm-up."""

    def __init__(
        self,
        optimizer: Any,
        start_factor: float = 1 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1:
            raise ValueError(
                f"LinearLR: factors {start_factor} and {end_factor}; they are from 0 to 1, the first not 0"
            )
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def scale(self, t: int) -> float:
        return self.start_factor + (self.end_factor - self.start_factor) * min(t, self.total_iters) / self.total_iters


class CosineAnnealingLR(LRScheduler):
    """From the first rate down to ``eta_min`` in ``T_max`` steps, along a cosine; then up again."""

    def __init__(self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def scale(self, t: int) -> float:
        return (1 + math.cos(math.pi * t / self.T_max)) / 2


class LambdaLR(LRScheduler):
    """The first rate times a function of the step, or one for each group: ``lambda t: min(1, t / 100)``."""

    def __init__(
        self, optimizer: Any, lr_lambda: Callable[[int], float] | list[Callable[[int], float]], last_epoch: int = -1
    ) -> None:
        groups = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * groups
        if len(self.lr_lambdas) != groups:
            raise ValueError(f"LambdaLR: {len(self.lr_lambdas)} functions for {groups} groups of parameters")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """The rates at the step that has just begun, one for each group."""
        return [base * rate(self.last_epoch) for base, rate in zip(self.base_lrs, self.lr_lambdas, strict=True)]
