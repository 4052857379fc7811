import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { readWorldView, worldQuery } from '../../../src/screens/world/address.js';
import type { WorldData } from '../../../src/screens/world/data-types.js';
import { COUNTRY_DOTS, COUNTRY_PATHS } from '../../../src/screens/world/map-paths.js';
import { classEnds, classOf } from '../../../src/screens/world/texts.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

const sorted = (codes: readonly string[]) => [...codes].sort();

describe('the World screen', () => {
  const service = useService(async () => ({
    artifacts: await realArtifacts(),
  }));
  const dataOf = async (query: string): Promise<WorldData> => {
    const { statusCode, body } = await service.get(`/explore/world/data?${query}`);
    expect(statusCode, body).toBe(200);
    return JSON.parse(body);
  };

  it('has the value and the grade of the API for a country', async () => {
    const { countries } = await dataOf(
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
    const { countries } = await dataOf('');
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
    const { body } = await service.get('/explore/world', { headers: { accept: 'text/html' } });
    const map = /<svg class="plot world-map".*?<\/svg>/s.exec(body)?.[0] ?? '';
    const onMap = [...map.matchAll(/<g[^>]* data-country="(..)"[^>]*><title>[^<]+</g)];
    expect(sorted(onMap.map(([, code = '']) => code))).toEqual(sorted(COUNTRY_CODES));
    const rows = [...body.matchAll(/<tr data-country="(..)"/g)].map(([, code = '']) => code);
    const { countries } = await dataOf('');
    expect(rows).toEqual(countries.map(({ country }) => country));
  });

  it.each([
    '',
    'measurement=HandLength&percentile=97.5',
    'gender=Male&unit=ft-in',
    'gender=Male&age=7&p=Female~DE~18-65&p=Both~JP~70-80~winter&of=2',
    'clothing=heels',
    'measurement=BodyMass&unit=lb',
    'measurement=BMI',
  ])('keeps its view in the address: %s', (query) => {
    const view = readWorldView(query);
    const written = worldQuery(view);
    expect(readWorldView(written)).toEqual(view);
    expect([...new URLSearchParams(written)].sort()).toEqual(
      [...new URLSearchParams(query)].sort(),
    );
  });

  it('shows the gender, the middle age and the clothing of the shown population', () => {
    const view = readWorldView('p=Female~US~18-65&p=Male~JP~70-80~winter&of=2');
    expect(view).toMatchObject({
      ...{ gender: 'Male', age: 75, clothing: 'winter', countries: ['JP'] },
    });
    expect(readWorldView('age=8.25').age).toBe(8.25);
  });
});
