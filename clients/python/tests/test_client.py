"""Tests of both clients against a real service. test/clients/python.test.ts starts it and runs them."""

from __future__ import annotations

import importlib.util
import os
import time
import unittest
import warnings
from collections.abc import Callable
from typing import Any, get_args

import pandas
from faulty_service import Address, Customer, ask, asynchronous, synchronous, URL

from vitruvia import BatchEntry, CombinationsLeftOut, Country, VitruviaError

REQUEST = {"measurement": "Stature", "gender": "Female", "age": 30, "percentile": 50}
PEOPLE = {
    "population": {"groups": [{"countries": ["NA", "US"], "ageMin": 20, "ageMax": 40}]},
    "count": 501,
    "measurements": ["Stature", "BodyMass"],
    "seed": 7,
}
WITHOUT_MODEL = os.environ["VITRUVIA_WITHOUT_MODEL"]
ONE_SIDED = os.environ["VITRUVIA_ONE_SIDED"]
CREDITS = 100_000
# On a slow machine, an attempt may take long. The client must not repeat it.
PATIENT = {"attempt_seconds": 900.0, "deadline_seconds": 1800.0}


def entries(count: int) -> list[BatchEntry]:
    return [
        {
            "operation": "predict",
            "id": str(i),
            "input": {**REQUEST, "age": 20 + i % 50, "percentile": 1 + i % 99},
        }
        for i in range(count)
    ]


class Tests:
    """The tests of one client."""

    connect: Callable[..., Any]

    def client(self, *faults: str, **settings: Any) -> Any:
        self.customer = Customer(CREDITS)
        self.address = Address(*faults)
        return self.client_of(self.address.url, self.customer, **settings)

    def client_of(self, url: str, customer: Customer, **settings: Any) -> Any:
        connect = type(self).connect
        client = connect(url, customer.api_key, **{**PATIENT, **settings})
        self.addCleanup(client.aclose if connect is asynchronous else client.close)
        return client

    def test_answers_as_the_service_does(self) -> None:
        answer = self.client().predict(**REQUEST, country="NA")
        self.assertEqual(answer["country"], "NA")
        self.assertEqual(answer["unit"], "mm")
        self.assertGreater(answer["value"], 1000)
        self.assertEqual(self.customer.spent(), 1)

    def test_checks_the_key_and_never_shows_it(self) -> None:
        for key, fault in (
            ("vt_live_secret\n", "a line break at position 15"),
            ("vt_live_secret\r\nX-Other: 1", "a line break at position 15"),
            (" vt_live_secret", "a space at position 1"),
            ("vt_live_caf\u00e9", "a character that no key has at position 12"),
            ("", "is empty"),
        ):
            with self.subTest(key), self.assertRaises(VitruviaError) as raised:
                type(self).connect("http://127.0.0.1:1", key)
            self.assertEqual((raised.exception.status, raised.exception.code), (0, "unauthorized"))
            self.assertIn(fault, str(raised.exception))
            self.assertNotIn("vt_live", repr(raised.exception))
            self.assertNotIn("secret", repr(raised.exception))

    def test_reads_the_public_routes(self) -> None:
        client = self.client()
        self.assertEqual(tuple(client.catalog()["enums"]["countries"]), get_args(Country))
        self.assertTrue(client.health()["ok"])
        self.assertEqual(client.ready(), {"ok": True})

    def test_reads_the_products(self) -> None:
        products = self.client().products()["products"]
        self.assertIn("desk", [product["id"] for product in products])

    def test_repeats_under_one_key_and_is_charged_once(self) -> None:
        for faults in (["refuse"], ["lose"], ["500"], ["503"], ["refuse", "lose", "500", "503"]):
            with self.subTest(faults):
                self.assertGreater(self.client(*faults).predict(**REQUEST)["value"], 1000)
                keys = [request["key"] for request in self.address.seen()]
                self.assertEqual(len(keys), len(faults) + 1)
                self.assertRegex(keys[0], "^[0-9a-f-]{36}$")
                self.assertEqual(set(keys), {keys[0]})
                self.assertEqual(self.customer.spent(), 1)

    def test_repeats_what_is_free_without_a_key(self) -> None:
        evidence = self.client("503").evidence(measurement="Stature", gender="Female", age=30)
        self.assertIn(evidence["grade"], "ABCD")
        self.assertEqual([one["key"] for one in self.address.seen()], [None, None])

    def test_does_not_repeat_what_may_be_charged_without_a_key(self) -> None:
        client = self.client("lose").with_options(idempotency_key=False)
        with self.assertRaises(VitruviaError) as caught:
            client.predict(**REQUEST)
        self.assertEqual((caught.exception.status, caught.exception.code), (0, "connection_failed"))
        self.assertEqual(len(self.address.seen()), 1)

    def test_names_the_address_where_nothing_listens(self) -> None:
        with self.assertRaises(VitruviaError) as caught:
            self.client_of("http://127.0.0.1:1", Customer(1), attempts_max=1).predict(**REQUEST)
        self.assertRegex(str(caught.exception), "from http://127.0.0.1:1: .+. Start the service")

    def test_fails_after_its_attempts(self) -> None:
        with self.assertRaises(VitruviaError) as caught:
            self.client("503", "503", "503", attempts_max=2).predict(**REQUEST)
        self.assertEqual(
            (caught.exception.status, caught.exception.code), (503, "unexpected_answer")
        )
        self.assertEqual(len(self.address.seen()), 2)

    def test_ends_with_the_deadline(self) -> None:
        client = self.client(*["503"] * 20, attempts_max=20, deadline_seconds=0.7)
        with self.assertRaises(VitruviaError):
            client.predict(**REQUEST)
        self.assertLess(len(self.address.seen()), 20)

    def test_waits_as_retry_after_says(self) -> None:
        customer = Customer(10, "limited")
        client = self.client_of(f"{URL}/limited", customer)
        client.predict(**REQUEST)
        with self.assertRaises(VitruviaError) as caught:
            client.with_options(deadline_seconds=40).predict(**REQUEST)
        self.assertEqual((caught.exception.status, caught.exception.code), (429, "rate_limited"))
        self.assertGreater(caught.exception.retry_after_seconds, 50)
        ask("/clock?ms=57500", "POST")
        begun = time.monotonic()
        client.predict(**REQUEST)
        self.assertGreater(time.monotonic() - begun, 0.9)
        self.assertEqual(customer.spent(), 2)

    def test_raises_refusals_with_code_and_detail(self) -> None:
        client = self.client()
        with self.assertRaises(VitruviaError) as caught:
            client.predict(**{**REQUEST, "percentile": 150, "age": -1})
        error = caught.exception
        self.assertEqual((error.status, error.code), (400, "validation_error"))
        self.assertEqual(str(error), error.detail)
        self.assertRegex(error.request_id or "", "^req_")
        self.assertEqual({one["pointer"] for one in error.errors}, {"/age", "/percentile"})
        with self.assertRaises(VitruviaError) as caught:
            client.percentile_lookup(measurement="Stature", gender="Male", age=30, value=9000)
        self.assertEqual(caught.exception.code, "value_out_of_range")
        self.assertGreater(caught.exception.problem["maximum"], 1000)
        self.assertEqual(self.customer.spent(), 0)

    def test_batches_answer_entries_in_order(self) -> None:
        client = self.client("pass", "lose", "503", "pass", "refuse")
        asked = entries(4000)
        results = list(client.batch(asked))
        self.assertEqual([result.entry for result in results], asked)
        self.assertTrue(all(result.ok for result in results))
        self.assertEqual(self.customer.spent(), 4000)
        self.assertEqual(len(self.address.seen()), 7)
        self.assertEqual(len({request["key"] for request in self.address.seen()}), 4)
        self.assertEqual(results[2].answer, client.predict(**asked[2]["input"]))

    def test_batches_report_refused_entries_in_their_place(self) -> None:
        client = self.client()
        one, _, three = entries(3)
        bad: BatchEntry = {"operation": "predict", "input": {**REQUEST, "percentile": 150}}
        results = list(client.batch([one, bad, three]))
        self.assertEqual([result.ok for result in results], [True, False, True])
        self.assertEqual(results[1].error.code, "validation_error")
        self.assertEqual(self.customer.spent(), 2)

    def test_batches_are_split_at_heavy_entries_and_bytes(self) -> None:
        client = self.client()
        request = {
            "population": PEOPLE["population"],
            "measurements": ["Stature"],
            "percentiles": [50],
        }
        heavy: list[BatchEntry] = [{"operation": "population_percentiles", "input": request}] * 21
        self.assertEqual([result.ok for result in client.batch(heavy)], [True] * 21)
        self.assertEqual(len(self.address.seen()), 2)
        # The service refuses such entries, but their batches are not too large.
        long: list[BatchEntry] = [
            {"operation": "predict", "input": {**REQUEST, "note": "x" * 100_000}}
        ] * 20
        codes = [result.error.code for result in client.batch(long)]
        self.assertEqual(codes, ["validation_error"] * 20)
        self.assertEqual(len(self.address.seen()), 4)

    def test_batches_of_a_series_under_one_key_are_charged_once(self) -> None:
        client = self.client().with_options(idempotency_key="series")
        first = list(client.batch(entries(1500)))
        self.assertEqual(list(client.batch(entries(1500))), first)
        self.assertEqual(self.customer.spent(), 1500)

    def test_a_batch_and_a_table_take_a_key(self) -> None:
        client = self.client()
        first = list(client.batch(entries(3), idempotency_key="mine"))
        self.assertEqual(list(client.batch(entries(3), idempotency_key="mine")), first)
        self.assertEqual([one["key"] for one in self.address.seen()], ["mine.0"] * 2)
        self.assertEqual(self.customer.spent(), 3)
        asked = {"measurements": ["Stature"], "countries": ["NL"], "genders": ["Male"], "ages": [30]}
        for _ in range(2):
            client.table(**asked, percentiles=[5, 95], idempotency_key="table")
        self.assertEqual(self.customer.spent(), 5)

    def test_tables_become_dataframes(self) -> None:
        client = self.client("lose")
        with self.assertWarnsRegex(CombinationsLeftOut, "24 combinations do not exist"):
            table = client.table(
                measurements=["Stature", ONE_SIDED, WITHOUT_MODEL],
                countries=["NA", "NL"],
                genders=["Male", "Female"],
                ages=[30, 40.5],
                percentiles=range(1, 26),
                clothing=["nude", "winter"],
                unit="cm",
            )
        frame = table.to_dataframe()
        self.assertEqual(len(frame), (16 + 8) * 25)
        self.assertEqual(self.customer.spent(), len(frame))
        self.assertEqual(
            ",".join(frame.columns),
            "measurement,country,gender,age,clothing,posture,percentile,value,unit",
        )
        numbers = {name for name in frame if frame[name].dtype == "float64"}
        self.assertEqual(numbers, {"age", "percentile", "value"})
        self.assertEqual(set(frame["country"]), {"NA", "NL"})
        self.assertFalse(frame.isna().any().any())
        row = frame.iloc[26]
        self.assertEqual((row["clothing"], row["percentile"]), ("winter", 2))
        answer = client.predict(
            measurement="Stature",
            country="NA",
            gender="Male",
            age=30,
            clothing="winter",
            percentile=2,
            unit="cm",
        )
        self.assertEqual(row["value"], answer["value"])
        codes = {(one["measurement"], one["code"]) for one in table.left_out}
        self.assertEqual(
            codes, {(ONE_SIDED, "gender_not_supported"), (WITHOUT_MODEL, "model_not_found")}
        )

    def test_tables_with_wrong_requests_are_refused(self) -> None:
        with self.assertRaises(VitruviaError) as caught:
            self.client().table(
                measurements=["Stature"],
                countries=["NA"],
                genders=["Male"],
                ages=[30],
                percentiles=[150],
            )
        self.assertEqual(caught.exception.code, "validation_error")

    def rows(self, client: Any) -> tuple[list[dict[str, Any]], Any]:
        json = client.sample_people(**PEOPLE)
        rows = []
        for person in json["people"]:
            measurements = person.pop("measurements")
            rows.append({**person, **measurements})
        return rows, json

    def test_csv_equals_json_also_after_a_cut(self) -> None:
        client = self.client("pass", "cut-9000", "cut-5000", "pass", "cut-8000")
        rows, json = self.rows(client)
        self.assertEqual({row["country"] for row in rows}, {"NA", "US"})
        stream = client.sample_people_csv(**PEOPLE)
        self.assertEqual(list(stream), rows)
        self.assertEqual(stream.columns, ["country", "gender", "age", "Stature", "BodyMass"])
        self.assertEqual(
            stream.details,
            {"seed": 7, "artifactVersion": json["artifactVersion"], "unit": "mm", "massUnit": "kg"},
        )
        self.assertEqual(self.customer.spent(), 102)

        frame = client.sample_people_csv(**PEOPLE).to_dataframe()
        self.assertEqual(frame.to_dict("records"), rows)
        self.assertEqual({str(frame[name].dtype) for name in ("age", "Stature")}, {"float64"})
        self.assertFalse(pandas.isna(frame["country"]).any())
        self.assertEqual(self.customer.spent(), 153)
        self.assertEqual(len(self.address.seen()), 6)

    def test_data_sheets_have_texts_and_numbers(self) -> None:
        client = self.client()
        request = {
            "population": {**PEOPLE["population"], "year": 2030},
            "measurements": ["Stature", "BMI"],
            "percentiles": [5, 50],
        }
        stream = client.population_percentiles_csv(**request)
        sheet = list(stream)
        answer = client.population_percentiles(**request)
        self.assertEqual(
            [row["mean"] for row in sheet], [one["mean"] for one in answer["measurements"]]
        )
        self.assertEqual(sheet[0]["unit"], "mm")
        self.assertEqual(stream.details["headCountYear"], answer["headCountYear"])

    def test_streams_are_refused_like_other_calls(self) -> None:
        with self.assertRaises(VitruviaError) as caught:
            list(self.client().sample_people_csv(**{**PEOPLE, "count": 0}))
        self.assertEqual(
            (caught.exception.status, caught.exception.code), (400, "validation_error")
        )
        self.assertEqual(self.customer.spent(), 0)

    def test_streams_may_be_left(self) -> None:
        client = self.client()
        for row in client.sample_people_csv(**PEOPLE):
            self.assertIn(row["gender"], ("Male", "Female"))
            break
        self.assertEqual(self.customer.spent(), 51)

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_arrow_equals_json_also_after_a_cut(self) -> None:
        client = self.client("pass", "cut-9000", "503", "cut-10000")
        rows, _ = self.rows(client)
        stream = client.sample_people_arrow(**PEOPLE)
        batches = list(stream)
        self.assertGreater(len(batches), 1)
        self.assertEqual([row for batch in batches for row in batch.to_pylist()], rows)
        self.assertEqual(stream.details["seed"], 7)
        frame = client.sample_people_arrow(**PEOPLE).to_dataframe()
        self.assertEqual(frame.to_dict("records"), rows)
        self.assertEqual(self.customer.spent(), 153)
        table = client.table(
            measurements=["Stature"],
            countries=["NA"],
            genders=["Male"],
            ages=[30],
            percentiles=[5, 95],
        )
        self.assertEqual(table.to_arrow().to_pylist(), table.rows)


class SynchronousTests(Tests, unittest.TestCase):
    connect = staticmethod(synchronous)


class AsynchronousTests(Tests, unittest.TestCase):
    connect = staticmethod(asynchronous)


if __name__ == "__main__":
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
