import { expect, it } from 'vitest';
import { populationInWords } from '../../src/search/population-words.js';

it.each([
  ['women DE, JP 18–65', 'Female', ['DE', 'JP'], [18, 65]],
  ['IT 75+', undefined, ['IT'], [75, 120]],
  ['Dutch men 30 to 40', 'Male', ['NL'], [30, 40]],
  ['8-year-olds of Brazil', undefined, ['BR'], [8, 8]],
  ['people aged 75 and over in Italy', undefined, ['IT'], [75, 120]],
  ['Trinidad and Tobago 20-30', undefined, ['TT'], [20, 30]],
  ['US DE CN IN 18-65', undefined, ['US', 'DE', 'CN', 'IN'], [18, 65]],
  ['CN adults', undefined, ['CN'], [18, 120]],
  ['Frauen in Deutschland ab 65', 'Female', ['DE'], [65, 120]],
  ['日本 20-40', undefined, ['JP'], [20, 40]],
  ['women and men EU27 25', undefined, ['EU27'], [25, 25]],
  ['people EU27 2', undefined, ['EU27'], [2, 2]],
  ['España', undefined, ['ES'], undefined],
  ['women', 'Female', undefined, undefined],
] as const)('reads %s', (text, gender, countries, ages) => {
  expect(populationInWords(text)).toEqual({ gender, countries, ages });
});

it.each([
  ['NL shoes', ['NL'], 'shoes', undefined],
  ['women in winter clothing, Scandinavia 20-30', ['DK', 'NO', 'SE'], 'winter', 'Female'],
  ['Cote d Ivoire', ['CI'], undefined, undefined],
  ['men wearing light clothing and shoes', undefined, 'light_shoes', 'Male'],
  ['NO', ['NO'], undefined, undefined],
] as const)('reads %s with clothing and regions', (text, countries, clothing, gender) => {
  expect(populationInWords(text)).toMatchObject({ countries, gender });
  expect(populationInWords(text)).toHaveProperty('clothing', clothing);
});

it('asks about a misspelt place', () => {
  expect(populationInWords('women Austraila')).toEqual({
    fault: expect.stringContaining('“Austraila” is no country'),
  });
  expect(populationInWords('women Austraila')).toMatchObject({
    fault: expect.stringContaining('Did you mean Australia?'),
  });
});

it('says which words name no place', () => {
  expect(populationInWords('women of Atlantis 20-30')).toEqual({
    fault: '“Atlantis” is no country or set of countries here. Separate several by commas.',
  });
});
