import { expect, it } from 'vitest';
import { field, Problem, said } from '../../../src/core/errors.js';
import { validateRequest } from '../../../src/operations/validate.js';
import { plainProblem } from '../../../src/screens/shared/plain-words.js';
import { operationNamed, refusalOf } from '../../support/operations.js';

function refusal(name: string, change: object): Problem {
  const operation = operationNamed(name);
  return refusalOf(() => validateRequest(operation, { ...operation.example, ...change }));
}

const ADULTS = { countries: ['DE'], ageMin: 18, ageMax: 65 };
const of = (change: object) => ({ population: { groups: [{ ...ADULTS, ...change }] } });

it.each<[string, object, string]>([
  [
    'population_share',
    of({ countries: ['XX', 'YY'] }),
    '"XX" is neither a country nor a set of them; choose another in the population.',
  ],
  [
    'predict',
    { country: 'XX' },
    '"XX" is not a valid value of the country; choose another on the page.',
  ],
  [
    'predict',
    { country: '' },
    'An empty text is not a valid value of the country; choose another on the page.',
  ],
  ['population_share', of({ ageMin: 70 }), 'The youngest age must be at most the oldest age, 65.'],
  [
    'population_share',
    of({ ageMax: 0.25 }),
    'The oldest age must be a whole number. The ages of a population are completed years; for months, ask about one person with an exact age such as 0.25.',
  ],
  [
    'population_percentiles',
    { measurements: ['Nose'] },
    '"Nose" is not a valid value of measurement 1; choose another on the page. Did you mean NoseLength?',
  ],
  ['complete_person', { age: 'x', country: 'XX' }, 'The age must be a number.'],
  ['predict', { age: 121 }, 'The age must be at most 120.'],
  [
    'complete_person',
    { known: [{ measurement: 'Stature' }] },
    'Known value 1 needs value or percentile, one of them.',
  ],
  [
    'population_share',
    { limits: [{ measurement: 'Stature', min: 5, max: 4 }] },
    'Limit 1 must begin below its end, 4.',
  ],
  [
    'body',
    { person: { gender: 'Male', age: 30, country: 'DE', measurements: { Stature: -5 } } },
    'The stature must be at least 0.001.',
  ],
  [
    'predict',
    { measurement: 'BodyMass' },
    '"BodyMass" is not a valid value of the measurement, which names lengths only. Choose another on the page.',
  ],
  [
    'reach_share',
    { see: [{ name: 'Road', at: { x: 1, y: 0, z: 0 } }] },
    'Sight 1 needs an edge or a limit of degrees; without them everybody sees it.',
  ],
  [
    'reach_share',
    { targets: [], see: [], clear: [] },
    'Nothing is asked: add a target, a sight or a thing that needs room.',
  ],
  [
    'product_fit',
    { product: 'desk', sizes: { low: 1 } },
    'Lowest top height must be from 250 mm to 1000 mm, not 1 mm.',
  ],
])('pages word a refusal of %s to %j', (name, change, words) => {
  expect(plainProblem(refusal(name, change)).message).toBe(words);
});

it('keeps the code, the pointers and what else a problem has', () => {
  const pointer = '/population/groups/0/ageMax';
  const fault = { pointer, ...said`${field(pointer)} must be at most ${120}.` };
  const problem = new Problem('validation_error', fault, { errors: [fault], maximum: 120 });
  const plain = plainProblem(problem);
  expect([plain.code, plain.status]).toEqual([problem.code, problem.status]);
  expect(plain.message).toBe('The oldest age must be at most 120.');
  expect(plain.extras.maximum).toBe(120);
  expect(plain.extras.errors).toEqual([{ pointer, rule: '{0}', arguments: [plain.message] }]);
});
