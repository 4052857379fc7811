from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self

import anyio
import httpx

from ._batch import BatchEntry, BatchResult, batch_flow
from ._client import Client, connection_error, in_json, reply_of
from ._core import Action, Emit, Flow, Policy, Read, Send, Sleep, answer_flow, file_flow, read_flow
from ._errors import VitruviaError
from ._files import File
from ._generated import (
    AsyncOperations,
    Catalog,
    Clothing,
    Country,
    Gender,
    Health,
    Measurement,
    Posture,
    Products,
    Ready,
    Unit,
)
from ._streams import AsyncArrowStream, AsyncCsvStream
from ._table import Table, TableRequest, table_flow, warn_left_out


class AsyncVitruvia(Client, AsyncOperations):
    """The asynchronous client, for asyncio and trio. Every method raises VitruviaError."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        attempts_max: int = 5,
        attempt_seconds: float = 60.0,
        deadline_seconds: float = 180.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """
        Args:
            base_url: address of the service, such as `https://vitruvia.example`
            api_key: `vt_live_…` or `vt_test_…`; only public routes need none
            attempts_max: attempts of a call that fails; waits that the service asks for do not count
            attempt_seconds: longest silence of the service in an attempt
            deadline_seconds: longest time of a call; no attempt begins later
            http: sends the requests, for example through a proxy
        """
        super().__init__(base_url, api_key, attempts_max, attempt_seconds, deadline_seconds)
        self._http = http or httpx.AsyncClient()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def catalog(self) -> Catalog:
        """Names, limits and errors of the service."""
        catalog: Catalog = await self._one(read_flow(self._policy, "/"))
        return catalog

    async def products(self) -> Products:
        """The catalogue of products: sizes with rules, size charts and scenes. Free."""
        products: Products = await self._one(read_flow(self._policy, "/v1/products"))
        return products

    async def health(self) -> Health:
        """Whether the process lives."""
        health: Health = await self._one(read_flow(self._policy, "/health"))
        return health

    async def ready(self) -> Ready:
        """Whether the service can answer and charge."""
        ready: Ready = await self._one(read_flow(self._policy, "/ready"))
        return ready

    def batch(
        self,
        entries: Iterable[BatchEntry],
        *,
        idempotency_key: str | Literal[False] | None = None,
    ) -> AsyncIterator[BatchResult]:
        """Answers to any number of entries, in their order, in batches of up to 1,000.

        `idempotency_key` is that of `with_options`; the same key for the same entries makes the whole
        series safe to repeat.
        """
        return self._run(batch_flow(self._policy_with(idempotency_key), entries))

    async def table(
        self,
        *,
        measurements: Sequence[Measurement],
        countries: Sequence[Country],
        genders: Sequence[Gender],
        ages: Sequence[float],
        percentiles: Sequence[float],
        clothing: Sequence[Clothing] | None = None,
        postures: Sequence[Posture] | None = None,
        unit: Unit | None = None,
        idempotency_key: str | Literal[False] | None = None,
    ) -> Table:
        """A tidy table of all combinations. Warns of those that do not exist.

        `idempotency_key` is that of `batch`.
        """
        request = TableRequest(
            measurements, countries, genders, ages, percentiles, clothing, postures, unit
        )
        table: Table = await self._one(table_flow(self._policy_with(idempotency_key), request))
        return warn_left_out(table)

    async def _call(self, operation: str, request: Mapping[str, Any]) -> Any:
        body = in_json(operation, request)
        return await self._one(answer_flow(self._make_call(operation, body)))

    async def _file(self, operation: str, request: Mapping[str, Any]) -> File:
        file: File = await self._one(file_flow(self._make_call(operation, request)))
        return file

    def _csv(self, operation: str, request: Mapping[str, Any]) -> AsyncCsvStream:
        body = {**request, "format": "csv"}
        return AsyncCsvStream(operation, lambda: self._make_call(operation, body), self._run)

    def _arrow(self, operation: str, request: Mapping[str, Any]) -> AsyncArrowStream:
        body = {**request, "format": "arrow"}
        return AsyncArrowStream(operation, lambda: self._make_call(operation, body), self._run)

    async def _one(self, flow: Flow[None]) -> Any:
        async with contextlib.aclosing(self._run(flow)) as values:
            return await anext(values)

    async def _run(self, flow: Flow[None]) -> AsyncGenerator[Any, None]:
        """Does what a flow asks for, and yields what it emits."""
        connection = _AsyncConnection(self)
        result: Any = None
        error: VitruviaError | None = None
        try:
            while True:
                action: Action = flow.send(result) if error is None else flow.throw(error)
                result = error = None
                if isinstance(action, Emit):
                    yield action.value
                    continue
                try:
                    result = await connection.perform(action)
                except httpx.TransportError as cause:
                    error = connection_error(cause, self._base_url)
        except StopIteration:
            return
        finally:
            flow.close()
            await connection.close()


class _AsyncConnection:
    """Performs the actions of a flow, except Emit."""

    def __init__(self, client: AsyncVitruvia) -> None:
        self._client = client
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None

    async def perform(self, action: Send | Read | Sleep) -> Any:
        if isinstance(action, Sleep):
            return await anyio.sleep(action.seconds)
        if isinstance(action, Read):
            return None if self._chunks is None else await anext(self._chunks, None)
        await self.close()
        http = self._client._http
        request = http.build_request(**self._client._request(action))
        self._response = response = await http.send(request, stream=True)
        if action.stream and response.status_code == 200:
            self._chunks = response.aiter_bytes()
            return reply_of(response, b"")
        return reply_of(response, await response.aread())

    async def close(self) -> None:
        if self._response is not None:
            await self._response.aclose()
