import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/errors.js';
import { GENDERS } from '../../src/core/genders.js';
import { bodies } from '../../src/operations/bodies.js';
import { body } from '../../src/operations/body.js';
import { completePerson } from '../../src/operations/complete-person.js';
import { BODY_MEASUREMENTS } from '../../src/operations/fields.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { validateRequest } from '../../src/operations/validate.js';
import { refusalOf } from '../support/operations.js';
import { realModel } from '../support/servers.js';

const model = await realModel();

type Values = Readonly<Record<string, number>>;
const MAN = { gender: 'Male', age: 30, country: 'US' } as const;
const knownOf = (values: Values) =>
  Object.entries(values).map(([measurement, value]) => ({ measurement, value }));

function complete(values: Values, more: object = {}) {
  const input = { ...MAN, ...more, known: knownOf(values) };
  return completePerson.run(validateRequest(completePerson, input), model);
}

const expectedIn = ({ measurements }: ReturnType<typeof complete>): Record<string, number> =>
  Object.fromEntries(measurements.map(({ measurement, expected }) => [measurement, expected]));

describe('known values that no person has together', () => {
  it.each<[Values, readonly string[], readonly RegExp[]]>([
    [
      { Stature: 1900, BMI: 22, BodyMass: 110 },
      ['/known/1/value', '/known/2/value'],
      [
        /BodyMass is BMI × Stature² in every person: 79.42 kg, not 110 kg/,
        /known\[1\] and known\[2\]/,
      ],
    ],
    [
      { Stature: 1700, SittingHeight: 900, LegLength: 900 },
      ['/known/0/value', '/known/2/value'],
      [/Stature is LegLength \+ SittingHeight/, /100 mm apart/, /explain 31.7 mm at most/],
    ],
    [
      { Stature: 1700, SittingHeight: 900, EyeHeight: 1500, SittingEyeHeight: 780 },
      [],
      [/contradict each other/],
    ],
    [
      {
        WholeBodyDepthMax: 400,
        ChestDepth: 250,
        WaistDepthStanding: 250,
        TrunkDepthAtButtocks: 250,
      },
      [],
      [/contradict each other/],
    ],
    [
      { ButtockKneeLength: 520, AbdominalDepth: 500 },
      ['/known/0/value', '/known/1/value'],
      [
        /Fewer than one person in ten million/,
        /AbdominalDepth of [\d.]+ to [\d.]+ mm would be believed/,
      ],
    ],
  ])('are refused with the pair that fits least: %j', (values, pointers, texts) => {
    const { code, message, extras } = refusalOf(() => complete(values));
    expect(code).toBe('value_implausible');
    for (const text of texts) expect(message).toMatch(text);
    expect(extras.errors).toHaveLength(2);
    if (pointers.length > 0) expect(extras.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('are named in the units of the request', () => {
    const values = { Stature: 170, SittingHeight: 90, LegLength: 90 };
    const { message } = refusalOf(() => complete(values, { unit: 'cm' }));
    expect(message).toMatch(/Stature of 170 cm.*10 cm apart/);
  });

  it('are refused in bodies, of known values and of measurements; others are built', () => {
    const [pair, triple] = [
      { Stature: 1900, BMI: 22, BodyMass: 110 },
      { Stature: 1700, SittingHeight: 900, LegLength: 900 },
    ];
    const people = [
      { ...MAN, known: knownOf(pair) },
      { ...MAN, measurements: pair },
      { ...MAN, known: knownOf(triple) },
      { ...MAN, known: [] },
    ];
    const input = validateRequest(bodies, { people, format: 'json' });
    const { bodies: found, charged } = bodies.run(input, model);
    expect(found.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 3 }, () => 'value_implausible'),
      'built',
    ]);
    expect(charged).toBe(20);
    const one = validateRequest(body, { person: people[1], format: 'json' });
    const places = refusalOf(() => body.run(one, model)).extras.errors?.map(
      ({ pointer }) => pointer,
    );
    expect(places).toEqual(['/person/measurements/BMI', '/person/measurements/BodyMass']);
  });
});

describe('known values that errors of measurement explain', () => {
  it('are moved as little as makes parts sum to wholes, and named', () => {
    const answer = complete({ Stature: 1700, SittingHeight: 900, LegLength: 810 });
    const { Stature, SittingHeight, LegLength } = expectedIn(answer);
    expect(SittingHeight as number).toBeCloseTo((Stature as number) - (LegLength as number), 2);
    const { moved, note } = answer.plausibility;
    // Moves are proportional to the squares of 4, 4 and 5 mm, with the error of rounding to whole mm.
    const moves = [4, -4, -5].map(
      (sd) => (10 * Math.sign(sd) * (sd ** 2 + 1 / 12)) / (57 + 3 / 12),
    );
    expect(Object.keys(moved ?? {})).toEqual(['Stature', 'SittingHeight', 'LegLength']);
    expect(moved?.Stature).toBeCloseTo(1700 + (moves[0] as number), 2);
    expect(moved?.SittingHeight).toBeCloseTo(900 + (moves[1] as number), 2);
    expect(moved?.LegLength).toBeCloseTo(810 + (moves[2] as number), 2);
    expect(note).toMatch(
      /10 mm apart, which errors of measurement explain. The answer uses Stature of/,
    );
  });

  it('keep the mass of BMI and stature within 5 % and the rounding of the values', () => {
    const answer = complete({ Stature: 1900, BMI: 22, BodyMass: 85 });
    const { Stature = 0, BMI = 0, BodyMass = 0 } = expectedIn(answer);
    expect(BodyMass).toBeCloseTo(BMI * (Stature / 1000) ** 2, 2);
    expect(Object.keys(answer.plausibility.moved ?? {})).toEqual(['Stature', 'BMI', 'BodyMass']);
    // BMI is given to 0.01, so its rounding error is negligible.
    const { code } = refusalOf(() => complete({ Stature: 1900, BMI: 22.01, BodyMass: 85 }));
    expect(code).toBe('value_implausible');
  });

  it('say nothing of values that agree as they are written', () => {
    const { plausibility } = complete({ Stature: 1900, BMI: 22, BodyMass: 79 });
    expect(plausibility.note).toBeUndefined();
    expect(complete({ Stature: 1900, BMI: 22 }).plausibility).toEqual({
      percentile: expect.any(Number),
    });
  });

  it('are people whom sample_people answers, with the mass of BMI and stature', () => {
    const { people } = samplePeople.run(
      validateRequest(samplePeople, {
        population: { groups: [{ countries: ['World'], ageMin: 1, ageMax: 99 }] },
        ...{ count: 50, seed: 3 },
      }),
      model,
    );
    const input = people.slice(0, 3).map(({ gender, age, country, measurements }) => {
      return { gender, age, country, measurements };
    });
    for (const { measurements } of people) {
      const { Stature = 0, BMI = 0, BodyMass = 0 } = measurements;
      expect(BodyMass).toBeCloseTo(BMI * (Stature / 1000) ** 2, 1);
    }
    const { bodies: built } = bodies.run(
      validateRequest(bodies, { people: input, format: 'json' }),
      model,
    );
    expect(built.map(({ detail }) => detail)).toEqual([undefined, undefined, undefined]);
  });
});

const TOGETHER: readonly (readonly string[])[] = [
  ['Stature', 'SittingHeight', 'LegLength', 'BMI', 'BodyMass', 'SittingEyeHeight', 'EyeHeight'],
  ['WholeBodyDepthMax', 'ChestDepth', 'WaistDepthStanding', 'TrunkDepthAtButtocks', 'BMI'],
  [
    'FingertipHeight',
    'HandLength',
    'IndexFingerHeightStanding',
    'UpperLimbLength',
    'UpperArmLength',
  ],
  ['ButtockKneeLength', 'AbdominalDepth', 'LegRoom', 'SittingDistance', 'FootLength'],
  BODY_MEASUREMENTS,
];

/** Values of some measurements, each at its own percentile. Seldom does one person have all of them. */
const contradictory = fc.constantFrom(...TOGETHER).chain((names) =>
  fc.record({
    gender: fc.constantFrom(...GENDERS),
    age: fc.double({ min: 1, max: 99, noNaN: true }),
    country: fc.constantFrom('US', 'IN', 'NL', 'GT'),
    known: fc.uniqueArray(
      fc.record({
        measurement: fc.constantFrom(...names),
        percentile: fc.double({ min: 0.5, max: 99.5, noNaN: true }),
      }),
      { minLength: 1, maxLength: 8, selector: ({ measurement }) => measurement },
    ),
  }),
);

describe('people of random values', () => {
  it('are refused, or answered without a broken identity', () => {
    const { peopleModel: all } = model.people();
    const met = fc.property(contradictory, (input) => {
      let answer: ReturnType<typeof complete>;
      try {
        answer = completePerson.run(validateRequest(completePerson, input), model);
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        return;
      }
      for (const { measurement, low, expected, high } of answer.measurements) {
        expect([measurement, low >= 0, low <= expected, expected <= high]).toEqual([
          ...[measurement, true, true, true],
        ]);
      }
      const found = expectedIn(answer);
      const { Stature = 0, BMI = 0, BodyMass = 0 } = found;
      expect(BodyMass).toBeCloseTo(BMI * (Stature / 1000) ** 2, 1);
      for (const { quantity, terms } of all.derived) {
        const name = all.names[quantity] as string;
        if (found[name] === undefined || terms.some(({ of }) => of < 0)) continue;
        const sum = terms.reduce((total, { coefficient, of }) => {
          return total + coefficient * (found[all.names[of] as string] as number);
        }, 0);
        expect([name, Math.abs(sum - (found[name] as number)) < 0.05]).toEqual([name, true]);
      }
      const spread = /([\d.]+) standard deviations/.exec(answer.plausibility.note ?? '');
      expect(Number(spread?.[1] ?? 0)).toBeLessThan(10);
    });
    // Here whole steps jump about the bend of a curve.
    const known = [{ measurement: 'LegRoom', percentile: 0.9839307562571038 }];
    const bent = { gender: 'Male', age: 2, country: 'US', known } as const;
    fc.assert(met, { numRuns: 150, examples: [[bent]] });
  });
});
