import { describe, expect, it } from 'vitest';
import { fitQuery, readFitView } from '../../../src/screens/fit/address.js';
import type { FitData } from '../../../src/screens/fit/data-types.js';
import { peopleText, readPeople } from '../../../src/screens/fit/known-people.js';
import { drawnView } from '../../../src/screens/fit/proposal.js';
import { knownNames } from '../../../src/screens/fit/texts.js';
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
  const dataOf = async (query: string): Promise<FitData> => {
    const { body } = await service.http.inject(`/explore/fit/data?${query}&p=Both~DE~18-65`);
    return JSON.parse(body);
  };
  it('has a name for each person', () => {
    const same = { statureMm: 1700, gender: 'Male' } as const;
    const known = [same, same, { ...same, name: 'Both' }];
    expect(knownNames(known, 'mm')).toEqual(['1,700 mm', '1,700 mm (2)', 'Both (2)']);
  });

  it('is what product_fit answers, with the compromise for people who are not alike', async () => {
    const asked = 'product=counter&who=1540~~~~Ann&who=1930~~~~Ben';
    const data = await dataOf(asked);
    const { known, conflicts } = data;
    const [ann, ben] = known.map((one) => one?.sizes.find(({ id }) => id === 'low'));
    const [, tall] = known.map((one) => one?.sizes.find(({ id }) => id === 'high'));
    // The picture has their sizes, not those of the population.
    const { low, high } = drawnView(readFitView(asked), data).sizesMm;
    expect([low, high]).toEqual([Math.floor(ann?.mostMm ?? 0), Math.ceil(tall?.leastMm ?? 0)]);
    const [most = 0, least = 0, at = 0, ...lacks] = (
      conflicts[0]?.match(/[\d,]+(?= mm)/g) ?? []
    ).map((number) => Number(number.replace(',', '')));
    expect(lacks).toEqual([least - at, at - most]);
    expect(ann?.mostMm).toBeLessThan(ben?.mostMm ?? 0);
    expect(conflicts).toEqual([
      expect.stringMatching(/ or less for Ann, .* is \d+ mm too small for Ben/),
    ]);
    const page = await service.get('/explore/fit?product=counter&who=1540~~~~Ann&who=1930~~~~Ben');
    const [, numbers = ''] = page.body.split('class="first-numbers"');
    // The page answers for the two before it answers for all.
    expect(numbers.indexOf('less for Ann')).toBeGreaterThan(0);
    expect(numbers.indexOf('less for Ann')).toBeLessThan(numbers.indexOf('What they need'));
    expect(numbers.indexOf('What they need')).toBeLessThan(numbers.indexOf('first-answer'));
    const alike = await dataOf('product=shelf&who=1700&who=1701');
    expect(alike.conflicts).toEqual([]);
  });

  it('leaves out a person whom nobody of the people is like, and answers for the others', async () => {
    const { known } = await dataOf('product=bed&who=600~Male~40~~Tiny&who=1700~Male~40~~Tom');
    expect(known.map((one) => one?.name)).toEqual([undefined, 'Tom']);
    expect(known[1]?.sizes[0]?.leastMm).toBeCloseTo(1850, -1);
  });

  it('is of the person described: gender, age and mass', async () => {
    const { known } = await dataOf('product=chair&who=1700~Female~70~60&who=1700~Female~70~110');
    const widths = known.map(
      (one) => one?.sizes.find(({ label }) => /width/i.test(label))?.leastMm,
    );
    expect(widths[1]).toBeGreaterThan((widths[0] ?? Infinity) + 50);
    expect(known[0]?.drawn.who).toMatch(/^a woman of 70/);
    expect(known[0]?.drawn.pictures.length).toBeGreaterThan(0);
  });
});
