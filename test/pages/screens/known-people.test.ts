import { describe, expect, it } from 'vitest';
import { fitQuery, readFitView } from '../../../src/screens/fit/address.js';
import type { FitKnown } from '../../../src/screens/fit/data-types.js';
import { peopleText, readPeople } from '../../../src/screens/fit/known-people.js';
import { knownNames, suitingText } from '../../../src/screens/fit/texts.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

describe('known people in words', () => {
  it.each([
    ['1.58 m, 1.93', [{ statureMm: 1580 }, { statureMm: 1930 }]],
    ['1,58 m; 193', [{ statureMm: 1580 }, { statureMm: 1930 }]],
    [
      'Ann 1580 mm woman 45 62 kg; Ben 1.93 m man 90 kg',
      [
        { name: 'Ann', statureMm: 1580, gender: 'Female', ageYears: 45, massKg: 62 },
        { name: 'Ben', statureMm: 1930, gender: 'Male', massKg: 90 },
      ],
    ],
    [
      'Dee 1.62 m woman 33 years',
      [{ name: 'Dee', statureMm: 1620, gender: 'Female', ageYears: 33 }],
    ],
    [`5'11" m`, [{ statureMm: 1803, gender: 'Male' }]],
    ['', []],
  ])('are read: %s', (text, people) => {
    expect(readPeople(text, 'mm')).toEqual({ people });
  });

  it.each([
    ['Ann', /“Ann” has no stature\. Add one, such as 1,700 mm\./],
    ['5.11', /Is 5\.11 a stature in feet\? Then write 5 ft 11 in/],
    ['Ann 1.7 m, 45', /is no stature|from 450 mm/],
    ['Ann 1.7 m 12 st', /“st” in “Ann 1.7 m 12 st” is no name\. Write a mass in kg or lb\./],
    ['3 m', /from 450 mm to 2,300 mm/],
    ['1.7 m 300', /age in whole years, up to 100/],
    [Array.from({ length: 9 }, () => '1.7 m').join('; '), /at most 8 people; the text has 9/],
  ])('are refused with a remedy: %s', (text, fault) => {
    expect(readPeople(text, 'mm')).toEqual({ fault: expect.stringMatching(fault) });
  });

  it('have an address, also that of an earlier version', () => {
    const view = readFitView('product=desk&who=1580~Female~45~62~Ann&who=1930');
    expect(view.known).toEqual([
      { statureMm: 1580, gender: 'Female', ageYears: 45, massKg: 62, name: 'Ann' },
      { statureMm: 1930 },
    ]);
    expect(readFitView(fitQuery(view)).known).toEqual(view.known);
    expect(readFitView('product=desk&me=1930').known).toEqual([{ statureMm: 1930 }]);
    expect(readPeople(peopleText(view.known, 'cm'), 'cm')).toEqual({ people: view.known });
  });
});

describe('what suits known people', () => {
  const service = useService(async () => ({
    artifacts: await realArtifacts(),
  }));
  const knownOf = async (query: string): Promise<FitKnown[]> => {
    const { body } = await service.http.inject(`/explore/fit/data?${query}&p=Both~DE~18-65`);
    return JSON.parse(body).known;
  };
  it('has a name for each person', () => {
    const same = { statureMm: 1700, gender: 'Male' } as const;
    const known = [same, same, { ...same, name: 'P50' }];
    expect(knownNames(known, 'mm')).toEqual(['1,700 mm', '1,700 mm (2)', 'P50 (2)']);
  });

  const textsOf = (product: string, known: readonly FitKnown[]) =>
    suitingText(product, known, 'mm').map(({ text }) => text);

  it('is a height that need not change for people who are alike, and a range for others', async () => {
    const alike = await knownOf('product=counter&who=1700&who=1720');
    expect(textsOf('counter', alike)[0]).toMatch(
      /^Top height: each from [\d,]+ mm to [\d,]+ mm suits all\.$/,
    );
    const apart = await knownOf('product=counter&who=1540&who=1930');
    expect(textsOf('counter', apart)[0]).toMatch(
      /^Top height: must go from [\d,]+ mm or less to [\d,]+ mm or more\.$/,
    );
  });

  it('names who needs which end of a size that cannot suit all', async () => {
    const known = await knownOf('product=shelf&who=1540~~~~Ann&who=1930~~~~Ben');
    const ends = (id: string) => known.map(({ sizes }) => sizes.find((one) => one.id === id));
    expect(ends('top').every((one) => one?.mostMm !== undefined)).toBe(true);
    const texts = textsOf('shelf', known);
    expect(texts.join(' ')).toContain('at most');
    const forced = known.map((one, index) => ({
      ...one,
      sizes: [{ id: 'top', label: 'Top shelf', leastMm: 900 + 100 * index, mostMm: 950 }],
    }));
    expect(suitingText('shelf', forced, 'mm')[0]).toEqual({
      text: expect.stringMatching(
        /no size suits all\. .* needs at most 950 mm, Ben at least 1,000 mm\.$/,
      ),
      suits: false,
    });
  });

  it('is of the person described: gender, age and mass', async () => {
    const known = await knownOf('product=chair&who=1700~Female~70~60&who=1700~Female~70~110');
    const widths = known.map(
      ({ sizes }) => sizes.find(({ label }) => /width/i.test(label))?.leastMm,
    );
    expect(widths[1]).toBeGreaterThan((widths[0] ?? Infinity) + 50);
    expect(known[0]?.drawn.who).toMatch(/^a woman of 70/);
    expect(known[0]?.drawn.pictures.length).toBeGreaterThan(0);
  });
});
