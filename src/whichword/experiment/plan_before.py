"""Runs of former formats, for readers: what is stored in them, under the names that it has now."""

from collections.abc import Callable, Mapping
from typing import Any

FIRST, SECOND = "whichword run 1", "whichword run 2"
UNSAID = "not defined for this network"  # where no reason was stored


def _raised_first(body: Mapping[str, Any]) -> dict[str, Any]:
    """The plan with today's fields; its format stays what it was, so that nobody computes for it."""
    settings = body["settings"]
    sizes = {now: settings[was] for was, now in (("budget", "batch_words"), ("shard", "shard_words"))}
    return {
        **body,
        "settings": {"seed": settings["seed"], **sizes},
        "models": [_model(model) for model in body["models"]],
        "pairings": [{**p, "undefined": dict.fromkeys(p["undefined"], UNSAID)} for p in body["pairings"]],
    }


def _model(model: Mapping[str, Any]) -> dict[str, Any]:
    name = f"bi{model['kind']}" if model["bidirectional"] else model["kind"]
    facts = {size: str(model[size]) for size in ("embedding", "hidden")}
    about = {"name": name, "classes": model["classes"], "dtype": model["dtype"], "facts": facts}
    return {"label": model["label"], "spelling": model["path"], "about": about}


def raised_receipt(body: Mapping[str, Any]) -> dict[str, Any]:
    """A receipt with today's fields: no method was timed alone, and nobody noted the arithmetic."""
    unchanged = {name: value for name, value in body.items() if name != "seconds"}
    return {**unchanged, "together": body["seconds"], "alone": {}, "alone_documents": 0, "arithmetic": ""}


# format 2 has all fields; its shards are lists of rows, which `plan` reads as they are
RAISED: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {FIRST: _raised_first, SECOND: dict}
