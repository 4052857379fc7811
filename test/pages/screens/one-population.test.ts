import { expect, it } from 'vitest';
import { DIMENSION_ADDRESS, shownText } from '../../../src/screens/dimension/address.js';
import { DEFAULT_POPULATIONS, populationLabel } from '../../../src/screens/shared/populations.js';

const read = DIMENSION_ADDRESS.read;
const TWO = 'p=Both~IT~75-120&p=Male~DE,JP~18-30~winter';

it('shows one population of the address, at an age of it', () => {
  expect(read('').populations).toBe(DEFAULT_POPULATIONS);
  expect(read(TWO)).toMatchObject({ shown: 1, gender: 'Female', age: 82, countries: ['IT'] });
  const second = read(`${TWO}&of=2`);
  expect(second).toMatchObject({ gender: 'Male', age: 30, clothing: 'winter' });
  expect(second.countries).toEqual(['DE', 'JP']);
  expect(read(`${TWO}&of=7`).shown).toBe(1);
  expect(read('p=Both~World~18-65').countries).toHaveLength(10);
  expect(shownText(read('p=Both~World~18-65'))).toContain('10 of its 176 countries');
});

it('keeps the populations in its address, unless they follow from the people', () => {
  const query = DIMENSION_ADDRESS.query(read(`${TWO}&of=2`));
  expect(query).toContain(`${TWO}&of=2`);
  expect(read(query)).toEqual(read(`${TWO}&of=2`));
  const plain = 'measurement=Stature&gender=Male&age=40&country=FR&percentile=50';
  expect(DIMENSION_ADDRESS.query(read(plain))).toBe(plain);
  expect(read(plain).populations.map(populationLabel)).toEqual(['Men, FR, 40']);
});

it('keeps chosen nudity apart from clothing that nobody has chosen', () => {
  expect(read('p=Male~NL~18-65').populations[0]?.clothing).toBeUndefined();
  const chosen = read('p=Male~NL~18-65~nude');
  expect(chosen.clothing).toBe('nude');
  expect(read(DIMENSION_ADDRESS.query(chosen)).populations).toEqual(chosen.populations);
});
