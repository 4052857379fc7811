"""Fills a DataFrame of 10,000 predictions: python3 examples/table.py"""

import os
import sys
from typing import get_args

from vitruvia import Clothing, Country, Vitruvia, VitruviaError


def one_line(kind: type, error: BaseException, trace: object) -> None:
    """A refusal or a missing service ends the program with one line."""
    if isinstance(error, VitruviaError):
        print(error, file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = one_line

others = [code for code in get_args(Country) if code != "NA"]

with Vitruvia(
    os.environ.get("VITRUVIA_URL", "http://127.0.0.1:3000"),
    os.environ["VITRUVIA_API_KEY"],
) as vitruvia:
    table = vitruvia.table(
        measurements=["Stature", "SittingHeight", "PoplitealHeight", "HipBreadth", "HandLength"],
        countries=["NA", *others[:49]],
        genders=["Female", "Male"],
        ages=[20, 65],
        percentiles=[5, 95],
        clothing=[profile for profile in get_args(Clothing) if profile != "heels"],
    )

frame = table.to_dataframe()
largest = frame.loc[frame["value"].idxmax()]
print(f"{len(frame)} predictions, {len(table.left_out)} combinations left out")
print(f"largest: {largest.measurement} of {largest.country}, {largest.value} {largest.unit}")
print(frame.groupby(["measurement", "gender"])["value"].agg(["min", "max"]))
