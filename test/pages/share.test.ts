import { describe, expect, it } from 'vitest';
import { PicturePool } from '../../src/pages/share/share-routes.js';
import { BODY_ADDRESS } from '../../src/screens/body/address.js';
import { sharedSheet } from '../../src/screens/body/sheet.js';
import { FREE_STEPS_PER_MINUTE } from '../../src/screens/shared/free-computations.js';
import { shareSvg } from '../../src/site/share-card.js';
import { pngSize } from '../support/screen-page.js';
import { whileClockStands } from '../support/standing-clock.js';
import { useService } from '../support/use-service.js';

const ORIGIN = 'https://vitruvia.example';

const service = useService({ publicUrl: ORIGIN });

/** Sends a request as a browser. */
const get = (url: string, headers = {}, from?: string) =>
  service.get(url, {
    ...(from && { from }),
    headers: { host: 'localhost', accept: 'text/html', ...headers },
  });

/** The tags of a page for other sites. */
async function tagsOf(url: string): Promise<ReadonlyMap<string, string>> {
  const { statusCode, body } = await get(url);
  expect(statusCode, url).toBe(200);
  const tags = [
    ...body.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g),
  ];
  return new Map(
    tags.map(([, name = '', content = '']) => [name, content.replaceAll('&amp;', '&')]),
  );
}

const PAGES = [
  ['/', /^Body measurements for people/],
  ['/explore?p=Female~DE~18-65&posture=sitting', /^Women, DE, 18–65: sitting, from the front$/],
  [
    '/explore/dimension?view=countries&measurement=HandLength',
    /^Hand length, percentile 50: women aged 30/,
  ],
] as const;

describe('a page that someone shares', () => {
  it.each(PAGES)('has tags and an image of its view: %s', async (url, title) => {
    const tags = await tagsOf(url);
    expect(tags.get('og:title')).toMatch(title);
    expect(tags.get('og:description')).toMatch(/^[A-Z].{40,}\.$/);
    expect(tags.get('twitter:card')).toBe('summary_large_image');
    expect(tags.get('og:url')?.startsWith(ORIGIN + url.split('?', 1)[0])).toBe(true);
    const image = tags.get('og:image') ?? '';
    expect(image.startsWith(`${ORIGIN}/`)).toBe(true);
    expect(image).toContain('share.png?');
    expect(image).toContain(`v=${service.model.artifactVersion}`);
    expect([tags.get('og:image:width'), tags.get('og:image:height')]).toEqual(['1200', '630']);

    const { statusCode, headers, rawPayload } = await get(image.slice(ORIGIN.length));
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('image/png');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['cache-control']).toBe('public, max-age=86400');
    expect(pngSize(rawPayload)).toEqual([1200, 630]);
    expect(rawPayload.length).toBeGreaterThan(15_000);
    expect(rawPayload.length).toBeLessThan(400_000);
  });

  it('has other images for other views, and one for equal views', async () => {
    const images: Awaited<ReturnType<typeof get>>[] = [];
    for (const url of [
      '/share.png',
      '/explore/share.png?p=Female~DE~18-65',
      '/explore/share.png?p=Female~DE~18-65&posture=sitting',
      '/explore/fit/share.png?product=bed&width=2200',
      '/explore/share.png?form=sheet&m=Stature',
      '/explore/dimension/share.png?country=NL',
      '/explore/dimension/share.png?country=NL&view=ages',
      '/explore/dimension/share.png?view=countries',
    ]) {
      images.push(await get(url));
    }
    expect(images.map(({ statusCode }) => statusCode)).toEqual(images.map(() => 200));
    const contents = new Set(images.map(({ rawPayload }) => rawPayload.toString('base64')));
    expect(contents.size).toBe(images.length);
    const tags = new Set(images.map(({ headers }) => headers.etag));
    expect(tags.size).toBe(images.length);
    // The order of an address and its version do not matter: the image is not made again.
    const [, , sitting] = images;
    const again = await get('/explore/share.png?v=x&posture=sitting&p=Female~DE~18-65');
    expect(again.headers.etag).toBe(sitting?.headers.etag);
    expect(again.rawPayload.equals(sitting?.rawPayload ?? Buffer.alloc(0))).toBe(true);
  });

  it('is a card with source and address as SVG, too', async () => {
    const query = 'product=bed&p=Male~NL~18-65&width=2200';
    const { headers, body } = await get(`/explore/fit/share.svg?${query}`);
    expect(headers['content-type']).toBe('image/svg+xml');
    // A card in a tab has its own styles, and runs no script.
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox/,
    );
    expect(body).toContain(`Source: Vitruvia, data ${service.model.artifactVersion}`);
    expect(body.replaceAll('&amp;', '&')).toContain(`<a href="${ORIGIN}/explore/fit?${query}"`);
  });

  it('is for the visitor alone where it shows an own person', async () => {
    const { headers } = await get('/explore/fit/share.png?product=bed&who=1930~~~~Ann');
    expect(headers['cache-control']).toBe('private, max-age=86400');
    const card = await get('/explore/fit/share.svg?product=bed&who=1930~~~~Ann');
    expect(card.body).toContain(`<a href="${ORIGIN}/explore/fit"`);
    expect(card.body).not.toContain('Ann');
  });

  it('answers a client that has the image with 304', async () => {
    const url = '/explore/dimension/share.png?country=NL';
    const { headers } = await get(url);
    const known = await get(url, { 'if-none-match': headers.etag });
    expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0]);
    expect(known.headers.etag).toBe(headers.etag);
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('limits new images by address, and not images that are kept', () =>
    whileClockStands(async () => {
      const address = '10.3.0.1';
      const kept = '/explore/dimension/share.png?country=NL&age=40';
      expect((await get(kept, {}, address)).statusCode).toBe(200);
      const statuses: number[] = [];
      for (let age = 1; age < FREE_STEPS_PER_MINUTE; age++) {
        const url = `/explore/dimension/share.png?country=Atlantis&age=${age}`;
        statuses.push((await get(url, {}, address)).statusCode);
      }
      expect(new Set(statuses)).toEqual(new Set([400]));
      const refused = await get('/explore/dimension/share.png?country=NL&age=60', {}, address);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['cache-control']).toBe('no-store');
      expect(refused.headers.etag).toBeUndefined();
      expect((await get(kept, {}, address)).statusCode).toBe(200);
      expect((await get('/explore/dimension/share.png?country=NL&age=60')).statusCode).toBe(200);
    }));

  it('shows no text of an address that the API refuses', async () => {
    for (const url of [
      '/explore/share.png?p=Female~BUY+NOW~18-65',
      '/explore/fit/share.png?p=Female~BUY+NOW~18-65',
      '/explore/share.png?form=sheet&p=Female~BUY+NOW~18-65',
      '/explore/dimension/share.png?measurement=BUY',
    ]) {
      const { statusCode, headers } = await get(url);
      expect(statusCode, url).toBe(400);
      expect(headers['content-type']).toContain('application/problem+json');
    }
    const { body } = await get('/explore?form=sheet&p=Female~XX~18-65');
    expect(body).not.toContain('og:image');
    expect(body).toContain('<meta name="twitter:card" content="summary"');
  });
});

describe('the thread that makes images', () => {
  it('refuses images beyond those that may wait, and does not hold up other requests', async () => {
    const pool = new PicturePool();
    const svg = shareSvg(
      {
        title: 'Test',
        artifactVersion: 'tiny',
        people: [],
        facts: [],
      },
      'vitruvia.example',
      undefined,
    );
    let [turns, drawn] = [0, 0];
    const draw = async () => {
      drawn++;
      return svg;
    };
    const counting = setInterval(() => turns++, 1);
    const outcomes = await Promise.allSettled(Array.from({ length: 1000 }, () => pool.png(draw)));
    clearInterval(counting);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1000 - 16);
    const documents = await Promise.allSettled(Array.from({ length: 20 }, () => pool.svg(draw)));
    expect(documents.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    drawn -= 16;
    // No image is drawn for a refused request.
    expect(drawn).toBe(16);
    expect(refused[0]).toMatchObject({ reason: { reason: 'full' } });
    // If this thread made the 16 images, its timer would fire only once or twice for each.
    expect(turns).toBeGreaterThan(16 * 4);
    await pool.close();
  });

  it('refuses what is no picture, and goes on', async () => {
    const pool = new PicturePool();
    await expect(pool.png(async () => '<svg')).rejects.toThrow();
    const good = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"/>';
    expect(pngSize(await pool.png(async () => good))).toEqual([9, 7]);
    await pool.close();
  });
});

describe('the image of a sheet', () => {
  it('writes the numbers as the page does, also in feet and inches', () => {
    const rows = [
      { measurement: 'Stature', valuesMm: [1605.28, 1750.06, 1828.04], meanMm: 1750, sdMm: 61 },
    ];
    const data = {
      populations: [{ label: 'Women', rows }],
      ...({ posture: 'standing', side: 'front', hasBodies: false, surveys: [] } as const),
      artifactVersion: 'tiny',
    } as const;
    const textsOf = (unit: string) => {
      const view = BODY_ADDRESS.read(`form=sheet&m=Stature&unit=${unit}`);
      const svg = shareSvg(sharedSheet(view, data), 'vitruvia.example', undefined);
      return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
    };
    const feet = textsOf('ft-in');
    expect(feet).toContain('P5, P50 and P95 in feet and inches');
    expect(feet).toEqual(
      expect.arrayContaining(['5 ft 3.2 in, 5 ft 8.9 in, 6 ft 0.0', 'in Stature']),
    );
    expect(textsOf('in')).toContain('63.2, 68.9, 72.0 Stature');
    expect(textsOf('mm')).toContain('1,605, 1,750, 1,828 Stature');
  });
});
