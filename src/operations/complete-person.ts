import chiSquareShare from '@stdlib/stats-base-dists-chisquare-cdf';
import Type, { type Static } from 'typebox';
import { COUNTRY_CODES } from '../core/countries.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { POPULATION_BODY_BYTES_MAX, QUANTITY_LIMITS } from '../core/limits.js';
import { DEFINITE_ORDERS } from '../core/orders.js';
import { MASS_UNITS, type MassUnit, roundPercentile, UNITS, type Unit } from '../core/units.js';
import { curveInverse, curveValue, zOfPercentile } from '../lookup/quantile-curve.js';
import { type CohortCurves, dressedValue } from '../population/bodies.js';
import type { JointBodies } from '../population/joint.js';
import { completePerson as complete, type Known as KnownQuantity } from '../population/person.js';
import type { FoundFault } from './faults.js';
import {
  answerFields,
  BODY_MEASUREMENTS,
  bodyMeasurementField,
  countryOption,
  DEFAULTS,
  massUnitField,
  oneOf,
  optionFields,
  personFields,
  remainingFreeCallsField,
} from './fields.js';
import { converted, type LikelyUnit, likelyUnit, unitNamesFor } from './likely-unit.js';
import { defineOperation } from './operation.js';
import {
  checkQuantity,
  dressOf,
  fromRequest,
  rarePercentField,
  toAnswer,
  type Units,
  unitFields,
  unitOf,
  unitsOf,
} from './population-request.js';
import { costsFixed, EXACT_NAMES, POSTURE_TRAP } from './tool-texts.js';
import { WORK_MS_MAX } from './work.js';

const COST = 2;
export const KNOWN_LIMITS = { minItems: 1, maxItems: 20 } as const;
const RANGE = { minimum: 50, maximum: 99, default: 90 } as const;

/** A known value farther from the median, in standard deviations, is one that no person has. */
const BELIEVED_Z = 4.5;
/** A known value farther from what the others predict, in standard deviations, is named as doubtful. */
const DOUBTFUL_SD = 3.5;

/** A known measurement of a person. */
export const knownField = Type.Object(
  {
    measurement: bodyMeasurementField('Measurement that is known.'),
    value: Type.Optional(Type.Number({ ...QUANTITY_LIMITS, description: 'Its value.' })),
    unit: Type.Optional(
      oneOf<Unit | MassUnit>([...UNITS, ...MASS_UNITS], {
        description: 'Unit of `value` alone.',
      }),
    ),
    percentile: Type.Optional(
      rarePercentField('Its percentile among people like the person, instead of `value`.'),
    ),
  },
  { additionalProperties: false },
);

const request = Type.Object(
  {
    ...personFields,
    ...countryOption,
    known: Type.Array(knownField, { ...KNOWN_LIMITS, description: 'What is known of the person.' }),
    wanted: Type.Optional(
      Type.Array(bodyMeasurementField('A measurement.'), {
        minItems: 1,
        maxItems: BODY_MEASUREMENTS.length,
        uniqueItems: true,
        description: 'Measurements to return; all if omitted.',
      }),
    ),
    rangePercent: Type.Optional(
      Type.Number({
        ...RANGE,
        description: 'Share of people with these known values inside `low` and `high`, in percent.',
      }),
    ),
    ...optionFields,
    ...massUnitField,
  },
  { additionalProperties: false },
);

const response = Type.Object({
  gender: answerFields.gender('Gender of the person.'),
  age: answerFields.number('Age in years.'),
  country: answerFields.country('Country applied.'),
  ...unitFields,
  rangePercent: answerFields.number('Share of people inside `low` and `high`, in percent.'),
  measurements: Type.Array(
    Type.Object({
      measurement: answerFields.bodyMeasurement('Measurement.'),
      expected: answerFields.number('Value of the most probable person with the known values.'),
      low: answerFields.number('Lower end of the range.'),
      high: answerFields.number('Upper end of the range.'),
      percentile: answerFields.number('Percentile of `expected` in the population.'),
      known: Type.Boolean({ description: 'Whether the request gave it.' }),
    }),
    { description: 'The measurements in the order asked.' },
  ),
  plausibility: Type.Object({
    percentile: answerFields.number(
      'Percent of people whose values of the known measurements are less unusual together.',
    ),
    note: Type.Optional(answerFields.text('What is unusual, in words.')),
    doubtful: Type.Optional(
      answerFields.bodyMeasurement('The known measurement that does not fit the others.'),
    ),
  }),
  ...remainingFreeCallsField,
});

type Input = Static<typeof request>;

/** POST /v1/person: all measurements of one person from a few known ones. */
export const completePerson = defineOperation({
  name: 'complete_person',
  path: '/v1/person',
  title: 'Complete a person',
  description:
    'All other measurements of one person from up to 20 known ones, with ranges, and a check of whether the known values fit together.',
  toolDescription: `Complete one person: give gender, age, country and 1 to ${KNOWN_LIMITS.maxItems} known measurements (such as Stature, BodyMass), as values or percentiles. The answer has the expected value and a range of every other measurement, and says whether the known values fit together. Not for several people or a diagnosis. ${POSTURE_TRAP} ${EXACT_NAMES}`,
  toolPrice: costsFixed(COST),
  command: { name: 'person', summary: 'complete a person from known measurements' },
  price: `${COST}`,
  computed: true,
  bodyBytesMax: POPULATION_BODY_BYTES_MAX,
  request,
  response,
  example: {
    gender: 'Female',
    age: 34,
    country: 'DE',
    known: [
      { measurement: 'Stature', value: 1680 },
      { measurement: 'BodyMass', value: 66 },
      { measurement: 'FootLength', percentile: 60 },
    ],
    wanted: ['SittingHeight', 'HipCircumferenceMax', 'HandLength'],
  },
  refusals: {
    value_implausible: {
      gender: 'Female',
      age: 34,
      country: 'DE',
      known: [{ measurement: 'Stature', value: 168 }],
    },
  },
  check: ({ known }) => knownFaults(known, '/known', 'known'),
  work: {
    ms: ({ known }) => 1 + 0.1 * known.length,
    mostMs: WORK_MS_MAX,
    less: 'fewer measurements',
  },
  cost: () => COST,
  run(input, model): Static<typeof response> {
    const joint = model.people();
    const { bodies } = joint;
    const units = unitsOf(input);
    const country = input.country ?? DEFAULTS.country;
    const cohort = {
      country: COUNTRY_CODES.indexOf(country),
      gender: GENDERS.indexOf(input.gender),
      ageYears: input.age,
      year: bodies.views.manifest.referenceYear,
    };
    const only = { cohorts: [cohort] };
    const dress = dressOf(input, only);
    const [nude, dressed] = [joint.curves(), joint.curves(dress)];
    nude.at(cohort);
    dressed.at(cohort);
    const askedQuantities = input.known.map(({ measurement }) => bodies.indexOf(measurement));
    for (const quantity of askedQuantities) checkQuantity(joint, only, quantity, dress);
    const values = input.known.map((one, i) => {
      const quantity = askedQuantities[i] as number;
      const place = { pointer: `/known/${i}`, name: `known[${i}]` };
      const value = knownValue(one, place, quantity, joint, dressed, units);
      return { quantity, value: dressedValue(dressed, nude, quantity, value) };
    });
    refuseContradiction(input, values, joint, units);
    const rangePercent = input.rangePercent ?? RANGE.default;
    const rangeZ = zOfPercentile(50 + rangePercent / 2);
    const person = complete(joint, cohort, nude, values, rangeZ);
    const names = input.wanted ?? BODY_MEASUREMENTS;
    const measurements = names.flatMap((measurement) => {
      const quantity = bodies.indexOf(measurement);
      if (input.wanted !== undefined) checkQuantity(joint, only, quantity, dress);
      const found = person.of(quantity);
      if (found === undefined || dressed.of(quantity) === undefined) return [];
      const shown = (value: number): number =>
        toAnswer(joint, quantity, dressedValue(nude, dressed, quantity, value), units);
      const given = askedQuantities.indexOf(quantity);
      const exact = given < 0 ? undefined : (values[given]?.value as number);
      return [
        {
          measurement,
          expected: shown(exact ?? found.expected),
          low: shown(exact ?? found.low),
          high: shown(exact ?? found.high),
          percentile: roundPercentile(found.percentile),
          known: given >= 0,
        },
      ];
    });
    return {
      ...{ gender: input.gender, age: input.age, country, ...units, rangePercent, measurements },
      plausibility: plausibilityOf(input, person.distanceSquare, person.misfits),
    };
  },
});

/** A measurement that is known of a person, by its value or its percentile. */
export type KnownInput = Static<typeof knownField>;

/**
 * Faults of a list of known measurements.
 *
 * @param list its JSON pointer
 * @param name how messages name it
 */
export function knownFaults(
  known: readonly KnownInput[],
  list: string,
  name: string,
): FoundFault[] {
  const seen = new Set<string>();
  return known.flatMap(({ measurement, value, percentile, unit }, i): FoundFault[] => {
    const pointer = `${list}/${i}`;
    const repeated = seen.has(measurement);
    seen.add(measurement);
    if (repeated) {
      return [{ pointer, message: `${name}[${i}] repeats ${measurement}; give it once.` }];
    }
    if ((value === undefined) === (percentile === undefined)) {
      return [{ pointer, message: `${name}[${i}] needs value or percentile, one of them.` }];
    }
    const units = value === undefined ? [] : unitNamesFor(measurement);
    if (unit === undefined || units.includes(unit)) return [];
    const what = value === undefined ? 'a percentile' : measurement;
    const remedy =
      units.length === 0 ? `${what} has none; leave it out` : `use ${units.join(' or ')}`;
    return [
      { pointer: `${pointer}/unit`, message: `${name}[${i}].unit is ${unit}, but ${remedy}.` },
    ];
  });
}

/** The units of a known value: its own, or else those of the request. */
function unitsOfKnown({ measurement, unit }: KnownInput, units: Units): Units {
  if (unit === undefined) return units;
  return { ...units, [measurement === 'BodyMass' ? 'massUnit' : 'unit']: unit };
}

/** Where a request has a known measurement: its JSON pointer, and how messages name it. */
interface KnownPlace {
  readonly pointer: string;
  readonly name: string;
}

/**
 * A known value in mm, kg or kg/m², in the clothing of the request.
 *
 * @param place of the known measurement in the request
 * @throws Problem `value_implausible` with the values that would be believed and the likely unit
 */
export function knownValue(
  one: KnownInput,
  place: KnownPlace,
  quantity: number,
  joint: JointBodies,
  curves: CohortCurves,
  requestUnits: Units,
): number {
  const { measurement, value, percentile } = one;
  const knots = curves.of(quantity) as Float64Array;
  if (value === undefined) return curveValue(knots, zOfPercentile(percentile as number));
  const units = unitsOfKnown(one, requestUnits);
  const given = fromRequest(joint, quantity, value, units);
  const believed = (candidate: number) => Math.abs(curveInverse(knots, candidate)) <= BELIEVED_Z;
  if (believed(given)) return given;
  const ends = [-BELIEVED_Z, BELIEVED_Z].map((z) =>
    toAnswer(joint, quantity, curveValue(knots, z), units),
  );
  const unit = unitOf(measurement, units);
  const meant = likelyUnit(measurement, (size) => believed(value * size));
  const remedy = (likely: LikelyUnit): string =>
    likely.ofRequests
      ? `Set the unit of ${place.name} to ${likely.name}.`
      : `Give ${converted(value, measurement, likely, unit)} (${unit}).`;
  const hint = meant === undefined ? '' : ` Did you mean ${value} ${meant.name}? ${remedy(meant)}`;
  const message = `${measurement} of ${value} ${unit} is a value that no person of this gender, age and country has; ${ends[0]} to ${ends[1]} ${unit} would be believed.${hint}`;
  const errors = [{ pointer: `${place.pointer}/value`, message }];
  throw new Problem('value_implausible', message, { errors });
}

/** Two values in order may differ by this share from what they were before they were converted. */
const ROUNDING = 1e-9;

/**
 * Refuses known values that contradict each other by definition, such as a breadth of the shoulders over the
 * largest breadth of the body: no person completes them.
 *
 * @param values the known values, nude and erect
 * @throws Problem `value_implausible` with both fields and the order
 */
function refuseContradiction(
  { known: given }: Input,
  values: readonly KnownQuantity[],
  joint: JointBodies,
  units: Units,
): void {
  const places = new Map(
    values.map(({ quantity }, i) => [joint.bodies.names[joint.dimensionOf(quantity)], i]),
  );
  for (const { above, below, factor, why } of DEFINITE_ORDERS) {
    const [a, b] = [places.get(above), places.get(below)];
    if (a === undefined || b === undefined) continue;
    const leastMm = factor * (values[b] as KnownQuantity).value;
    if ((values[a] as KnownQuantity).value >= leastMm * (1 - ROUNDING)) continue;
    const text = (i: number): string => {
      const one = given[i] as KnownInput;
      const { measurement, value, percentile } = one;
      if (value === undefined) return `${measurement} at P${percentile}`;
      return `${measurement} of ${value} ${unitOf(measurement, unitsOfKnown(one, units))}`;
    };
    const [whole, part] = [text(a), text(b)];
    const times = factor === 1 ? '' : `${factor} times `;
    const rule = `${above} is at least ${times}${below} in every person: ${why.join(', and ')}`;
    const fault = (i: number, other: string, side: string) => ({
      pointer: `/known/${i}/${given[i]?.value === undefined ? 'percentile' : 'value'}`,
      message: `known[${i}], ${text(i)}, is too ${side} for ${other}.`,
    });
    throw new Problem(
      'value_implausible',
      `${whole} and ${part} contradict each other. ${rule}. Check known[${a}] and known[${b}] and their units.`,
      { errors: [fault(a, part, 'small'), fault(b, whole, 'large')] },
    );
  }
}

/** How unusual the known values are together, and which one does not fit the others. */
function plausibilityOf(
  { known: given }: Input,
  distanceSquare: number,
  misfits: readonly number[],
): Static<typeof response>['plausibility'] {
  const percentile = roundPercentile(100 * chiSquareShare(distanceSquare, given.length));
  const worst = misfits.reduce((most, misfit, i) => {
    return Math.abs(misfit) > Math.abs(misfits[most] as number) ? i : most;
  }, 0);
  const misfit = misfits[worst] as number;
  if (given.length < 2 || Math.abs(misfit) < DOUBTFUL_SD) return { percentile };
  const doubtful = given[worst]?.measurement as string;
  const side = misfit > 0 ? 'above' : 'below';
  const note = `${doubtful} lies ${Math.abs(misfit).toFixed(1)} standard deviations ${side} what the other known values predict. Check it and its unit.`;
  return { percentile, note, doubtful };
}
