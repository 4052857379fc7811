import { describe, expect, it } from 'vitest';
import { uniformNumbers } from '../../pipeline/plans/limit-sets.js';
import { RawTables } from '../../pipeline/raw-tables/raw-tables.js';
import { CONSTRAINTS, type Constraint } from '../../src/core/constraints.js';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, measurementIndex } from '../../src/core/measurements.js';
import {
  cellIndex,
  curveInverse,
  curveValue,
  dimensionRow,
  gridSize,
  zOfPercentile,
} from '../../src/lookup/cell.js';
import { Z_COUNT } from '../../src/lookup/format.js';
import { symmetric } from '../../src/numerics/numerics.js';
import { completePerson as completePersonOperation } from '../../src/operations/complete-person.js';
import { ConstraintMirror, PeopleSource } from '../../src/population/people.js';
import { resolveMarket } from '../../src/population/people-model.js';
import { completePerson } from '../../src/population/person.js';
import { realModel } from '../support/servers.js';

const model = await realModel();
const joint = model.people();
const { views } = joint.peopleModel;

const nameOf = ({ above, below, factor }: Constraint) => `${above} >= ${factor} ${below}`;
/** Values of sums are rounded to this many mm. */
const ROUNDING_MM = 1e-6;
const SURVEYS = ['ansur1-persons', 'ansur2-persons'] as const;
const [YOUNGEST_ADULT, OLDEST] = [20, 100];

/** The constraints that a person breaks. */
function brokenBy(lengthOf: (quantity: number) => number, ageYears: number): Constraint[] {
  return CONSTRAINTS.filter(({ above, below, factor, fromYears }) => {
    if (ageYears < fromYears) return false;
    const [a, b] = [above, below].map((name) => lengthOf(joint.peopleModel.indexOf(name))) as [
      number,
      number,
    ];
    return a < factor * b - ROUNDING_MM;
  });
}

/** People of the whole world of some completed ages. */
function world(ageMin: number, ageMax: number) {
  const market = resolveMarket(
    [{ countries: COUNTRY_CODES, ageMin, ageMax }],
    views.manifest.referenceYear,
    (country, gender, age) => joint.peopleModel.people(country, gender, age),
  );
  if (market === undefined) throw new Error('nobody lives');
  return market;
}

describe('the orders of dimensions', () => {
  it('are at least 60, each once and with a reason', () => {
    expect(CONSTRAINTS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CONSTRAINTS.map(nameOf)).size).toBe(CONSTRAINTS.length);
    for (const { above, below, why } of CONSTRAINTS) {
      expect(MEASUREMENT_NAMES).toEqual(expect.arrayContaining([above, below]));
      expect(why.length).toBeGreaterThan(10);
    }
  });

  it('that follow from definitions hold at P0.5 to P99.5 of every cell of the grid', () => {
    const size = gridSize(views.manifest);
    const scores = [0.5, 1, 5, 50, 95, 99, 99.5].map(zOfPercentile);
    const curves = [new Float64Array(Z_COUNT), new Float64Array(Z_COUNT)] as const;
    const broken = new Set<string>();
    for (const constraint of CONSTRAINTS.filter(({ kind }) => kind === 'definition')) {
      GENDERS.forEach((gender, g) => {
        const [above, below] = [constraint.above, constraint.below].map(
          (name) => views.block[dimensionRow(measurementIndex(name) as number, g)] as number,
        ) as [number, number];
        if (above < 0 || below < 0) return;
        for (let country = 0; country < size.countries; country++) {
          for (let age = 0; age < size.ages; age++) {
            [above, below].forEach((block, i) => {
              const from = cellIndex(size, block, country, age);
              curves[i as 0 | 1].set(views.quantiles.subarray(from, from + Z_COUNT));
            });
            const fails = scores.some((z) => {
              return curveValue(curves[0], z) < constraint.factor * curveValue(curves[1], z);
            });
            if (fails) broken.add(`${nameOf(constraint)}: ${gender}, ${COUNTRY_CODES[country]}`);
          }
        }
      });
    }
    expect([...broken]).toEqual([]);
  });
});

describe('people of the world', () => {
  it.each([
    [0, 2],
    [60, 79],
  ])('of %d to %d years break no order by definition, sampled or completed', (from, to) => {
    const source = new PeopleSource(joint, world(from, to), [], 26);
    const curves = joint.curves();
    const broken = new Set<string>();
    for (let i = 0; i < 150; i++) {
      const { cohort, values } = source.person(i);
      const person = values.slice();
      for (const constraint of brokenBy(
        (quantity) => person[quantity] as number,
        cohort.ageYears,
      )) {
        if (constraint.enforced) broken.add(`sampled: ${nameOf(constraint)}`);
      }
      // One to four known dimensions of the person, from all parts of the body.
      const known = Array.from({ length: 1 + (i % 4) }, (_, k) => (i * 31 + k * 47) % person.length)
        .filter((quantity, k, all) => all.indexOf(quantity) === k)
        .filter((quantity) => !Number.isNaN(person[quantity] as number))
        .map((quantity) => ({ quantity, value: person[quantity] as number }));
      if (known.length === 0) continue;
      const completed = completePerson(joint, cohort, curves, known, 1.645);
      const lengthOf = (quantity: number) =>
        known.find((one) => one.quantity === quantity)?.value ??
        completed.of(quantity)?.expected ??
        Number.NaN;
      for (const constraint of brokenBy(lengthOf, cohort.ageYears)) {
        if (constraint.enforced) broken.add(`completed: ${nameOf(constraint)}`);
      }
    }
    expect([...broken]).toEqual([]);
  });

  /** Percentiles whose shares are counted. */
  const COUNTED = [1, 5, 25, 50, 75, 95, 99];
  /** Largest change of a percentile, in SD, for infants and adults. One in seven infants breaks a constraint. */
  it.each([
    ['Male', 1, 0.12],
    ['Female', 40, 0.02],
  ] as const)(
    'keep the percentiles of the grid when %s of %d are mirrored',
    (gender, age, most) => {
      const people = 8_000;
      const cohort = {
        country: COUNTRY_CODES.indexOf('US'),
        gender: GENDERS.indexOf(gender),
        ageYears: age + 0.5,
        year: views.manifest.referenceYear,
      };
      const curves = joint.curves();
      curves.at(cohort);
      const basis = joint.basis(cohort);
      const mirror = new ConstraintMirror(joint);
      const uniform = uniformNumbers(age);
      const n = basis.free.length;
      const [independent, scores] = [new Float64Array(n), new Float64Array(n)];
      const values = new Float64Array(joint.peopleModel.names.length);
      /** Scores of each quantity that moved, before and after. */
      const moved = joint.peopleModel.names.map((): [before: number, after: number][] => []);
      for (let i = 0; i < people; i++) {
        for (let k = 0; k < n; k++) independent[k] = zOfPercentile(100 * (1 - uniform()));
        for (let k = 0; k < n; k++) {
          scores[k] = 0;
          for (let j = 0; j <= k; j++) {
            const part = symmetric(basis.factor, k, j) * (independent[j] as number);
            scores[k] = (scores[k] as number) + part;
          }
        }
        joint.values(cohort, basis, curves, scores, values);
        const before = values.slice();
        const kept = mirror.mirror(cohort, basis, curves, scores, values, () => false);
        if (!kept) throw new Error(`person ${i} keeps breaking an order`);
        for (const [quantity, value] of before.entries()) {
          if (Number.isNaN(value) || value === values[quantity]) continue;
          const knots = curves.of(quantity) as Float64Array;
          const after = curveInverse(knots, values[quantity] as number);
          moved[quantity]?.push([curveInverse(knots, value), after]);
        }
      }
      const missed: string[] = [];
      for (const [quantity, ofQuantity] of moved.entries()) {
        for (const percentile of COUNTED) {
          const z = zOfPercentile(percentile);
          const came = ofQuantity.filter(([before, after]) => before > z && after <= z).length;
          const left = ofQuantity.filter(([before, after]) => before <= z && after > z).length;
          const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
          const shift = Math.abs(came - left) / people / density;
          const name = joint.peopleModel.names[quantity];
          if (shift > most) missed.push(`${name} P${percentile}: ${shift.toFixed(3)} SD`);
        }
      }
      expect(moved.some((ofQuantity) => ofQuantity.length > 0)).toBe(true);
      expect(missed).toEqual([]);
    },
  );

  it('of adults break orders by anatomy no more often than persons of surveys', async () => {
    const tables = await RawTables.open('data/raw', []);
    const rows = await Promise.all(
      SURVEYS.map((survey) => tables.rows(survey, 'orders', 'above, below, gender')),
    );
    tables.close();
    const source = new PeopleSource(joint, world(YOUNGEST_ADULT, OLDEST), [], 27);
    const people = 4000;
    const counts = new Map<string, number>();
    for (let i = 0; i < people; i++) {
      const { cohort, values } = source.person(i);
      for (const constraint of brokenBy(
        (quantity) => values[quantity] as number,
        cohort.ageYears,
      )) {
        counts.set(nameOf(constraint), (counts.get(nameOf(constraint)) ?? 0) + 1);
      }
    }
    for (const constraint of CONSTRAINTS) {
      const seen = rows
        .flat()
        .filter((row) => row.above === constraint.above && row.below === constraint.below);
      // Counts of 1 to 9 people are not published.
      const shares = seen.map(({ n, broken }) => Number(broken ?? 9) / Number(n));
      const most = Math.max(0, ...shares) + 0.001;
      const sampling = 3 * Math.sqrt((most * (1 - most)) / people);
      expect([
        nameOf(constraint),
        (counts.get(nameOf(constraint)) ?? 0) / people < most + sampling,
      ]).toEqual([nameOf(constraint), true]);
    }
  });

  it('are not completed from known values that contradict each other by definition', () => {
    const completed = (bideltoidMm: number) => () =>
      completePersonOperation.run(
        {
          ...{ gender: 'Male', age: 8, country: 'US' },
          known: [
            { measurement: 'WholeBodyBreadthMax', value: 320 },
            { measurement: 'ShoulderBreadthBideltoid', value: bideltoidMm },
          ],
        },
        model,
      );
    expect(completed(319)).not.toThrow();
    // Measurement errors and rounding explain a difference of 4 × √(4² + 4²) + 1 mm.
    const { measurements, plausibility } = completed(342)();
    expect(measurements.filter(({ known }) => known).map(({ expected }) => expected)).toEqual([
      331, 331,
    ]);
    expect(Object.keys(plausibility.moved ?? {})).toHaveLength(2);
    expect(completed(345)).toThrow(/contradict each other.*known\[0\] and known\[1\]/);
  });
});
