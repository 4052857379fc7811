from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from ._core import Call, Emit, Flow, Policy, answered
from ._errors import VitruviaError, error_of
from ._generated import BatchOperation
from ._generated_operations import (
    BATCH_BYTES_MAX,
    BATCH_ENTRIES_MAX,
    BATCH_HEAVY_MAX,
    OPERATIONS,
)

FRAME_BYTES = len('{"requests": []}')


class BatchEntry(TypedDict):
    """A request in a batch."""

    operation: BatchOperation
    input: Mapping[str, Any]
    """Request of the operation, such as a `PredictRequest`."""
    id: NotRequired[str]
    """Your name of the entry."""


@dataclass(frozen=True)
class BatchResult:
    """The answer to an entry, or the error if it was refused. A refused entry costs nothing."""

    entry: BatchEntry
    answer: Any = None
    error: VitruviaError | None = None

    @property
    def ok(self) -> bool:
        """Whether there is an answer."""
        return self.error is None


def batch_flow(policy: Policy, entries: Iterable[BatchEntry]) -> Flow[None]:
    """Emits a BatchResult for each entry, in their order.

    The entries are sent in batches as large as the service takes them. Each batch is one call: it is
    charged in one step, at most once. The same idempotency key of the policy for the same entries
    makes the whole series safe to repeat.
    """
    for number, part in enumerate(_parts(entries)):
        call = Call(policy, "batch", {"requests": [_wire(entry) for entry in part]}, f".{number}")
        reply = yield from answered(call)
        answers = json.loads(reply.content)["answers"]
        for entry, answer in zip(part, answers, strict=True):
            if answer["status"] == 200:
                yield Emit(BatchResult(entry, answer["body"]))
            else:
                error = error_of(answer["status"], answer["body"])
                yield Emit(BatchResult(entry, error=error))


def _wire(entry: BatchEntry) -> Mapping[str, Any]:
    """An entry as the service takes it. A batch has no files."""
    if not OPERATIONS[entry["operation"]].is_file:
        return entry
    return {**entry, "input": {**entry["input"], "format": "json"}}


def _parts(entries: Iterable[BatchEntry]) -> Iterator[list[BatchEntry]]:
    """Splits entries into parts that fit into a batch: by number, heavy entries and bytes."""
    part: list[BatchEntry] = []
    heavy = 0
    size = FRAME_BYTES
    for entry in entries:
        # Two more bytes for the comma and the space between entries.
        entry_size = len(json.dumps(_wire(entry), default=str).encode()) + 2
        weight = 1 if OPERATIONS[entry["operation"]].heavy else 0
        is_full = (
            len(part) >= BATCH_ENTRIES_MAX
            or heavy + weight > BATCH_HEAVY_MAX
            or size + entry_size > BATCH_BYTES_MAX
        )
        if is_full and part:
            yield part
            part, heavy, size = [], 0, FRAME_BYTES
        part.append(entry)
        heavy += weight
        size += entry_size
    if part:
        yield part
