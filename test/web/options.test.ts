import { beforeEach, expect, it, vi } from 'vitest';

type Options = typeof import('../../web/widgets/options.js');

let options: Options;
beforeEach(async () => {
  // Other test files of this worker may have loaded the search already.
  vi.resetModules();
  options = await import('../../web/widgets/options.js');
});

const idsOf = (groups: ReturnType<Options['measurementOptions']>) =>
  groups.flatMap(({ options: found }) => found.map(({ id }) => id));

it('the screens find names before the search is there', () => {
  expect(idsOf(options.measurementOptions('sitting height'))).toEqual(['SittingHeight']);
  expect(idsOf(options.countryOptions('nethER', []))).toEqual(['NL']);
});

it('the screens find measurements and countries by everyday words', async () => {
  const { loadSearch, measurementOptions, countryOptions } = options;
  await loadSearch();
  expect(idsOf(measurementOptions('shoe size'))[0]).toBe('FootLength');
  expect(idsOf(measurementOptions('sho')).length).toBeGreaterThan(3);
  expect(measurementOptions('zzz')).toEqual([]);
  expect(idsOf(measurementOptions(''))).toHaveLength(148);
  expect(idsOf(countryOptions('Holland', []))).toEqual(['NL']);
  expect(countryOptions('Holland', ['NL'])).toEqual([]);
});
