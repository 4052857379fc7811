import { describe, expect, it } from 'vitest';
import type { DrawnPerson } from '../../src/render/drawing.js';
import { notesOf } from '../../src/pages/pictures/notes.js';
import { readBodyView } from '../../src/pages/screens/body/address.js';
import type { BodyData } from '../../src/pages/screens/body/data-types.js';
import type { FigureData } from '../../src/pages/screens/dimension/figure-data-types.js';
import { FIT_PERCENTILES, FIT_PERSONS } from '../../src/pages/screens/fit/address.js';
import type { FitData, FitPerson } from '../../src/pages/screens/fit/data-types.js';
import { DrawingCache } from '../../src/pages/screens/shared/drawing-cache.js';
import { boxOfPath } from '../support/paths.js';
import { realArtifacts } from '../support/servers.js';
import { useService } from '../support/use-service.js';

describe('the people of the pictures', () => {
  // People are fitted and drawn in the pool.
  const service = useService(async () => ({ artifacts: await realArtifacts(), computing: {} }));

  async function get(url: string): Promise<string> {
    const { statusCode, body } = await service.get(url);
    expect(statusCode).toBe(200);
    return body;
  }

  it('are a small, a median and a large person of a population, each a whole body', async () => {
    const data: BodyData = JSON.parse(await get('/explore/data?p=Female~DE~18-65&m=Stature'));
    const [women] = data.populations;
    const persons = women?.persons ?? [];
    expect(persons.map(({ who }) => who)).toEqual(Array(3).fill('a woman of 41 (Germany)'));
    const heights = persons.map(({ drawing }) => drawing.extent[3]);
    heights.forEach((mm, index) => {
      expect(Math.abs(mm - (women?.bandsMm?.[0]?.[index] ?? 0))).toBeLessThan(3);
      const [, , , top] = boxOfPath(persons[index]?.drawing.outline ?? '');
      expect(Math.abs(top - mm)).toBeLessThan(1);
    });
    // Only the median person's regions can be pressed.
    expect(persons.map(({ drawing }) => drawing.regions !== undefined)).toEqual([
      false,
      true,
      false,
    ]);
    const sheet = await get('/explore?p=Female~DE~18-65&m=Stature');
    expect(sheet).toContain(persons[1]?.drawing.outline);
  });

  it('are infants with the body of a child of one year, and the page says so', async () => {
    const data: BodyData = JSON.parse(await get('/explore/data?p=Male~NL~0-0&m=Stature'));
    const [small] = data.populations[0]?.persons ?? [];
    expect(small?.notes[0]).toBe(
      'The body of a boy of 0 (Netherlands) has the shape of 1 year, the nearest there is.',
    );
  });

  it('stand at a product with the percentile of its first rule', async () => {
    const data: FitData = JSON.parse(await get('/explore/fit/data?product=bed&p=Male~NL~18-65'));
    const curve = data.populations[0]?.curves?.[0];
    expect(curve?.measurement).toBe('Stature');
    const persons = data.persons as readonly FitPerson[];
    expect(persons).toHaveLength(FIT_PERSONS.length);
    for (const [index, { who, statureMm, drawings }] of persons.entries()) {
      expect(who).toBe('a man of 41 (Netherlands)');
      const at = FIT_PERCENTILES.indexOf(FIT_PERSONS[index] as 5);
      expect(Math.abs(statureMm - (curve?.valuesMm[at] ?? 0))).toBeLessThan(3);
      expect(drawings.map(({ view }) => view)).toEqual(['standingFront']);
    }
    const glove: FitData = JSON.parse(await get('/explore/fit/data?product=glove'));
    const [hand] = glove.persons as readonly FitPerson[];
    expect(hand?.drawings.map(({ view }) => view)).toEqual(['handPalm']);
  });

  it('carry the lines of a sheet and of one dimension', async () => {
    const page = await get('/explore/sheet?p=Female~DE~18-65&m=Stature,HandLength');
    expect(page).toContain('Drawn is the median person: a woman of 41 (Germany).');
    expect(page.match(/class="figure sheet-figure"/g)).toHaveLength(2);
    const address =
      '/explore/dimension/figure?measurement=KneeHeight&gender=Male&age=30&country=JP';
    const data: FigureData = JSON.parse(await get(address));
    expect(data.figure?.title).toBe('sitting, elbow at a right angle, from the side');
    expect(data.caption).toContain('a man of 30 (Japan)');
  });

  it('are on the first page', async () => {
    const reply = await service.http.inject({ url: '/', headers: { accept: 'text/html' } });
    // There are two populations, each with a small, a median and a large person, drawn once for the page and once for
    // phones. Two further people stand at a doorway, and three heads show sizes.
    expect(reply.body.match(/class="people-p50"/g)).toHaveLength(6);
    const used = [...reply.body.matchAll(/<use [^>]*href="#([^"]+)"/g)].map(([, id]) => id);
    expect(used).toHaveLength(6 + 2 + 3);
    for (const id of used) expect(reply.body.split(`id="${id}"`)).toHaveLength(2);
    const { populations } = readBodyView('');
    expect(populations).toHaveLength(2);
  });
});

describe('notes of a drawn person', () => {
  const drawn: DrawnPerson = { drawings: [], achievedMm: { Stature: 1700 }, isNearest: false };

  it('name each drawn dimension that is off by more than 3 mm, and no other', () => {
    const notes = (stature: number) => notesOf('a man', drawn, { Stature: stature }, ['Stature']);
    expect(notes(1697)).toEqual([]);
    expect(notes(1696)).toEqual(['The drawing of a man is off in stature by +4 mm.']);
    expect(notesOf('a man', drawn, { Stature: 1600 }, ['KneeHeight'])).toEqual([]);
  });

  it('say what body is drawn in place of one that there is not', () => {
    const notes = notesOf('a man', { ...drawn, bodyAgeYears: 100, isNearest: true }, {}, []);
    expect(notes).toEqual([
      'The body of a man has the shape of 100 years, the nearest there is.',
      'No body reaches a man; drawn is the nearest one.',
    ]);
  });
});

describe('drawings that are kept', () => {
  const person = { gender: 'Male', ageYears: 30, valuesMm: { Stature: 1700 } } as const;
  const drawn: DrawnPerson = { drawings: [], achievedMm: {}, isNearest: false };

  it('are made once, also for requests at the same time, and again for another artifact or view', async () => {
    let made = 0;
    const make = async () => {
      made++;
      await Promise.resolve();
      return drawn;
    };
    const cache = new DrawingCache(100_000);
    const request = { people: [person], views: ['standingFront'] } as const;
    await Promise.all([cache.drawn('1', request, make), cache.drawn('1', request, make)]);
    expect(await cache.drawn('1', request, make)).toEqual([drawn]);
    expect(made).toBe(1);
    await cache.drawn('2', request, make);
    await cache.drawn('1', { ...request, views: ['headSide'] }, make);
    expect(made).toBe(3);
  });

  it('are not kept when they fail', async () => {
    const cache = new DrawingCache(100_000);
    const request = { people: [person], views: ['standingFront'] } as const;
    await expect(
      cache.drawn('1', request, () => Promise.reject(new Error('no'))),
    ).rejects.toThrow();
    expect(await cache.drawn('1', request, async () => drawn)).toEqual([drawn]);
  });
});
