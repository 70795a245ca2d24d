"""Turn rounds into a run like any other: the methods that kept up, on the documents that all of them played."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow
from msgspec.structs import replace
from pyarrow import compute

from whichword.rounds.levels import Score
from whichword.rounds.looks import fullest
from whichword.runs import shards
from whichword.runs.items import ItemFile, items_bytes
from whichword.runs.records import Asked, ItemSet, Pairing, RunPlan, StoredVerdict, Verdicts
from whichword.runs.run import open_run, save_verdicts
from whichword.runs.sealed import commit, sha256
from whichword.runs.shards import KINDS, Made, Timing, shortfall_of
from whichword.runs.store import FAILED, Store
from whichword.scoring.run import store_judgement
from whichword.types import Item


def consolidate(folder: Path, rounds: Store, scores: Sequence[Score], verdicts: Mapping[str, StoredVerdict]) -> None:
    """Write the run, its judgements and its verdicts; what an earlier start wrote is replaced."""
    views = [_View(rounds, score, verdicts[score.contest.whole.id]) for score in scores]
    views = [view for view in views if view.documents]  # without a round there is nothing to read
    plan = _plan(rounds.plan, views)
    store = Store(folder, plan)
    for view in views:
        commit(folder, view.set.file, items_bytes(view.items))  # before the plan that names it
    store.save_plan()
    for view in views:
        tables = {kind: view.table(kind) for kind in KINDS}
        rows = {kind: table.num_rows for kind, table in tables.items()}
        data = {kind: shards.parquet(_columns(table), table.schema) for kind, table in tables.items()}
        shortfall = shortfall_of(view.items, tables["predictions"])
        store.save(Made.of(plan.run, view.shard, data, rows, view.timing(), view.arithmetic, shortfall))
    run = open_run(folder)  # as readers will: what they could not read fails here
    for pairing in plan.pairings:
        store_judgement(run, pairing.id)
    save_verdicts(folder, Verdicts(plan.run, {view.contest.whole.id: view.verdict for view in views}))


def _columns(table: Any) -> dict[str, Any]:
    return {name: table.column(name) for name in table.column_names}


def _plan(plan: RunPlan, views: Sequence["_View"]) -> RunPlan:
    sizes = "; ".join(f"{view.contest.whole.id}: {len(view.methods)} x {view.documents}" for view in views)
    return replace(
        plan,
        identity={**plan.identity, "played": sizes},  # what was played, time decided: it makes another run
        sets=tuple(view.set for view in views),
        pairings=tuple(view.pairing for view in views),
    )


class _View:
    """One contest: so many documents that methods times documents is largest, and the methods that played them."""

    def __init__(self, rounds: Store, score: Score, verdict: StoredVerdict) -> None:
        self.rounds, self.contest, self.costs, self.verdict = rounds, score.contest, score.costs, verdict
        sizes = {method: self.contest.documents(method, count) for method, count in score.rounds.items()}
        self.documents = fullest(sizes, verdict.decision.choice if verdict.decision else None)
        self.methods = [method for method, size in sizes.items() if size >= self.documents]
        self.shard = f"{self.contest.whole.id}/00000"
        self.items = self._items() if self.documents else ()
        self.arithmetic = self._receipt(self.methods[0], 0).arithmetic if self.documents else ""

    @property
    def set(self) -> ItemSet:
        was = self.rounds.plan.set(self.contest.whole.set)
        return replace(
            was,
            id=f"s{self.contest.whole.id}",  # models came to different lengths of one set
            items=self.documents,
            sha256=sha256(items_bytes(self.items)),
            words=sum(len(item.words) for item in self.items),
        )

    @property
    def pairing(self) -> Pairing:
        whole = self.contest.whole
        asked: dict[str, Asked] = {method.label: method for method in whole.methods}
        missing = {name: words for name, words in self.verdict.unplayed.items() if name not in self.methods}
        return replace(
            whole,
            set=self.set.id,
            methods=tuple(asked[method] for method in self.methods),
            undefined={**whole.undefined, **missing},
            cuts=(0, self.documents),  # one shard
        )

    def table(self, kind: str) -> Any:
        """Merge rows by document, relevances by document and method. What failed for a method failed."""
        table = self._merged(kind)
        if kind == "relevances":
            return table
        failed = compute.is_in(table["key"], value_set=self._failed())  # of all methods, to compare them
        place = table.column_names.index("predicted")
        predicted = compute.if_else(failed, pyarrow.scalar(None, pyarrow.string()), table["predicted"])
        return table.set_column(place, "predicted", predicted)

    def _failed(self) -> Any:
        relevances = self._merged("relevances")
        return relevances.filter(compute.equal(relevances["status"], FAILED))["key"].combine_chunks()

    def _merged(self, kind: str) -> Any:
        methods = self.methods if kind == "relevances" else self.methods[:1]  # all predict alike
        columns = [self._rows(method, kind) for method in methods]
        order = [m * self.documents + row for row in range(self.documents) for m in range(len(methods))]
        return pyarrow.concat_tables(columns).take(order)

    def timing(self) -> Timing:
        """Estimate seconds by all that was played, as the verdict does."""
        together = {method: self.costs.seconds(method) * self.documents for method in self.methods}
        alone = {method: self.costs.alone(method) * self.documents for method in self.methods}
        return Timing(together, alone, self.documents)

    def _items(self) -> tuple[Item, ...]:
        file = self.rounds.plan.set(self.contest.whole.set).file
        return ItemFile(self.rounds.folder / file).in_order()[: self.documents]

    def _rows(self, method: str, kind: str) -> Any:
        """Read the rows of one method; predictions are those of its whole team."""
        names = [shard.name for shard in self.contest.team[method].shards if shard.items[0] < self.documents]
        table = pyarrow.concat_tables([self.rounds.read(name, kind) for name in names])
        return table.filter(compute.equal(table["method"], method)) if kind == "relevances" else table

    def _receipt(self, method: str, number: int) -> Any:
        return self.rounds.receipt(self.contest.team[method].shards[number].name)
