"""Completes the people of people.csv in pandas: sitting height and hip breadth, with ranges.

Costs 2 credits for each completed row. Needs VITRUVIA_URL and VITRUVIA_API_KEY.
"""

import os
import sys
from pathlib import Path

import pandas as pd
from vitruvia import Vitruvia, VitruviaError


def one_line(kind: type, error: BaseException, trace: object) -> None:
    """A refusal or a missing service ends the program with one line."""
    if isinstance(error, VitruviaError):
        print(error, file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = one_line

vitruvia = Vitruvia(os.environ["VITRUVIA_URL"], os.environ["VITRUVIA_API_KEY"])

# NA is Namibia: only empty cells are missing values.
people = pd.read_csv(
    Path(__file__).with_name("people.csv"), keep_default_na=False, na_values=[""]
)
CODES = {"Brazil": "BR", "Sweden": "SE", "Nigeria": "NG", "Indonesia": "ID", "Germany": "DE"}
KNOWN = {
    "Stature (cm)": ("Stature", "cm"),
    "weight (kg)": ("BodyMass", "kg"),
    "Foot length (mm)": ("FootLength", "mm"),
}
WANTED = ["SittingHeight", "HipBreadth"]


def request(person: pd.Series) -> dict:
    """One row as a request of complete_person; empty cells are not known."""
    return {
        "country": CODES[person["country"]],
        "gender": person["gender"],
        "age": int(person["age"]),
        "known": [
            {"measurement": name, "value": float(person[column]), "unit": unit}
            for column, (name, unit) in KNOWN.items()
            if pd.notna(person[column])
        ],
        "wanted": WANTED,
    }


entries = [
    {"operation": "complete_person", "input": request(person)} for _, person in people.iterrows()
]
# The key makes the program safe to start again: within 24 hours a repeat is not charged.
results = vitruvia.batch(entries, idempotency_key="people-of-2026")
for row, result in zip(people.index, results, strict=True):
    if not result.ok:
        people.loc[row, "why not"] = result.error.detail
        continue
    for one in result.answer["measurements"]:
        for field in ("expected", "low", "high"):
            people.loc[row, f"{one['measurement']} {field} (mm)"] = one[field]

print(people.drop(columns=[*KNOWN, "Sitting height (mm)"]).to_string(index=False))
