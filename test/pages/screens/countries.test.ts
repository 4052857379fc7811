import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { DIMENSION_ADDRESS } from '../../../src/screens/dimension/address.js';
import type { CountryValues } from '../../../src/screens/dimension/data-types.js';
import { classEnds, classOf } from '../../../src/screens/dimension/map.js';
import { COUNTRY_DOTS, COUNTRY_PATHS } from '../../../src/screens/dimension/map-paths.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

const sorted = (codes: readonly string[]) => [...codes].sort();

describe('all countries on the Dimension screen', () => {
  const service = useService(async () => ({
    artifacts: await realArtifacts(),
  }));
  const valuesOf = async (query: string): Promise<CountryValues> => {
    const url = `/explore/dimension/data?view=countries&${query}`;
    const { statusCode, body } = await service.get(url);
    expect(statusCode, body).toBe(200);
    return JSON.parse(body).picture;
  };

  it('has the value and the grade of the API for a country', async () => {
    const { countries } = await valuesOf(
      'measurement=HandLength&gender=Male&age=40&percentile=95&unit=cm&clothing=winter',
    );
    const { headers } = await service.customer(1000);
    const person = { measurement: 'HandLength', gender: 'Male', age: 40.5 };
    for (const country of ['NL', 'US', 'JP', 'SG', 'TV']) {
      const shown = countries.find((one) => one.country === country);
      const options = { percentile: 95, unit: 'cm', clothing: 'winter' };
      const value = await service.post('/v1/predict', { ...person, country, ...options }, headers);
      const evidence = await service.post('/v1/evidence', { ...person, country }, headers);
      expect([country, value.status, evidence.status]).toEqual([country, 200, 200]);
      const { grade, measuredHere } = evidence.body;
      expect(shown).toEqual({ country, value: value.body.value, grade, measuredHere });
    }
  });

  it('ranks all countries, the largest length first', async () => {
    const { countries } = await valuesOf('');
    expect(sorted(countries.map(({ country }) => country))).toEqual(sorted(COUNTRY_CODES));
    const values = countries.map(({ value }) => value);
    expect(values).toEqual([...values].sort((one, other) => other - one));
    const rank = (code: string) => countries.findIndex(({ country }) => country === code);
    expect(rank('NL')).toBeLessThan(20);
    expect(rank('NL')).toBeLessThan(rank('US'));
    expect(rank('US')).toBeLessThan(rank('GT'));
    expect(new Set(countries.map(({ grade }) => grade)).size).toBeGreaterThan(1);
    const ends = classEnds({ countries });
    expect([classOf(values.at(-1) ?? 0, ends), classOf(values[0] ?? 0, ends)]).toEqual([0, 5]);
  });

  it('draws every country once, as a shape or as a dot', async () => {
    const drawn = [...Object.keys(COUNTRY_PATHS), ...Object.keys(COUNTRY_DOTS)];
    expect(sorted(drawn)).toEqual(sorted(COUNTRY_CODES));
    for (const code of ['SG', 'MT', 'BH', 'TO']) expect(COUNTRY_DOTS).toHaveProperty(code);
    const { body } = await service.get('/explore/dimension?view=countries');
    const map = /<svg class="plot countries-map".*?<\/svg>/s.exec(body)?.[0] ?? '';
    const onMap = [...map.matchAll(/<g[^>]* data-country="(..)"[^>]*><title>[^<]+</g)];
    expect(sorted(onMap.map(([, code = '']) => code))).toEqual(sorted(COUNTRY_CODES));
    const rows = [...body.matchAll(/<tr data-country="(..)"/g)].map(([, code = '']) => code);
    const { countries } = await valuesOf('');
    expect(rows).toEqual(countries.map(({ country }) => country));
  });

  it.each([
    ['', 'view=countries'],
    [
      'measurement=HandLength&gender=Male&age=40&percentile=95&unit=cm&clothing=winter',
      'view=countries&measurement=HandLength&gender=Male&age=40&percentile=95&unit=cm&clothing=winter&p=Female~US~18-65&p=Male~US~18-65',
    ],
    [
      'p=Female~US~18-65&p=Male~JP~70-80~winter&of=2',
      'view=countries&p=Female~US~18-65&p=Male~JP~70-80~winter&of=2',
    ],
  ])('has the views of its old address: %s', async (query, moved) => {
    for (const part of ['', '/data', '/share.png']) {
      const { statusCode, headers } = await service.get(`/explore/world${part}?${query}`);
      const location = `/explore/dimension${part}?${moved}`;
      expect([statusCode, headers.location]).toEqual([308, location]);
    }
    expect(DIMENSION_ADDRESS.read(moved).populations).toHaveLength(2);
  });
});
