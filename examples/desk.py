"""What share of women and men of Germany and Japan fits a desk, and what would fit 90 %?

The desk has a fixed height and a chair that adjusts. A person fits if the feet reach the floor, the
thighs go under the desk, and the elbows are not far below its top. All limits are met together.
"""

import os
import sys

from vitruvia import Vitruvia, VitruviaError


def one_line(kind: type, error: BaseException, trace: object) -> None:
    """A refusal or a missing service ends the program with one line."""
    if isinstance(error, VitruviaError):
        print(error, file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = one_line

SHOES = {"clothing": "shoes"}
LIMITS = [
    # The lowest and the highest position of the seat.
    {"measurement": "PoplitealHeight", "min": 380, "max": 500, **SHOES},
    # Under the desk there is room for a thigh of 190 mm.
    {"measurement": "ThighThickness", "max": 190},
    {"measurement": "SittingHipBreadth", "max": 450},
]

with Vitruvia(
    os.environ.get("VITRUVIA_URL", "http://127.0.0.1:3000"), os.environ["VITRUVIA_API_KEY"]
) as vitruvia:
    for gender in ("Female", "Male"):
        group = {"countries": ["DE", "JP"], "gender": gender, "ageMin": 18, "ageMax": 65}
        answer = vitruvia.population_share(population={"groups": [group]}, limits=LIMITS)
        print(f"{gender}: {answer['share']:.1%} fit")
        for limit in answer["limits"]:
            print(f"  {limit['failsOnlyHere']:.1%} fail only {limit['measurement']}")

    everyone = {"groups": [{"countries": ["DE", "JP"], "ageMin": 18, "ageMax": 65}]}
    answer = vitruvia.population_share(population=everyone, limits=LIMITS)
    print(f"Everyone: {answer['share']:.1%} fit")
    ranges = vitruvia.design_ranges(
        population=everyone,
        targetShare=0.9,
        dimensions=[
            {"measurement": "PoplitealHeight", "side": "both"},
            {"measurement": "ThighThickness", "side": "max"},
            {"measurement": "SittingHipBreadth", "side": "max"},
        ],
    )
    print("Ranges for 90 %:")
    for one in ranges["ranges"]:
        least = f"{one['min']:.0f}" if "min" in one else "0"
        print(f"  {one['measurement']}: {least} to {one['max']:.0f} {ranges['unit']}")
