from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any


class VitruviaError(Exception):
    """A refusal or a failure of a call. Its text is that of the service."""

    status: int
    """HTTP status; 0 if there was no complete answer."""
    code: str
    """A code of the service, or `connection_failed`, `timed_out`, `unexpected_answer`."""
    detail: str
    """What is wrong and what to do about it."""
    request_id: str | None
    """Id of the request, for questions about it."""
    errors: Sequence[Mapping[str, str]]
    """The first faults of the request (400)."""
    retry_after_seconds: float | None
    """Seconds after which the same request may succeed."""
    problem: Mapping[str, Any]
    """The whole answer, with members such as `minimum` and `resets_at`."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int = 0,
        problem: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.problem = problem or {}
        self.request_id = request_id or self.problem.get("request_id")
        self.errors = self.problem.get("errors", [])
        self.retry_after_seconds = retry_after_seconds


def error_of(status: int, body: Any, headers: Mapping[str, str] | None = None) -> VitruviaError:
    """The error of an answer that is not a success; `body` is a problem or anything else."""
    headers = headers or {}
    wait = headers.get("retry-after", "")
    seconds = float(wait) if wait.isdecimal() else None
    request_id = headers.get("x-request-id")
    if isinstance(body, dict) and "code" in body and "detail" in body:
        return VitruviaError(
            body["code"],
            body["detail"],
            status=status,
            problem=body,
            request_id=request_id,
            retry_after_seconds=seconds,
        )
    return VitruviaError(
        "unexpected_answer",
        f"The service answered with {status}.",
        status=status,
        request_id=request_id,
        retry_after_seconds=seconds,
    )


_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9_.~+/=-]")
"""Other characters than those of a key in an `Authorization` header (RFC 6750, 2.1)."""
_NAMES = {"\n": "a line break", "\r": "a line break", " ": "a space"}


def check_key(api_key: str) -> None:
    """Checks a key before it is sent. The text of the error does not have the key: errors are logged.

    Raises:
        VitruviaError: `unauthorized` with status 0
    """
    found = _NOT_IN_KEYS.search(api_key)
    if found is None and api_key != "":
        return
    fault = "is empty"
    if found is not None:
        name = _NAMES.get(found.group(), "a character that no key has")
        fault = f"has {name} at position {found.start() + 1}"
    remedy = "Nothing was sent. Give the key as it was shown, without anything around it."
    raise VitruviaError("unauthorized", f"The API key {fault}. {remedy}")


def parsed(content: bytes) -> Any:
    """JSON, or None for anything else, such as the page of a proxy."""
    try:
        return json.loads(content)
    except ValueError:
        return None
