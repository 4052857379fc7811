from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Literal, Self

import httpx

from ._core import Call, Policy, Reply, Send
from ._errors import VitruviaError, check_key
from ._generated_operations import OPERATIONS


class Client:
    """The parts that both clients share: the settings, and what happens to each request."""

    _policy: Policy

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        attempts_max: int,
        attempt_seconds: float,
        deadline_seconds: float,
    ) -> None:
        if api_key is not None:
            check_key(api_key)
        self._base_url = base_url.rstrip("/")
        self._headers = {} if api_key is None else {"Authorization": f"Bearer {api_key}"}
        self._policy = Policy(attempts_max, attempt_seconds, deadline_seconds)

    def with_options(
        self,
        *,
        deadline_seconds: float | None = None,
        idempotency_key: str | Literal[False] | None = None,
    ) -> Self:
        """A client with other settings on the same connections.

        `idempotency_key` is the key under which the service charges a call at most once. By
        default, each call has a random key. With False no key is sent; a call that may have been
        charged is then not repeated.
        """
        other = copy.copy(self)
        old = self._policy
        other._policy = Policy(
            old.attempts_max,
            old.attempt_seconds,
            old.deadline_seconds if deadline_seconds is None else deadline_seconds,
            idempotency_key,
        )
        return other

    def _policy_with(self, idempotency_key: str | Literal[False] | None) -> Policy:
        """The policy of a call. Without a key of its own, the call has the policy of the client."""
        if idempotency_key is None:
            return self._policy
        return self.with_options(idempotency_key=idempotency_key)._policy

    def _request(self, send: Send) -> dict[str, Any]:
        return {
            "method": send.method,
            "url": f"{self._base_url}{send.path}",
            "headers": {**self._headers, **send.headers},
            "content": send.content,
            "timeout": send.timeout_seconds,
        }

    def _make_call(self, operation: str, request: Mapping[str, Any]) -> Call:
        return Call(self._policy, operation, request)


def in_json(operation: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The request that a method sends. Operations that answer with files are asked for JSON."""
    return {**request, "format": "json"} if OPERATIONS[operation].is_file else request


def connection_error(cause: Exception, address: str) -> VitruviaError:
    """The error of a call that got no answer, or only a part of one, from the service at this address."""
    code = "timed_out" if isinstance(cause, httpx.TimeoutException) else "connection_failed"
    why = str(cause) or type(cause).__name__
    is_unreached = isinstance(cause, httpx.ConnectError)
    remedy = ". Start the service, or give its address." if is_unreached else ""
    return VitruviaError(code, f"There was no complete answer from {address}: {why}{remedy}")


def reply_of(response: httpx.Response, content: bytes) -> Reply:
    return Reply(response.status_code, response.headers, content)
