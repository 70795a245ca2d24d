"""The bar of ``whichword train``, epoch after epoch."""

from dataclasses import replace

from whichword.cli.train import Bar
from whichword.training.state import Position


def test_the_bar_runs_again_in_every_epoch() -> None:
    bar, position = Bar(), Position({}, 0.001)
    bar.live = True  # updated, but not drawn: pytest's standard error is no terminal
    for number in (1, 2, 3):
        for step in (1, 2):
            bar.show(replace(position, steps=step), 3)
            [task] = bar.bar.tasks
            assert (task.completed, task.total, task.finished) == (step, 3, False)
            assert task.description.startswith(f"epoch {number}")
            assert task.finished_time is None
        bar.show(replace(position, steps=3, loss=1.0), 3)
        assert bar.bar.tasks[0].finished
        position = replace(position, steps=3, loss=1.0).after_epoch(0.5, halve=2, patience=9, epochs=9)
        bar.show(position, 0)
