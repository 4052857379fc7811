import { expect, it } from 'vitest';
import { countryOptions, loadSearch, measurementOptions } from '../../web/explore/options.js';

const idsOf = (groups: ReturnType<typeof measurementOptions>) =>
  groups.flatMap(({ options }) => options.map(({ id }) => id));

it('the explorer finds names before the search is there', () => {
  expect(idsOf(measurementOptions('sitting height'))).toEqual(['SittingHeight']);
  expect(idsOf(countryOptions('nethER', []))).toEqual(['NL']);
});

it('the explorer finds measurements and countries by everyday words', async () => {
  await loadSearch();
  expect(idsOf(measurementOptions('shoe size'))[0]).toBe('FootLength');
  expect(idsOf(measurementOptions('sho')).length).toBeGreaterThan(3);
  expect(measurementOptions('zzz')).toEqual([]);
  expect(idsOf(measurementOptions(''))).toHaveLength(148);
  expect(idsOf(countryOptions('Holland', []))).toEqual(['NL']);
  expect(countryOptions('Holland', ['NL'])).toEqual([]);
});
