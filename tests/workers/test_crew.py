"""Workers that are killed, stop, or lose their parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from crew_jobs import open_shop

from whichword.workers.processes import Stillness, crew, processor_time
from whichword.workers.tasks import Done, Failed, GivenUpError, Notice, Site, TaskQueue, Workload


def test_a_killed_worker_is_replaced_and_its_task_tried_again(tmp_path: Path) -> None:
    outcomes = list(crew(Workload(open_shop, tmp_path), ["a", "die 3", "b"], Site(1)))
    assert [outcome for outcome in outcomes if isinstance(outcome, Done)] == [
        Done(task, f"{task} done") for task in ("a", "die 3", "b")
    ]
    notices = [outcome.text for outcome in outcomes if isinstance(outcome, Notice)]
    assert notices == [
        f"a worker was killed by SIGKILL at die 3; it is tried again ({number} of 3)" for number in (1, 2, 3)
    ]


def test_a_task_that_kills_four_workers_is_named_and_the_others_are_done(tmp_path: Path) -> None:
    outcomes = list(crew(Workload(open_shop, tmp_path), ["a", "die 9", "b"], Site(1)))
    assert [outcome.task for outcome in outcomes if isinstance(outcome, Done)] == ["a", "b"]
    (failed,) = (outcome for outcome in outcomes if isinstance(outcome, Failed))
    assert failed == Failed("die 9", "a worker was killed by SIGKILL; failed on 3 retries as well")
    assert (tmp_path / "tries").read_text().count("die 9") == 4


def test_where_nothing_is_ever_done_the_first_failure_is_the_last(tmp_path: Path) -> None:
    with pytest.raises(GivenUpError, match=r"die 9: a worker was killed by SIGKILL.*run the same command again"):
        list(crew(Workload(open_shop, tmp_path), ["die 9", "a"], Site(1)))
    assert "a\n" not in (tmp_path / "tries").read_text()


def test_a_worker_that_does_not_move_is_named_once_and_may_go_on(tmp_path: Path) -> None:
    outcomes = []
    for outcome in crew(Workload(open_shop, tmp_path), ["stop"], Site(1, still=0.5)):
        outcomes.append(outcome)
        if isinstance(outcome, Notice):
            os.kill(int((tmp_path / "stopped").read_text()), signal.SIGCONT)
    assert outcomes[-1] == Done("stop", "stop done")
    notices = [outcome.text for outcome in outcomes if isinstance(outcome, Notice)]
    pid = (tmp_path / "stopped").read_text()
    assert notices
    assert all(notice.startswith(f"worker {pid} has not moved for ") for notice in notices)


def test_stillness_counts_processor_time() -> None:
    spent, now = {1: 5, 2: 5}, [0.0]
    stillness = Stillness(60, lambda pid: spent[pid], lambda: now[0])
    at_work = [(1, "p00/00001"), (2, "p00/00002")]
    for minute in range(4):
        now[0] = 60.0 * minute
        spent[2] += 1
        notices = [notice.text for notice in stillness.notices(at_work)]
        expected = ["worker 1 has not moved for 60 seconds at p00/00001: is it stopped?"] if minute == 1 else []
        assert notices == expected
    assert (processor_time(os.getpid()) or 0) > 0
    assert processor_time(0) is None


def test_the_queue_tries_three_times_again() -> None:
    queue = TaskQueue()
    queue.begin(["a", "b"])
    queue.finished("z", None)
    for number in (1, 2, 3):
        task = queue.waiting.popleft()
        assert queue.lost(task, "gone") == Notice(f"gone at a; it is tried again ({number} of 3)")
    assert isinstance(queue.lost(queue.waiting.popleft(), "gone"), Failed)
    assert list(queue.waiting) == ["b"]


def test_a_parent_that_dies_leaves_no_traceback_and_no_worker(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from crew_jobs import open_shop\n"
        "from whichword.workers.processes import crew\n"
        "from whichword.workers.tasks import Site, Workload\n"
        "load, tasks = Workload(open_shop, pathlib.Path(sys.argv[1])), [str(i) for i in range(10**6)]\n"
        "for answer in crew(load, tasks, Site(2)):\n"
        "    print(answer, flush=True)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        for _ in range(40):
            parent.stdout.readline()
        parent.kill()
        end = time.monotonic() + 20
        assert b"Traceback" not in parent.stderr.read()  # ends when the last worker has ended
        assert time.monotonic() < end
