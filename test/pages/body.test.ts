import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BodyData } from '../../src/pages/screens/body/data-types.js';
import { FREE_REQUESTS_PER_MINUTE } from '../../src/pages/screens/shared/free-computations.js';
import { startService, type TestService } from '../support/service.js';
import { whileClockStands } from '../support/standing-clock.js';
import { WITHOUT_MODEL } from '../support/tiny-artifact.js';

describe('the Body screen', () => {
  let service: TestService;
  let from = 0;
  beforeAll(async () => {
    service = await startService({ trustProxy: true });
  });
  afterAll(() => service.close());

  /** A request from an address of its own, so that the tests do not share a rate limit. */
  function get(url: string, headers: Record<string, string> = {}, address = `10.0.1.${++from}`) {
    return service.http.inject({ url, headers: { 'x-forwarded-for': address, ...headers } });
  }

  it("returns the API's percentiles, mean and deviation of every population", async () => {
    const reply = await get(
      '/explore/data?p=Female~DE,JP~18-65&p=Male~NL~20-40~winter&m=Stature,HipBreadth',
    );
    expect(reply.statusCode).toBe(200);
    const data: BodyData = reply.json();
    const { headers, balance } = await service.customer(100);
    let credits = await balance();
    for (const { call, rows } of data.populations) {
      const { body } = await service.post(call?.path ?? '', call?.body, headers);
      expect(
        rows?.map(({ measurement, meanMm, sdMm, valuesMm }) => ({
          measurement,
          mean: meanMm,
          sd: sdMm,
          values: [5, 50, 95].map((percentile, index) => ({ percentile, value: valuesMm[index] })),
        })),
      ).toEqual(body.measurements);
      credits -= call?.credits ?? 0;
      expect(await balance()).toBe(credits);
    }
    expect(data.populations[1]?.call?.body).toMatchObject({ clothing: 'winter' });
  });

  it('has rounded heights for the picture, and evidence for the medians', async () => {
    const data: BodyData = (await get('/explore/data?m=Stature')).json();
    const [women] = data.populations;
    expect(women?.bandsMm?.map((mm) => mm.length)).toEqual(Array(6).fill(3));
    expect(women?.bandsMm?.flat().every(Number.isInteger)).toBe(true);
    // The invented artifact has no mesh.
    expect([data.hasBodies, women?.persons]).toEqual([false, undefined]);
    const [stature] = women?.rows ?? [];
    const { headers } = await service.customer(1);
    const person = { measurement: 'Stature', gender: 'Female', age: 41.5, country: 'US' };
    const { body } = await service.post('/v1/evidence', person, headers);
    expect(stature?.evidence?.grade).toBe(body.grade);
    expect(stature?.evidence?.errorMm).toBeCloseTo((body.high - body.low) / 2, 0);
  });

  it('states no evidence for sets of many countries', async () => {
    const data: BodyData = (await get('/explore/data?p=Both~World~18-65&m=Stature')).json();
    expect(data.populations[0]?.rows?.[0]?.evidence).toBeUndefined();
  });

  it('shows the populations that the API accepts, and says why it refuses the others', async () => {
    const reply = await get('/explore/data?p=Female~DE~18-65&p=Male~Atlantis~18-65&m=Stature');
    const { populations }: BodyData = reply.json();
    expect(populations[0]?.rows).toHaveLength(1);
    expect(populations[1]?.refusal?.code).toBe('validation_error');
    const none = await get('/explore/data?p=Male~Atlantis~18-65');
    expect([none.statusCode, none.json().code]).toEqual([400, 'validation_error']);
    const model = await get(`/explore/data?m=${WITHOUT_MODEL}`);
    expect(model.statusCode).toBeGreaterThanOrEqual(400);
    const mass = await get('/explore/data?m=BodyMass');
    expect(mass.json().detail).toContain('BodyMass is no length');
  });

  it('has a page with a picture, a form and all numbers without JavaScript', async () => {
    const { body, headers } = await get('/explore?p=Female~DE~18-65&posture=sitting&m=KneeHeight');
    expect(body).toMatch(/<svg class="people-picture"[^>]*role="img"/);
    expect(body).toContain('built without the mesh of bodies');
    expect(body).toContain('<noscript>');
    expect(body).toContain('value="Female~DE~18-65"');
    expect(body).toContain('<td>Knee height</td>');
    expect(body).not.toContain('style=');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const refused = await get('/explore?p=Male~Atlantis~18-65');
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('notice danger');
  });

  it('reads an address to its end where a name has a question mark', async () => {
    const { body } = await get('/explore?p=Male~DE~18-65~~Who?&posture=sitting&m=KneeHeight');
    expect(body).toContain('value="Male~DE~18-65~~Who?"');
    expect(body).toContain('<td>Knee height</td>');
  });

  it('is sent compressed to browsers that can read that', async () => {
    const plain = await get('/explore?m=Stature');
    const packed = await get('/explore?m=Stature', { 'accept-encoding': 'gzip, deflate, br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length).toBeLessThan(plain.body.length / 3);
  });

  it('leads old addresses to the page of one dimension', async () => {
    const old = await get('/explore?view=ages&measurement=Stature&country=NL');
    expect([old.statusCode, old.headers.location]).toEqual([
      308,
      '/explore/dimension?view=ages&measurement=Stature&country=NL',
    ]);
    expect((await get('/explore?p=Female~DE~18-65&side=side')).statusCode).toBe(200);
  });

  it('answers a limited number of requests in a minute', () =>
    whileClockStands(async () => {
      const address = '10.9.9.9';
      for (let request = 0; request < FREE_REQUESTS_PER_MINUTE; request++) {
        expect((await get('/explore/data?m=Stature', {}, address)).statusCode).toBe(200);
      }
      const refused = await get('/explore/data?m=Stature', {}, address);
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }));
});
