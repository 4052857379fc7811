from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from ._batch import BatchEntry, BatchResult, batch_flow
from ._core import Emit, Flow, Policy, consumed
from ._errors import VitruviaError
from ._generated import (
    Clothing,
    Country,
    Gender,
    Measurement,
    Posture,
    PredictRangeAnswer,
    Unit,
)
from ._generated_operations import PERCENTILES_MAX

if TYPE_CHECKING:
    import pandas
    import pyarrow

TEXT_COLUMNS = ("measurement", "country", "gender", "clothing", "posture", "unit")
COLUMNS = (
    "measurement",
    "country",
    "gender",
    "age",
    "clothing",
    "posture",
    "percentile",
    "value",
    "unit",
)
NOT_THERE = ("model_not_found", "gender_not_supported")
"""Codes with which the service refuses a combination that has no model."""


class TableRow(TypedDict):
    """One prediction."""

    measurement: Measurement
    country: Country
    gender: Gender
    age: float
    """Years."""
    clothing: Clothing
    posture: Posture
    percentile: float
    value: float
    """Length in `unit`."""
    unit: Unit


class LeftOut(TypedDict):
    """A combination that has no model, for all percentiles, and the reason."""

    measurement: Measurement
    country: Country
    gender: Gender
    age: float
    clothing: Clothing | None
    posture: Posture | None
    code: str
    reason: str


class CombinationsLeftOut(UserWarning):
    """A table lacks combinations that do not exist."""


@dataclass(frozen=True)
class TableRequest:
    """The combinations of a table. What is None is the default of the service."""

    measurements: Sequence[Measurement]
    countries: Sequence[Country]
    genders: Sequence[Gender]
    ages: Sequence[float]
    percentiles: Sequence[float]
    clothing: Sequence[Clothing] | None
    postures: Sequence[Posture] | None
    unit: Unit | None


@dataclass(frozen=True)
class Table:
    """A tidy table: a row for each prediction."""

    rows: list[TableRow]
    left_out: list[LeftOut]

    def to_dataframe(self) -> pandas.DataFrame:
        """The rows as a DataFrame: numbers are float64, `NA` (Namibia) is a text. Needs pandas."""
        import pandas

        frame = pandas.DataFrame(self.rows, columns=list(COLUMNS))
        return frame.astype({name: "float64" for name in ("age", "percentile", "value")})

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table. Needs pyarrow."""
        import pyarrow

        types = [
            (name, pyarrow.string() if name in TEXT_COLUMNS else pyarrow.float64())
            for name in COLUMNS
        ]
        return pyarrow.Table.from_pylist(self.rows, schema=pyarrow.schema(types))


def table_flow(policy: Policy, request: TableRequest) -> Flow[None]:
    """Emits a Table. Any refusal but that of a combination without a model is raised."""
    rows: list[TableRow] = []
    left_out: list[LeftOut] = []
    percentiles = list(dict.fromkeys(request.percentiles))

    def take(result: BatchResult) -> None:
        asked = result.entry["input"]
        if result.error is None:
            rows.extend(_rows(asked, result.answer))
        elif result.error.code not in NOT_THERE:
            raise result.error
        elif asked["percentiles"][0] == percentiles[0]:
            # The other entries of this combination hold further percentiles.
            left_out.append(_left_out(asked, result.error))

    yield from consumed(batch_flow(policy, _entries(request, percentiles)), take)
    yield Emit(Table(rows, left_out))


def warn_left_out(table: Table) -> Table:
    """Warns the caller's caller of combinations that are left out."""
    if table.left_out:
        first = table.left_out[0]["reason"]
        message = (
            f"{len(table.left_out)} combinations do not exist, see left_out; the first: {first}"
        )
        warnings.warn(message, CombinationsLeftOut, stacklevel=3)
    return table


def _entries(request: TableRequest, percentiles: Sequence[float]) -> Iterator[BatchEntry]:
    for measurement, country, gender, age, clothing, posture in itertools.product(
        request.measurements,
        request.countries,
        request.genders,
        request.ages,
        request.clothing or (None,),
        request.postures or (None,),
    ):
        options = {"clothing": clothing, "posture": posture, "unit": request.unit}
        given = {name: value for name, value in options.items() if value is not None}
        cell = {"measurement": measurement, "country": country, "gender": gender, "age": age}
        for start in range(0, len(percentiles), PERCENTILES_MAX):
            some = percentiles[start : start + PERCENTILES_MAX]
            yield {"operation": "predict_range", "input": {**cell, **given, "percentiles": some}}


def _rows(asked: Mapping[str, Any], answer: PredictRangeAnswer) -> Iterator[TableRow]:
    for point in answer["values"]:
        yield {
            "measurement": answer["measurement"],
            "country": answer["country"],
            "gender": answer["gender"],
            "age": asked["age"],
            "clothing": answer["clothing"],
            "posture": answer["posture"],
            "percentile": point["percentile"],
            "value": point["value"],
            "unit": answer["unit"],
        }


def _left_out(asked: Mapping[str, Any], error: VitruviaError) -> LeftOut:
    return {
        "measurement": asked["measurement"],
        "country": asked["country"],
        "gender": asked["gender"],
        "age": asked["age"],
        "clothing": asked.get("clothing"),
        "posture": asked.get("posture"),
        "code": error.code,
        "reason": error.detail,
    }
