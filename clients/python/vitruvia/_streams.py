"""Answers in CSV and Arrow, which are read part by part.

The call is made when the first row is asked for. From then on, `details` and `columns` are filled.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import anyio
import anyio.from_thread
import anyio.to_thread

from ._core import Call, Flow, stream_flow
from ._generated_operations import OPERATIONS

if TYPE_CHECKING:
    import pandas
    import pyarrow

Row = dict[str, str | float | None]
Run = Callable[[Flow[None]], Iterator[Any]]
AsyncRun = Callable[[Flow[None]], AsyncIterator[Any]]


class _Answer:
    """What the streams share: the facts about the whole answer."""

    details: dict[str, str | int]
    """Facts about the whole answer, such as `seed`."""
    columns: list[str]
    """Names of the columns; of CSV only."""
    remaining_free_calls: int | None
    """Free calls left, if the free tier paid."""

    def __init__(self, operation: str, make_call: Callable[[], Call]) -> None:
        self._operation = OPERATIONS[operation]
        self._make_call = make_call
        self.details = {}
        self.columns = []
        self.remaining_free_calls = None

    def _bytes(self) -> Flow[None]:
        return self._flow(lambda chunk: [chunk] if chunk else [])

    def _rows(self) -> Flow[None]:
        return self._flow(CsvDecoder(self._operation.text_columns, self.columns))

    def _flow(self, decode: Callable[[bytes | None], Iterable[Any]]) -> Flow[None]:
        def opened(headers: Mapping[str, str]) -> None:
            for name, kind in self._operation.details.items():
                dashed = "".join(f"-{one}" if one.isupper() else one for one in name)
                value = headers.get(f"x-{dashed}".lower())
                if value is not None:
                    self.details[name] = kind(value)
            free = headers.get("x-remaining-free-calls")
            self.remaining_free_calls = None if free is None else int(free)

        return stream_flow(self._make_call(), opened, decode)

    def _frame(self, content: bytes) -> pandas.DataFrame:
        import pandas

        texts = self._operation.text_columns
        names = next(csv.reader([content.split(b"\r\n", 1)[0].decode()]))
        self.columns[:] = names
        # Only an empty cell is a missing value: `NA` is Namibia.
        return pandas.read_csv(
            io.BytesIO(content),
            keep_default_na=False,
            na_values=[""],
            dtype={name: str if name in texts else "float64" for name in names},
        )


class CsvStream(_Answer):
    """The rows of an answer. Empty cells are None, `NA` is Namibia."""

    def __init__(self, operation: str, make_call: Callable[[], Call], run: Run) -> None:
        super().__init__(operation, make_call)
        self._run = run

    def __iter__(self) -> Iterator[Row]:
        return self._run(self._rows())

    def to_dataframe(self) -> pandas.DataFrame:
        """The whole answer as a DataFrame: numbers are float64. Needs pandas."""
        return self._frame(b"".join(self._run(self._bytes())))


class AsyncCsvStream(_Answer):
    """The rows of an answer. Empty cells are None, `NA` is Namibia."""

    def __init__(self, operation: str, make_call: Callable[[], Call], run: AsyncRun) -> None:
        super().__init__(operation, make_call)
        self._run = run

    def __aiter__(self) -> AsyncIterator[Row]:
        return self._run(self._rows())

    async def to_dataframe(self) -> pandas.DataFrame:
        """The whole answer as a DataFrame: numbers are float64. Needs pandas."""
        return self._frame(b"".join([chunk async for chunk in self._run(self._bytes())]))


class ArrowStream(_Answer):
    """The record batches of an answer. Needs pyarrow."""

    def __init__(self, operation: str, make_call: Callable[[], Call], run: Run) -> None:
        super().__init__(operation, make_call)
        self._run = run

    def _reader(self) -> pyarrow.RecordBatchStreamReader:
        import pyarrow

        chunks = self._run(self._bytes())
        return pyarrow.ipc.open_stream(_arrow_file(lambda: next(chunks, b"")))

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        yield from self._reader()

    def to_table(self) -> pyarrow.Table:
        """The whole answer as an Arrow table."""
        return self._reader().read_all()

    def to_dataframe(self) -> pandas.DataFrame:
        """The whole answer as a DataFrame. Needs pandas, too."""
        return self.to_table().to_pandas()


class AsyncArrowStream(_Answer):
    """The record batches of an answer. Needs pyarrow."""

    def __init__(self, operation: str, make_call: Callable[[], Call], run: AsyncRun) -> None:
        super().__init__(operation, make_call)
        self._run = run

    async def _reader(self) -> pyarrow.RecordBatchStreamReader:
        import pyarrow

        chunks = self._run(self._bytes())

        async def next_chunk() -> bytes:
            return await anext(chunks, b"")

        # pyarrow blocks while it reads. So it reads in a thread, and the event loop receives.
        file = _arrow_file(lambda: anyio.from_thread.run(next_chunk))
        return await anyio.to_thread.run_sync(lambda: pyarrow.ipc.open_stream(file))

    async def __aiter__(self) -> AsyncIterator[pyarrow.RecordBatch]:
        reader = await self._reader()
        while True:
            batch = await anyio.to_thread.run_sync(lambda: next(reader, None))
            if batch is None:
                return
            yield batch

    async def to_table(self) -> pyarrow.Table:
        """The whole answer as an Arrow table."""
        reader = await self._reader()
        return await anyio.to_thread.run_sync(reader.read_all)

    async def to_dataframe(self) -> pandas.DataFrame:
        """The whole answer as a DataFrame. Needs pandas, too."""
        return (await self.to_table()).to_pandas()


class CsvDecoder:
    """Makes rows of CSV (RFC 4180) from its parts."""

    def __init__(self, text_columns: tuple[str, ...], columns: list[str]) -> None:
        self._text_columns = text_columns
        self._columns = columns
        self._columns.clear()
        self._rest = b""

    def __call__(self, chunk: bytes | None) -> Iterator[Row]:
        text = self._rest + (b"" if chunk is None else chunk)
        if chunk is None and text:
            text += b"\n"
        *lines, rest = text.split(b"\n")
        record = b""
        for line in lines:
            record += line
            # A line break in quotes does not end a record.
            if record.count(b'"') % 2 == 1:
                record += b"\n"
                continue
            cells = next(csv.reader([record.rstrip(b"\r").decode()], strict=True), [])
            record = b""
            if not self._columns:
                self._columns[:] = cells
            elif cells:
                yield {
                    name: self._value(name, cell)
                    for name, cell in zip(self._columns, cells, strict=True)
                }
        self._rest = record + rest

    def _value(self, name: str, cell: str) -> str | float | None:
        if cell == "":
            return None
        return cell if name in self._text_columns else float(cell)


def _arrow_file(next_chunk: Callable[[], bytes]) -> pyarrow.PythonFile:
    import pyarrow

    # pyarrow takes a short read for the end of the file. A buffered file has no short reads.
    return pyarrow.PythonFile(io.BufferedReader(_ChunkFile(next_chunk)))


class _ChunkFile(io.RawIOBase):
    """A file for pyarrow. It asks for the next part when needed; b"" is the end."""

    def __init__(self, next_chunk: Callable[[], bytes]) -> None:
        self._next_chunk = next_chunk
        self._chunk = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._chunk:
            self._chunk = self._next_chunk()
        part = self._chunk[: len(buffer)]
        buffer[: len(part)] = part
        self._chunk = self._chunk[len(part) :]
        return len(part)
