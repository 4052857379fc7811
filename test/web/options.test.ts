import { beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_POPULATIONS } from '../../src/screens/shared/populations.js';
import { isComplete, populationFaults } from '../../src/screens/widgets/population-faults.js';

type Options = typeof import('../../src/screens/widgets/combobox.js') &
  typeof import('../../src/screens/widgets/place-options.js');

let options: Options;
beforeEach(async () => {
  // Other test files of this worker may have loaded the search already.
  vi.resetModules();
  options = {
    ...(await import('../../src/screens/widgets/combobox.js')),
    ...(await import('../../src/screens/widgets/place-options.js')),
  };
});

const idsOf = (groups: ReturnType<Options['placeOptions']>) =>
  groups.flatMap(({ options: found }) => found.map(({ id }) => id));

it('names are found before the search is there', () => {
  expect(idsOf(options.measurementOptions('sitting height'))).toEqual(['SittingHeight']);
  expect(idsOf(options.countryOptions('nethER', []))).toEqual(['NL']);
});

it('measurements are found by everyday words', async () => {
  const { loadSearch, measurementOptions, countryOptions } = options;
  await loadSearch();
  expect(idsOf(measurementOptions('shoe size'))[0]).toBe('FootLength');
  expect(idsOf(measurementOptions('sho')).length).toBeGreaterThan(3);
  expect(measurementOptions('zzz')).toEqual([]);
  expect(idsOf(measurementOptions(''))).toHaveLength(148);
  expect(countryOptions('Holland', ['NL'])).toEqual([]);
});

// cspell:ignore España Austraila Ivoire
it('a population finds countries and sets of them', async () => {
  const { countryOptions, loadSearch, placeOptions } = options;
  expect(idsOf(placeOptions('world', []))).toEqual(['World']);
  await loadSearch();
  expect(idsOf(placeOptions('Holland', []))).toEqual(['NL']);
  for (const [name, code] of [
    ['Deutschland', 'DE'],
    ['日本', 'JP'],
    ['España', 'ES'],
  ] as const) {
    expect(idsOf(placeOptions(name, []))).toEqual([code]);
    expect(idsOf(countryOptions(name, []))).toEqual([code]);
  }
  expect(idsOf(placeOptions('european union', []))[0]).toBe('EU27');
  expect(idsOf(placeOptions('oecd', ['OECD']))).toEqual([]);
  expect(idsOf(placeOptions('', [])).length).toBe(176 + 29);
});

it('names what is wrong with a population at the field', () => {
  const [women] = DEFAULT_POPULATIONS;
  if (women === undefined) throw new Error('there is no default population');
  expect(isComplete(women)).toBe(true);
  expect(populationFaults({ ...women, countries: [] }).countries).toContain('at least one country');
  expect(populationFaults({ ...women, ageMin: 40, ageMax: 30 })).toEqual({
    ageMax: 'The oldest age must be at least the youngest, 40.',
  });
  expect(populationFaults({ ...women, ageMin: Number.NaN, ageMax: 121 })).toEqual({
    ageMin: 'Enter a whole number from 0 to 120.',
    ageMax: 'Enter a whole number from 0 to 120.',
  });
  expect(populationFaults({ ...women, ageMin: 17.5 }).ageMin).toBeDefined();
});

it('says what no measurement covers, and offers the nearest ones', async () => {
  const { loadSearch, measurementOptions, notCoveredTexts } = options;
  await loadSearch();
  expect(notCoveredTexts('ankle girth')).toEqual([
    'Not covered: the girth of the ankle. No girth of the ankle; nearest is that of the calf and that of the foot over the instep.',
  ]);
  expect(idsOf(measurementOptions('ankle girth'))).toEqual([
    'CalfCircumference',
    'FootCircumferenceInstep',
  ]);
  expect(notCoveredTexts('stature')).toEqual([]);
});

it.each(['weight', 'mass', 'bmi'])(
  'says where to find the quantity that %s means',
  async (text) => {
    const { knownOptions, loadSearch, measurementOptions, notAmongLengths } = options;
    await loadSearch();
    expect(measurementOptions(text)).toEqual([]);
    const name = text === 'bmi' ? 'BMI' : 'BodyMass';
    expect(notAmongLengths(text)).toEqual([
      expect.stringMatching(new RegExp(`^${name} is no length`)),
    ]);
    expect(idsOf(knownOptions(text, []))).toEqual(['BodyMass']);
    expect(knownOptions(text, ['BodyMass'])).toEqual([]);
  },
);
