import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PicturePlaces } from '../../src/render/picture.js';
import { RELAXED_SHARE } from '../../src/render/relaxed.js';
import type { BodyData } from '../../src/screens/body/data-types.js';
import type { FitData } from '../../src/screens/fit/data-types.js';
import type { PersonData } from '../../src/screens/person/data-types.js';
import type { PagePicture } from '../../src/site/pictures/addresses.js';
import { notesOf } from '../../src/site/pictures/notes.js';
import { realArtifacts } from '../support/servers.js';
import { useService } from '../support/use-service.js';

const NO_PICTURE: PagePicture = {
  view: 'standingFront',
  frame: [0, 0, 0, 0],
  href: '',
  places: '',
};

describe('the people of the pictures', () => {
  const service = useService(async () => ({ artifacts: await realArtifacts() }));

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
    persons.forEach(({ heightsMm, picture }, index) => {
      const [stature = 0] = heightsMm;
      expect(Math.abs(stature - (women?.bandsMm?.[0]?.[index] ?? 0))).toBeLessThan(3);
      const [, , bottom, top] = picture.frame;
      expect(bottom).toBeLessThan(0);
      expect(top).toBeGreaterThan(stature);
    });
    const sheet = await get('/explore?p=Female~DE~18-65&m=Stature');
    for (const { picture } of persons) expect(sheet).toContain(`href="${picture.href}"`);
  });

  it('are files that never change, with their places, their lines and their own cache', async () => {
    const data: BodyData = JSON.parse(await get('/explore/data?p=Female~DE~18-65&m=Stature'));
    const { href, places } = data.populations[0]?.persons?.[1]?.picture ?? NO_PICTURE;
    const reply = await service.http.inject({ url: href });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.rawPayload.length).toBeLessThan(16_000);
    const { format, height, hasAlpha } = await sharp(reply.rawPayload).metadata();
    expect([format, height, hasAlpha]).toEqual(['webp', 1120, true]);
    const png = await service.http.inject({ url: href.replace(/webp$/, 'png') });
    expect((await sharp(png.rawPayload).metadata()).height).toBe(1120);
    const known: PicturePlaces = JSON.parse(await get(places));
    expect(known.regions.map(({ region }) => region)).toContain('hand');
    expect(known.isNearest).toBe(false);
    // Altered and unknown addresses are refused without work.
    for (const url of [
      href.replace('standingFront', 'standingSide'),
      href.replace(/~[^~]*\.webp$/, '~AAAAAAAAAAAAAAAA.webp'),
      href.replace(/webp$/, 'exe'),
      '/pictures/people/x',
    ]) {
      const refused = await service.http.inject({ url });
      expect([url, refused.statusCode]).toEqual([url, 404]);
    }
  });

  it('are kept by the browser alone where they show a user’s own person', async () => {
    const url = '/explore/person/data?gender=Female&age=30&country=DE&known=Stature~1700';
    const data: PersonData = JSON.parse(await get(url));
    expect(data.source).toContain('stature 1700 mm');
    const reply = await service.http.inject({ url: data.picture.href });
    expect(reply.headers['cache-control']).toBe('private, max-age=31536000, immutable');
  });

  it('lie on their back under two years, and are drawn at no furniture', async () => {
    const side = await get('/explore?p=Male~DE~0-1&posture=sitting&side=side&m=Stature');
    expect(side).toContain(': lying with bent hips, from the side');
    expect(side).not.toContain('people-leader');
    const above = await get('/explore?p=Male~DE~0-1&m=Stature');
    expect(above).toContain(': lying, from above');
    expect(above).toContain('people-leader');
    const data: BodyData = JSON.parse(await get('/explore/data?p=Male~DE~0-1&side=side&m=Stature'));
    const { frame, lying, href } = data.populations[0]?.persons?.[1]?.picture ?? NO_PICTURE;
    expect(lying).toBe('fromSide');
    const { width, height } = await sharp(
      (await service.http.inject({ url: href })).rawPayload,
    ).metadata();
    const [left = 0, right = 0, bottom = 0, top = 1] = frame;
    expect(width / height).toBeCloseTo((right - left) / (top - bottom), 1);
    expect(width).toBeGreaterThan(2 * height);
    for (const [product, count] of [
      ['chair', 0],
      ['bed', 1],
      ['helmet', 2],
    ] as const) {
      const fit: FitData = JSON.parse(
        await get(`/explore/fit/data?product=${product}&p=Male~DE~0-1`),
      );
      const { smallest, median, largest } = fit.persons ?? {};
      expect(
        [smallest, median, largest].map((one) => one?.pictures.filter(Boolean).length),
      ).toEqual(Array(3).fill(count));
    }
  });

  it('lose height in the relaxed posture, as the API says, in the picture and not in the table', async () => {
    const of = async (posture: string): Promise<BodyData> =>
      JSON.parse(await get(`/explore/data?p=Male~DE~80&posture=${posture}&m=Stature`));
    const [erect, relaxed] = [await of('standing'), await of('relaxed')].map(
      ({ populations: [men] }) => men,
    );
    expect(relaxed?.rows).toEqual(erect?.rows);
    relaxed?.persons?.forEach(({ picture, heightsMm }, index) => {
      expect(picture.view).toBe('relaxedFront');
      const band = relaxed.bandsMm?.[0]?.[index] ?? 0;
      const stature = erect?.bandsMm?.[0]?.[index] ?? 0;
      expect(Math.abs((heightsMm[0] ?? 0) - band)).toBeLessThan(3);
      expect(Math.abs(band - (1 - RELAXED_SHARE) * stature)).toBeLessThan(3);
    });
    expect(await get('/explore?p=Male~DE~80&posture=relaxed&m=Stature')).toContain(
      ': standing relaxed, from the front',
    );
  });
});

describe('notes of a drawn person', () => {
  const miss = { measurement: 'Stature', askedMm: 1696, drawnMm: 1700 };
  const places: PicturePlaces = {
    ...{ silhouette: '', regions: [], misses: [miss], isNearest: false },
  };

  it('name each drawn dimension of the picture that is off, and no other', () => {
    expect(notesOf('a man', places, ['Stature'])).toEqual([
      'The drawing of a man is off in stature by +4 mm.',
    ]);
    expect(notesOf('a man', places, ['KneeHeight'])).toEqual([]);
  });

  it('say what body is drawn in place of one that there is not', () => {
    const notes = notesOf('a man', { ...places, bodyAgeYears: 100, isNearest: true }, []);
    expect(notes).toEqual([
      'The body of a man has the shape of 100 years, the nearest there is.',
      'No body reaches a man; drawn is the nearest one.',
    ]);
  });
});
