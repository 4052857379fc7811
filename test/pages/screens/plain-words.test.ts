import { expect, it } from 'vitest';
import { Problem } from '../../../src/core/errors.js';
import { plainProblem, plainWords } from '../../../src/screens/shared/plain-words.js';

it.each([
  [
    '"XX" is neither a country code nor a set of countries (population.groups[0].countries[0]); GET / lists both. (2 more in errors)',
    '"XX" is neither a country nor a set of them; choose another in the population.',
  ],
  [
    '"XX" is not a valid value of country; GET / lists the 176 known ones.',
    '"XX" is not the code of a country, such as DE.',
  ],
  [
    'population.groups[0].ageMin must be at most ageMax, 18.',
    'The youngest age must be at most the oldest age, 18.',
  ],
  [
    'population.groups[1].ageMax must be a whole JSON number, without quotes. For months, call predict with 0.25.',
    'The oldest age must be a whole number. For months, ask about one person with 0.25.',
  ],
  [
    '"Nose" is not a valid value of measurements[0]; GET / lists the 148 known ones. Did you mean NoseLength?',
    '"Nose" is not the name of a dimension; choose one on the page. Did you mean NoseLength?',
  ],
  [
    '"Foo" is not a valid value of person.known[0].measurement; GET / lists the 148 known ones.',
    '"Foo" is not the name of a dimension; choose one on the page.',
  ],
  [
    '"armour" is not a valid value of clothing; use one of nude, light, light_shoes.',
    '"armour" is not known as clothing; choose another on the page.',
  ],
  [
    '"XX" is not a valid value of countries[1]; GET / lists the 176 known ones.',
    '"XX" is not the code of a country, such as DE.',
  ],
  ['age must be at most 120.', 'Age must be at most 120.'],
  ['person.age must be a finite JSON number, without quotes.', 'The age must be a number.'],
  ['person.known[1].value is out of range: …', 'Known value 2 is out of range: …'],
  ['There is no body of a person of 0 years.', 'There is no body of a person of 0 years.'],
])('pages say %s in plain words', (message, plain) => {
  expect(plainWords(message)).toBe(plain);
});

it('keeps the code, the pointers and what else a problem has', () => {
  const message = 'population.groups[0].ageMax must be at most 120.';
  const pointer = '/population/groups/0/ageMax';
  const problem = new Problem('validation_error', message, {
    errors: [{ pointer, message }],
  });
  const plain = plainProblem(problem);
  expect([plain.code, plain.status]).toEqual([problem.code, problem.status]);
  expect(plain.message).toBe('The oldest age must be at most 120.');
  expect(plain.extras.errors).toEqual([{ pointer, message: plain.message }]);
});
