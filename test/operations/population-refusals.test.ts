import { describe, expect, it } from 'vitest';
import { fault, field, Problem } from '../../src/core/errors.js';
import { describeFailure } from '../../src/failure.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { validateRequest } from '../../src/operations/validate.js';
import { freshEnv, run } from '../support/cli.js';
import { callTool } from '../support/mcp.js';
import { tinyModel } from '../support/models.js';
import { operationNamed, refusalOf } from '../support/operations.js';
import { useService } from '../support/use-service.js';

// Refusals of the operations on populations. The text must say what to change, in the words of the door.

const ADULTS = { countries: ['DE'], ageMin: 20, ageMax: 40 };
const TALL = { measurement: 'Stature', max: 1900 };
const groupsOf = (...groups: object[]) => ({ population: { groups } });
const shared = (...shares: (number | undefined)[]) =>
  groupsOf(...shares.map((share) => ({ ...ADULTS, ...(share === undefined ? {} : { share }) })));
const keeping = (...keep: object[]) => ({ population: { groups: [ADULTS], keep } });
const knowing = (...known: object[]) => ({ known });
const HEAD = { measurement: 'HeadGirth', tolerance: 10 };
const FEMALE_ONLY = 'FemaleChestCircumferenceBelowBreasts';

type Texts = readonly (string | RegExp)[];
/** A refusal: its code if that is not `validation_error`, its texts, and the place that it points to. */
type Case = readonly [what: string, operation: string, change: object, ...(string | Texts)[]];

const WITH_POPULATION = OPERATIONS.filter(({ request }) => 'population' in request.properties).map(
  ({ name }) => name,
);

/** Refusals of every operation with a population and clothing. */
const OF_DRESSED: readonly Case[] = OPERATIONS.filter(
  ({ request }) => 'population' in request.properties && 'clothing' in request.properties,
).map(({ name }) => [
  'children in heels',
  name,
  { ...groupsOf({ ...ADULTS, ageMin: 11 }), clothing: 'heels' },
  'model_not_found',
  ['clothing heels has no model under 12 years; set clothing to shoes'],
]);

const CASES: readonly Case[] = [
  [
    'shares with another sum',
    'sample_people',
    shared(0.5, 0.4),
    ['The shares of the groups must sum to 1, not 0.9.'],
    '/population/groups',
  ],
  [
    'an unknown set',
    'population_percentiles',
    groupsOf({ ...ADULTS, countries: ['DE', 'EU72'] }),
    ['"EU72" is neither a country code nor a set', 'Did you mean EU27?'],
    '/population/groups/0/countries/1',
  ],
  [
    'conditions that nobody meets',
    'design_ranges',
    keeping({ measurement: 'Stature', min: 2600 }),
    'population_empty',
    [/leave about 0 people, 0\.000 % of the groups; at least 1000 people and 0\.1 %/, 'Widen'],
  ],
  [
    'children in another year',
    'boundary_cases',
    { population: { groups: [{ ...ADULTS, ageMin: 17 }], year: 2030 } },
    ['reaches under 18 years', 'set ageMin to at least 18, or leave out year'],
    '/population/groups/0/ageMin',
  ],
  ...OF_DRESSED,
  [
    'a share in one group only',
    'population_share',
    shared(0.5, undefined),
    ['share must be given for all groups or for none; 1 of 2 have it.'],
    '/population/groups',
  ],
  [
    'a set in another case',
    'size_chart',
    groupsOf({ ...ADULTS, countries: ['world'] }),
    ['Did you mean World?'],
    '/population/groups/0/countries/0',
  ],
  [
    'a name that is near nothing',
    'population_share',
    groupsOf({ ...ADULTS, countries: ['qqqqqqqqqq'] }),
    ['; GET / lists both.'],
  ],
  [
    'ages the wrong way round',
    'population_share',
    groupsOf({ ...ADULTS, ageMin: 50 }),
    ['population.groups[0].ageMin must be at most ageMax, 40.'],
    '/population/groups/0/ageMin',
  ],
  [
    'a limit without an end',
    'population_share',
    { limits: [{ measurement: 'Stature' }] },
    [/limits\[0\].* needs min, max or both/],
    '/limits/0',
  ],
  [
    'a limit with the ends the wrong way round',
    'population_share',
    { limits: [{ ...TALL, min: 2000 }] },
    ['limits[0].min must be less than max, 1900.'],
    '/limits/0/min',
  ],
  [
    'a length in cm that was meant in mm',
    'complete_person',
    knowing({ measurement: 'Stature', value: 168 }),
    'value_implausible',
    [
      /Stature of 168 mm .* \d+(\.\d+)? to \d+(\.\d+)? mm would be believed/,
      'Did you mean 168 cm? Set the unit of known[0] to cm.',
    ],
    '/known/0/value',
  ],
  [
    'a mass in pounds that was meant in kg',
    'complete_person',
    knowing({ measurement: 'BodyMass', value: 400 }),
    'value_implausible',
    [/to \d+(\.\d+)? kg would be believed/, 'Did you mean 400 lb? Set the unit of known[0] to lb.'],
  ],
  [
    'a value in mm beside values in inches',
    'complete_person',
    {
      unit: 'in',
      ...knowing(
        { measurement: 'SittingHeight', value: 45 },
        { measurement: 'Stature', value: 1680 },
      ),
    },
    'value_implausible',
    ['Did you mean 1680 mm? Set the unit of known[1] to mm.'],
    '/known/1/value',
  ],
  [
    'a length in feet',
    'complete_person',
    { unit: 'in', ...knowing({ measurement: 'Stature', value: 5.83 }) },
    'value_implausible',
    ['Did you mean 5.83 ft? Give 69.96 (in).'],
  ],
  [
    'a length in kilograms',
    'complete_person',
    knowing({ measurement: 'Stature', value: 168, unit: 'kg' }),
    ['known[0].unit is kg, but use mm or cm or in.'],
    '/known/0/unit',
  ],
  [
    'a percentile with a unit',
    'complete_person',
    knowing({ measurement: 'Stature', percentile: 50, unit: 'mm' }),
    ['known[0].unit is mm, but a percentile has none; leave it out.'],
  ],
  [
    'a limit in cm that was meant in mm',
    'population_share',
    { limits: [{ measurement: 'Stature', max: 190 }] },
    'value_implausible',
    [
      'limits[0] leaves nobody: no Stature of this population is 190 mm or less.',
      'Did you mean 190 cm? Give max 1900 (mm), or set unit to cm if every value is in cm.',
    ],
    '/limits/0',
  ],
  [
    'a value below the percentile that it is the end of',
    'population_share',
    { limits: [TALL, { measurement: 'Stature', minPercentile: 99, max: 1500 }] },
    [/^limits\[1\] accommodates nobody: it begins at \d+\.?\d* mm and ends at 1500 mm/],
    '/limits/1',
  ],
  [
    'a range in metres',
    'population_share',
    { limits: [TALL, { measurement: 'Stature', min: 1.5, max: 1.9 }] },
    'value_implausible',
    ['limits[1] leaves nobody', 'Did you mean 1.5 and 1.9 m? Give min 1500 and max 1900 (mm).'],
    '/limits/1',
  ],
  [
    'a mass in kg that was meant in pounds',
    'population_share',
    { limits: [{ measurement: 'BodyMass', min: 300 }] },
    'value_implausible',
    [
      'no BodyMass of this population is 300 kg or more',
      'Give min 136.07771 (kg), or set massUnit',
    ],
  ],
  [
    'conditions in cm that were meant in mm',
    'population_percentiles',
    keeping({ measurement: 'Stature', max: 190 }),
    'population_empty',
    ['Did you mean 190 cm? Give max 1900 (mm)'],
  ],
  ...WITH_POPULATION.map(
    (name): Case => [
      'a group that the conditions empty',
      name,
      {
        population: {
          groups: [ADULTS, { ...ADULTS, ageMin: 3, ageMax: 4 }],
          keep: [{ measurement: 'Stature', min: 1500 }],
        },
      },
      'population_empty',
      ['population.groups[1] has nobody who meets population.keep', 'Leave it out'],
      '/population/groups/1',
    ],
  ),
  [
    'a size that serves everybody',
    'size_chart',
    { ...groupsOf(ADULTS), measurements: [HEAD, { measurement: 'FootLength', tolerance: 1e5 }] },
    'value_implausible',
    [/^measurements\[1\]\.tolerance is too wide: .* spans \d+\.\d+ mm.* less than \d+\.\d+ mm/],
    '/measurements/1/tolerance',
  ],
  ...Object.entries({
    population_percentiles: { measurements: ['Stature', FEMALE_ONLY] },
    boundary_cases: { measurements: ['Stature', FEMALE_ONLY] },
    population_share: { limits: [{ measurement: FEMALE_ONLY, max: 900 }] },
    design_ranges: { dimensions: [{ measurement: FEMALE_ONLY, side: 'max' }] },
    size_chart: { measurements: [{ measurement: FEMALE_ONLY, tolerance: 40 }] },
  }).map(
    ([name, change]): Case => [
      'a dimension of women for both genders',
      name,
      { ...groupsOf(ADULTS), ...change },
      'gender_not_supported',
      [FEMALE_ONLY, 'has no model for Male', 'Female only'],
    ],
  ),
  [
    'a condition of women for both genders',
    'sample_people',
    keeping({ measurement: FEMALE_ONLY, max: 900 }),
    'gender_not_supported',
    [FEMALE_ONLY, 'has no model for Male'],
  ],
];

const STATUS: Readonly<Record<string, number>> = {
  model_not_found: 404,
  validation_error: 400,
  unknown_measurement: 400,
  population_empty: 422,
  value_implausible: 422,
  gender_not_supported: 422,
};

const model = tinyModel();

function requestOf(operation: string, change: object) {
  const found = operationNamed(operation);
  const fewer = operation === 'boundary_cases' ? { count: 4 } : {};
  return { found, body: { ...found.example, ...fewer, ...change } };
}

it.each(CASES)('%s (%s)', (...each) => {
  const [, operation, change, ...rest] = each as unknown as Case;
  const code = typeof rest[0] === 'string' ? rest[0] : 'validation_error';
  const [texts, pointer] = (code === rest[0] ? rest.slice(1) : rest) as [Texts, string?];
  const { found, body } = requestOf(operation, change);
  const problem = refusalOf(() => found.run(validateRequest(found, body) as never, model));
  expect([problem.code, problem.status]).toEqual([code, STATUS[code]]);
  for (const text of texts) expect(problem.message).toMatch(text);
  if (pointer !== undefined) expect(problem.extras.errors?.[0]?.pointer).toBe(pointer);
});

// The words of pages are tested with the screens.
describe('each door words refusals', () => {
  const service = useService({ computing: { threads: 1 } });

  it('the same fault of a population', async () => {
    const { found, body } = requestOf(
      'population_percentiles',
      groupsOf({ ...ADULTS, countries: ['Nowhere'] }, { ...ADULTS, ageMin: 50 }),
    );
    const { headers, balance } = await service.customer(1);
    const refused = await service.post(found.path, body, headers);
    expect(refused.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      '"Nowhere" is neither a country code nor a set of countries (population.groups[0].countries[0]); GET / lists both.',
      'population.groups[1].ageMin must be at most ageMax, 40.',
    ]);
    const call = { name: found.name, arguments: body };
    const { result } = (await callTool(service, '2026-07-28', call, headers)).body;
    expect(JSON.parse(result.content[0].text).detail).toBe(
      '"Nowhere" is neither a country code nor a set of countries (population.groups[0].countries[0]); get_catalog lists both. (1 more in errors)',
    );
    const flags = '--measurements Stature --percentiles 50 --countries Nowhere --ages 50-40';
    const typed = await run(`percentiles ${flags}`, freshEnv());
    expect(typed.stderr.trim().split('\n')).toEqual([
      '"Nowhere" is neither a country code nor a set of countries (--countries); npx vitruvia catalog lists both.',
      'the beginning of --ages must be at most the end of --ages, 40.',
    ]);
    // None of these requests was charged.
    expect(await balance()).toBe(1);
  });

  it('and a command names every fault, also if the message says more than they do', () => {
    const errors = [1, 2].map((k) => fault(`/known/${k}`)`${field(`/known/${k}`)} does not fit.`);
    const message = 'Two values contradict each other. (1 more in errors)';
    const { text } = describeFailure(new Problem('value_implausible', message, { errors }));
    expect(text.split('\n')).toEqual([
      'Two values contradict each other.',
      '--known[1] does not fit.',
      '--known[2] does not fit.',
    ]);
  });
});
