"""The client of Vitruvia. README.md shows how to use it."""

from ._async import AsyncVitruvia
from ._batch import BatchEntry, BatchResult
from ._errors import VitruviaError
from ._files import File
from ._generated import BatchOperation, Clothing, Country, Gender, Measurement, Posture, Unit
from ._generated_sync import Vitruvia
from ._streams import ArrowStream, AsyncArrowStream, AsyncCsvStream, CsvStream
from ._table import CombinationsLeftOut, LeftOut, Table, TableRow

__version__ = "0.1.0"

__all__ = [
    "ArrowStream",
    "AsyncArrowStream",
    "AsyncCsvStream",
    "AsyncVitruvia",
    "BatchEntry",
    "BatchOperation",
    "BatchResult",
    "Clothing",
    "CombinationsLeftOut",
    "Country",
    "CsvStream",
    "File",
    "Gender",
    "LeftOut",
    "Measurement",
    "Posture",
    "Table",
    "TableRow",
    "Unit",
    "Vitruvia",
    "VitruviaError",
]
