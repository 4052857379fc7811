import { describe, expect, it } from 'vitest';
import { COUNTRIES, COUNTRY_CODES } from '../../src/core/countries.js';
import { SET_NAMES } from '../../src/core/country-sets.js';
import {
  countryNamed,
  countrySetNamed,
  findCountries,
  findCountrySets,
} from '../../src/search/countries.js';
import { OTHER_COUNTRY_NAMES, OTHER_SET_NAMES, REGIONS } from '../../src/search/country-names.js';

const codesOf = (text: string) => findCountries(text).map(({ code }) => code);

describe('countries', () => {
  it.each([
    ['the Netherlands', 'NL'],
    ['côte d’ivoire', 'CI'],
    ['U.S.A.', 'US'],
    ['america', 'US'],
    ['España', 'ES'],
    ['espana', 'ES'],
    ['swaziland', undefined],
    ['', undefined],
  ])('%s is %s', (text, code) => {
    expect(countryNamed(text)).toBe(code);
    expect(codesOf(text)[0]).toBe(code);
  });

  it('are found by each code and name, as the first', () => {
    for (const { code, iso3, name } of COUNTRIES) {
      expect(codesOf(code)).toEqual([code]);
      expect(codesOf(iso3)).toEqual([code]);
      expect(codesOf(name)[0]).toBe(code);
    }
  });

  it('share no name and no code', () => {
    expect(COUNTRY_CODES).toEqual(expect.arrayContaining(Object.keys(OTHER_COUNTRY_NAMES)));
    for (const code of COUNTRY_CODES) {
      for (const name of OTHER_COUNTRY_NAMES[code]?.split(', ') ?? []) {
        expect(countryNamed(name), name).toBe(code);
      }
    }
  });

  it.each([
    ['Austraila', ['AU']],
    ['Philipines', ['PH']],
    ['Untied States', ['US']],
    ['Scandinavia', ['SE', 'DK', 'NO']],
    ['the Baltic states', ['LT', 'LV', 'EE']],
    ['Cote d Ivoire', ['CI']],
    ["Cote d'Ivoire", ['CI']],
    ['Cote dIvoire', ['CI']],
    ['NL shoes', ['NL']],
    ['Japan winter clothing', ['JP']],
    ['how is it', []],
    ['Atlantis', []],
    ['swaziland', []],
  ])('%s finds %j', (text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });

  it('of a region have no name of their own there', () => {
    for (const name of Object.keys(REGIONS)) {
      expect([name, countryNamed(name), countrySetNamed(name)]).toEqual([
        name,
        undefined,
        undefined,
      ]);
      expect(codesOf(name).toSorted()).toEqual(REGIONS[name]?.toSorted());
    }
  });

  it('are found by a word of a name, and by its beginning', () => {
    expect(codesOf('guinea')).toEqual(['GN', 'PG']);
    expect(codesOf('samoa').sort()).toEqual(['AS', 'WS']);
    expect(codesOf('saint')).toEqual(['KN', 'LC', 'VC']);
    expect(codesOf('germ')).toEqual(['DE']);
    expect(codesOf('zz')).toEqual([]);
  });
});

describe('sets of countries', () => {
  it('are found by names, other names and parts of names', () => {
    for (const name of SET_NAMES) expect(findCountrySets(name)[0]).toBe(name);
    for (const [name, others] of Object.entries(OTHER_SET_NAMES)) {
      expect(SET_NAMES).toContain(name);
      for (const other of others.split(', ')) expect(countrySetNamed(other)).toBe(name);
    }
    expect(findCountrySets('Europe')[0]).toBe('Europe');
    expect(findCountrySets('European Union')[0]).toBe('EU27');
    expect(findCountrySets('africa').length).toBeGreaterThan(3);
    expect(findCountrySets('Eurpoe')).toEqual(['Europe']);
    expect(findCountrySets('Japan')).toEqual([]);
    expect(findCountrySets('Austraila')).toEqual([]);
  });
});
