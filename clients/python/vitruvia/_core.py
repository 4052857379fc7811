"""The logic of both clients, without input and output.

A flow is a generator. It yields what is to be done, gets the result back, and emits values. The
synchronous and the asynchronous client differ only in how they do these things.
"""

from __future__ import annotations

import functools
import json
import random
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from ._errors import VitruviaError, error_of, parsed
from ._files import File
from ._generated_operations import OPERATIONS


@dataclass(frozen=True)
class Policy:
    """How calls are made and repeated."""

    attempts_max: int
    attempt_seconds: float
    deadline_seconds: float
    idempotency_key: str | Literal[False] | None = None


@dataclass(frozen=True)
class Reply:
    """An answer. Its content is empty if it is read part by part."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Send:
    """Send a request; the result is a Reply. With `stream`, a success stays open for Read."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout_seconds: float
    stream: bool = False


@dataclass(frozen=True)
class Read:
    """Read the next part of the open answer; the result is bytes, or None at the end."""


@dataclass(frozen=True)
class Sleep:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class Emit:
    """Give a value to the caller."""

    value: Any


Action = Send | Read | Sleep | Emit
T = TypeVar("T")
Flow = Generator[Action, Any, T]

BACKOFF_SECONDS = 0.25
BACKOFF_MAX_SECONDS = 8.0
PASSING_STATUSES = (500, 502, 503, 504)


class Call:
    """One call with everything that its attempts share."""

    def __init__(
        self, policy: Policy, operation: str, body: Mapping[str, Any], key_suffix: str = ""
    ) -> None:
        self.policy = policy
        self.operation = OPERATIONS[operation]
        self.content = json.dumps(body, allow_nan=False, default=_plain).encode()
        self.deadline = time.monotonic() + policy.deadline_seconds
        self.key = self._key(policy.idempotency_key, key_suffix)

    def _key(self, wanted: str | Literal[False] | None, suffix: str) -> str | None:
        if wanted is False:
            return None
        if wanted is not None:
            return wanted + suffix
        return str(uuid.uuid4()) if self.operation.charges else None

    def send(self, stream: bool) -> Send:
        """The next attempt."""
        headers = {"Content-Type": "application/json"}
        if self.key is not None:
            headers["Idempotency-Key"] = self.key
        seconds = min(self.policy.attempt_seconds, max(self.deadline - time.monotonic(), 0.001))
        return Send("POST", self.operation.path, headers, self.content, seconds, stream)

    def wait_after(self, error: VitruviaError, failures: int) -> Sleep:
        """The wait before the next attempt. Raises the error if the call must not be repeated."""
        asked = error.retry_after_seconds or 0.0
        if _is_for_later(error):
            # Nothing was charged. The call can be repeated even without a key.
            seconds = max(asked, BACKOFF_SECONDS)
        else:
            is_passing = error.status == 0 or error.status in PASSING_STATUSES
            is_safe = self.key is not None or not self.operation.charges
            if not is_passing or not is_safe or failures >= self.policy.attempts_max:
                raise error
            backoff = min(BACKOFF_SECONDS * 2.0 ** (failures - 1), BACKOFF_MAX_SECONDS)
            # The random factor spreads the retries of clients that failed together.
            seconds = max(asked, backoff * random.uniform(0.5, 1))
        if time.monotonic() + seconds > self.deadline:
            raise error
        return Sleep(seconds)


def _is_for_later(error: VitruviaError) -> bool:
    """Whether the service had too many other requests. Nothing was charged then."""
    return error.status == 429 or error.code == "service_busy"


def answered(call: Call, stream: bool = False) -> Flow[Reply]:
    """Repeats a call until it succeeds or is refused."""
    failures = 0
    while True:
        try:
            reply: Reply = yield call.send(stream)
            if reply.status == 200:
                return reply
            raise error_of(reply.status, parsed(reply.content), reply.headers)
        except VitruviaError as error:
            failures += not _is_for_later(error)
            wait = call.wait_after(error, failures)
        yield wait


def answer_flow(call: Call) -> Flow[None]:
    """Emits the JSON answer of a call."""
    reply = yield from answered(call)
    yield Emit(json.loads(reply.content))


def file_flow(call: Call) -> Flow[None]:
    """Emits the file that answers a call."""
    reply = yield from answered(call)
    worst = reply.headers.get("vitruvia-body-worst")
    yield Emit(
        File(
            reply.content,
            reply.headers.get("content-type", ""),
            reply.headers.get("etag"),
            None if worst is None else float(worst),
        )
    )


def read_flow(policy: Policy, path: str) -> Flow[None]:
    """Emits the JSON answer of a route that is read."""
    reply: Reply = yield Send("GET", path, {}, None, policy.attempt_seconds)
    if reply.status != 200:
        raise error_of(reply.status, parsed(reply.content), reply.headers)
    yield Emit(json.loads(reply.content))


def stream_flow(
    call: Call,
    opened: Callable[[Mapping[str, str]], None],
    decode: Callable[[bytes | None], Iterable[Any]],
) -> Flow[None]:
    """Emits what `decode` makes of an answer that is read part by part.

    If the connection is cut, the call is repeated with its idempotency key. The service then sends
    the same bytes without charge, and the stream continues where it stopped.

    `opened` gets the headers, `decode` each part and None at the end.
    """
    received = 0
    failures = 0
    while True:
        reply = yield from answered(call, stream=True)
        if received == 0:
            opened(reply.headers)
        skipped = received
        try:
            while True:
                chunk: bytes | None = yield Read()
                if chunk is None:
                    break
                news = chunk[skipped:]
                skipped -= len(chunk) - len(news)
                received += len(news)
                for value in decode(news) if news else ():
                    yield Emit(value)
        except VitruviaError as error:
            if call.key is None:
                raise
            failures += 1
            wait = call.wait_after(error, failures)
        else:
            break
        yield wait
    for value in decode(None):
        yield Emit(value)


def consumed(flow: Flow[None], take: Callable[[Any], None]) -> Flow[None]:
    """Runs a flow, and gives what it emits to `take`."""
    resume: Callable[[], Action] = functools.partial(next, flow)
    while True:
        try:
            action = resume()
        except StopIteration:
            return
        if isinstance(action, Emit):
            take(action.value)
            resume = functools.partial(next, flow)
            continue
        try:
            result = yield action
        except VitruviaError as error:
            resume = functools.partial(flow.throw, error)
        else:
            resume = functools.partial(flow.send, result)


def _plain(value: Any) -> Any:
    """Turns a number of numpy into a number of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not a value of JSON")
