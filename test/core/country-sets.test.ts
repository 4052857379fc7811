import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { CONTINENT_NAMES, membersOfSet, SET_NAMES } from '../../src/core/country-sets.js';
import { placeOf, REGION_NAMES } from '../../src/core/regions.js';

const members = (name: string) => [...(membersOfSet(name) ?? [])];

describe('the sets of countries', () => {
  it('are the world, two organisations, six continents and 20 regions', () => {
    expect(SET_NAMES).toEqual(['World', 'EU27', 'OECD', ...CONTINENT_NAMES, ...REGION_NAMES]);
    expect(REGION_NAMES).toHaveLength(20);
    expect(members('World')).toEqual(COUNTRY_CODES);
    expect(membersOfSet('Atlantis')).toBeUndefined();
    expect(membersOfSet('__proto__')).toBeUndefined();
  });

  it('have 27 and 38 members, each once and among the 176', () => {
    for (const [name, count] of [
      ['EU27', 27],
      ['OECD', 38],
    ] as const) {
      expect(new Set(members(name)).size).toBe(count);
      expect(members(name)).toHaveLength(count);
      for (const code of members(name)) expect(COUNTRY_CODES).toContain(code);
    }
    expect(members('EU27')).not.toContain('UK');
    expect(members('OECD')).toContain('UK');
  });

  it('have every country in exactly one region', () => {
    expect(REGION_NAMES.flatMap(members).sort()).toEqual([...COUNTRY_CODES].sort());
    for (const code of COUNTRY_CODES) expect(members(placeOf(code).region)).toContain(code);
    expect(placeOf('NA').region).toBe('Central and southern Africa');
    expect(() => placeOf('GB')).toThrow('no region of GB');
  });

  it('have every country in exactly one continent', () => {
    expect(CONTINENT_NAMES).toHaveLength(6);
    expect(CONTINENT_NAMES.flatMap(members).sort()).toEqual([...COUNTRY_CODES].sort());
    for (const code of members('EU27')) {
      expect([code, members('Europe').includes(code)]).toEqual([code, code !== 'CY']);
    }
    expect(members('North America')).toEqual(expect.arrayContaining(['US', 'CA', 'MX', 'CU']));
    expect(members('Asia')).toEqual(expect.arrayContaining(['TR', 'CY', 'GE']));
  });

  it('have no name that is a country code', () => {
    for (const name of SET_NAMES) expect(COUNTRY_CODES).not.toContain(name);
  });
});
