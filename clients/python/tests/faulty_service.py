"""Customers of a real service behind a proxy that injects faults (test/clients/faulty-service.ts)."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
from collections.abc import AsyncIterator
from typing import Any
from urllib.request import Request, urlopen

from vitruvia import AsyncVitruvia, Vitruvia

URL = os.environ["VITRUVIA_FAULTY_SERVICE"]


def ask(path: str, method: str = "GET") -> Any:
    """An answer of the service's own routes."""
    with urlopen(Request(f"{URL}{path}", method=method), timeout=900) as reply:
        return json.load(reply)


class Customer:
    """An account with credits."""

    def __init__(self, credits: int, service: str = "") -> None:
        made = ask(f"/customer?credits={credits}&service={service}", "POST")
        self.api_key: str = made["apiKey"]
        self._account: str = made["account"]
        self._credits = credits

    def spent(self) -> int:
        """Credits that the customer has paid."""
        return self._credits - ask(f"/balance?account={self._account}")


class Address:
    """An address of the service behind faults."""

    def __init__(self, *faults: str) -> None:
        self._id = ask(f"/behind?faults={','.join(faults) or 'none'}")
        self.url = f"{URL}/{self._id}"

    def seen(self) -> list[dict[str, Any]]:
        """The requests that came."""
        return ask(f"/seen/{self._id}")


class Blocking:
    """An asynchronous client, or a part of one, that is used like the synchronous one."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        return self._wrapped_call(value) if callable(value) else value

    def aclose(self) -> None:
        """Closes the client and its event loop."""
        self._loop.run_until_complete(self._target.aclose())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def __iter__(self) -> Any:
        values: AsyncIterator[Any] = aiter(self._target)
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(anext(values))
                except StopAsyncIteration:
                    return
        finally:
            close = getattr(values, "aclose", None)
            if close is not None:
                self._loop.run_until_complete(close())

    def _wrapped_call(self, function: Any) -> Any:
        def call(*args: Any, **words: Any) -> Any:
            value = function(*args, **words)
            if inspect.isawaitable(value):
                return self._loop.run_until_complete(value)
            if isinstance(value, AsyncVitruvia) or hasattr(value, "__aiter__"):
                return Blocking(value, self._loop)
            return value

        return call


def synchronous(url: str, api_key: str | None, **settings: Any) -> Any:
    """The synchronous client."""
    return Vitruvia(url, api_key, **settings)


def asynchronous(url: str, api_key: str | None, **settings: Any) -> Any:
    """The asynchronous client, to be used like the synchronous one."""
    client = AsyncVitruvia(url, api_key, **settings)  # Refuses a wrong key, before a loop is open.
    return Blocking(client, asyncio.new_event_loop())
