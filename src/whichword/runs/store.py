"""Store shards on disk: committed whole, done only when verified. Readers follow the plan, not a folder listing."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whichword.base.files import read
from whichword.base.typed import plain, typed
from whichword.errors import DamagedError, FileError, InputError
from whichword.runs import shards
from whichword.runs.records import Receipt, RunPlan
from whichword.runs.sealed import commit, sealed, sha256, unsealed
from whichword.runs.shards import Made, file_name, kinds, receipt_trouble, row_keys, stored_table

RUN = "run.json"  # written last of what a run needs to begin: where it is, a run was begun
FAILED = "failed"  # the status of relevances of a document that the model gave no answer for
BESIDE = ("report.html", "verdict.json")  # what may be written beside a run when it is done


@dataclass(frozen=True)
class Store:
    """A run's folder and its plan."""

    folder: Path
    plan: RunPlan

    @staticmethod
    def open(folder: Path) -> "Store":
        """Open a run's folder; `InputError` unless it holds one."""
        try:
            body = unsealed(folder / RUN)
        except DamagedError as damage:
            if not (folder / RUN).exists():  # nothing is damaged: there is no run
                raise FileError(f"{folder} holds no run ({RUN} is missing)") from None
            advice = "remove it, and the command that made the run builds it again and keeps what still fits"
            raise DamagedError(f"{folder}: {damage}: {advice}") from None
        try:
            return Store(folder, RunPlan.from_json(body))
        except InputError as error:
            raise type(error)(f"{folder}: {RUN}: {error}") from None

    def save_plan(self) -> None:
        commit(self.folder, RUN, sealed(self.plan.to_json()))

    def save(self, computed: Made) -> Receipt:
        """Commit a shard: its files, then the receipt, so that a receipt without its files cannot come of a kill."""
        shard = computed.receipt.shard
        for kind in computed.tables:
            commit(self.folder, file_name(shard, kind), computed.tables[kind])
        commit(self.folder, _receipt(shard), sealed(plain(computed.receipt)))
        return computed.receipt

    def sent_trouble(self, computed: Made, keys: Sequence[str]) -> str | None:
        """Say why what a worker sent is not the planned shard of the items with these ``keys``; None: it is."""
        try:  # a worker may be a stranger's executor: its receipt is read as one from a disk is
            self._planned(computed.receipt.shard, plain(computed.receipt))
        except DamagedError as damage:
            return str(damage)
        pairing = self.plan.shards[computed.receipt.shard][0]
        rows = {kind: row_keys(pairing, kind, keys) for kind in kinds(pairing)}
        troubles = (_sent_trouble(computed, kind, rows[kind]) for kind in kinds(pairing))
        return next(filter(None, troubles), None)

    def receipt(self, shard: str) -> Receipt:
        """Read the shard's receipt, checked against the plan; `DamagedError` says what is wrong."""
        return self._planned(shard, unsealed(self.folder / _receipt(shard)), f"{_receipt(shard)}: ")

    def _planned(self, shard: str, body: Any, where: str = "") -> Receipt:
        receipt = typed(Receipt, body, f"{where}not a receipt", DamagedError)
        if trouble := receipt_trouble(receipt, self.plan.run, *self.plan.shards[shard]):
            raise DamagedError(f"{where}{trouble}")
        return receipt

    def verified(self, shard: str, kind: str) -> bytes:
        """Read a file of the shard that has the checksum that its receipt vouches for."""
        return self.vouched(self.receipt(shard), kind)

    def vouched(self, receipt: Receipt, kind: str) -> bytes:
        """Read a file of the shard whose receipt was read already."""
        name = file_name(receipt.shard, kind)
        try:
            data = read(self.folder / name)
        except OSError as error:
            raise DamagedError(f"{name}: {error.strerror}") from None
        if sha256(data) != receipt.files[kind].sha256:
            raise DamagedError(f"{name}: the checksum does not fit")
        return data

    def read(self, shard: str, kind: str) -> Any:
        """Read the table of a verified file."""
        return stored_table(self.plan, shard, kind, self.verified(shard, kind))

    def trouble(self, shard: str) -> str | None:
        """Say why the shard is not done; None: it is."""
        try:
            for kind in kinds(self.plan.shards[shard][0]):
                self.read(shard, kind)
        except DamagedError as damage:
            return str(damage)
        return None

    def unfinished(self, shard: str) -> str | None:
        """Say why the shard is to be made, or made again: it is not done, or documents of it failed."""
        trouble = self.trouble(shard)
        if trouble is None and (failed := self.receipt(shard).shortfall.failed):  # a model out of reach may be back
            return f"{_receipt(shard)}: {failed} documents failed"
        return trouble

    def begun(self, shard: str) -> bool:
        """Tell whether anything of the shard is there: if so, what is wrong with it is damage."""
        return any((self.folder / name).exists() for name in self._names(shard))

    def planned(self) -> set[str]:
        """List every file that the plan speaks of."""
        names = {RUN, "lock", *BESIDE, *(item_set.file for item_set in self.plan.sets)}
        for shard in self.plan.shards:
            names |= self._names(shard)
        return names | {f"judged/{p.id}.{end}" for p in self.plan.pairings for end in ("parquet", "json")}

    def _names(self, shard: str) -> set[str]:
        return {_receipt(shard), *(file_name(shard, kind) for kind in kinds(self.plan.shards[shard][0]))}


def _sent_trouble(computed: Made, kind: str, keys: Sequence[str]) -> str | None:
    """Say what is wrong with one of the files; None: nothing."""
    if sha256(computed.tables[kind]) != computed.receipt.files[kind].sha256:  # before parsing: the wire may garble
        return f"{kind}: the checksum does not fit"
    try:
        same = shards.table(computed.tables[kind], kind).column("key").to_pylist() == keys
    except DamagedError as damage:
        return str(damage)
    return None if same else f"{kind}: its rows are not those of the plan"


def _receipt(shard: str) -> str:
    return f"shards/{shard}.json"
