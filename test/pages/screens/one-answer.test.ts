import { describe, expect, it } from 'vitest';
import { formatLength } from '../../../src/site/lengths.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

/** Questions that pages, guides and the API once answered with different numbers. */
describe('one question has one answer', () => {
  const service = useService(async () => ({ artifacts: await realArtifacts() }));
  const shown = async (path: string) => {
    const { statusCode, body } = await service.get(path);
    expect(statusCode, body).toBe(200);
    return JSON.parse(body);
  };
  const asked = async (path: string, body: object) => {
    const { headers } = await service.customer(1000);
    const answer = await service.post(path, body, headers);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const text = async (path: string) =>
    (await service.get(path, { headers: { accept: 'text/html' } })).body;
  const adults = (countries: string[]) => ({
    groups: countries.map((country) => ({ countries: [country], ageMin: 18, ageMax: 65 })),
  });
  const sizesOf = ({ sizes }: { sizes: { id: string; value: number }[] }) =>
    Object.fromEntries(sizes.map(({ id, value }) => [id, value]));

  it('how high is a seat for adults of Brazil and India?', async () => {
    const page = await shown('/explore/fit/data?product=chair&p=Both~BR~18-65&p=Both~IN~18-65');
    const api = await asked('/v1/products/fit', {
      product: 'chair',
      population: adults(['BR', 'IN']),
    });
    expect(page.proposal.sizesMm).toEqual(sizesOf(api));
    expect(page.overall.share).toBe(api.share);
  });

  it('which opening stops fingers? None is offered; the distance and the warning are', async () => {
    const api = await asked('/v1/products/fit', { product: 'safety-opening' });
    const page = await shown('/explore/fit/data?product=safety-opening');
    for (const ids of [Object.keys(sizesOf(api)), Object.keys(page.proposal.sizesMm)]) {
      expect(ids).toEqual(['hand', 'head', 'fingerFar', 'handFar', 'armFar']);
    }
    expect(api.targetPercent).toBe(99);
    const [warning = ''] = api.warnings;
    expect(warning).toContain('EN ISO 13857');
    const html = await text('/explore/fit?product=safety-opening');
    expect(html.indexOf('EN ISO 13857')).toBeLessThan(html.indexOf('<table'));
    expect(html).toContain('EN ISO 13857');
  });

  it('who measured women of Viet Nam, and how well are they known?', async () => {
    const question = { gender: 'Female', country: 'VN' };
    for (const measurement of ['Stature', 'PoplitealHeight']) {
      const at = (age: number) => asked('/v1/evidence', { ...question, measurement, age });
      const [young, old] = [await at(60), await at(60.5)];
      expect([young.measuredHere, old.measuredHere]).toEqual([false, false]);
      expect(young.grade).toBe(old.grade);
      const body = await shown(`/explore/data?p=Female~VN~60-60&m=${measurement}`);
      const { evidence } = body.populations[0].rows[0];
      expect(evidence.grade).toBe(young.grade);
      expect(evidence.measuredIn).not.toContain('VN');
      const world = await shown(
        `/explore/dimension/data?view=countries&measurement=${measurement}&gender=Female&age=60`,
      );
      const country = world.picture.countries.find(
        (one: { country: string }) => one.country === 'VN',
      );
      expect([country.grade, country.measuredHere]).toEqual([young.grade, false]);
    }
  });

  it('at which percentile is a girl of 8 in Nigeria with 1,310 mm?', async () => {
    const query = 'measurement=Stature&gender=Female&age=8&country=NG&value=1310';
    const { call, answer } = await shown(`/explore/dimension/data?${query}`);
    // A page takes completed years, and its call the exact age that it computed with.
    expect(call.body.age).toBe(8.5);
    expect(await asked(call.path, call.body)).toMatchObject({ percentile: answer.percentile });
    const html = await text(`/explore/dimension?${query}`);
    expect(html).toContain('8 years (from the 8th birthday to the 9th)');
    const exact = query.replace('age=8', 'age=8.25');
    expect((await shown(`/explore/dimension/data?${exact}`)).call.body.age).toBe(8.25);
    expect(await text(`/explore/dimension?${exact}`)).toContain('girls aged exactly 8.25');
  });

  it('which gloves do 500 people of India and 500 of Germany get?', async () => {
    const page = await shown('/explore/sizes/data?product=glove&p=Both~IN~18-65&p=Both~DE~18-65');
    const api = await asked('/v1/population/sizes', {
      ...{ product: 'glove', population: adults(['IN', 'DE']), sizes: page.chart.sizes.length },
      counts: [500, 500],
    });
    expect(page.call.body.counts).toEqual([500, 500]);
    const orders = (sizes: { orderShare: number }[]) => sizes.map(({ orderShare }) => orderShare);
    expect(orders(page.chart.sizes)).toEqual(orders(api.sizes));
    expect(api.groups.map(({ share }: { share: number }) => share)).toEqual([0.5, 0.5]);
  });

  it('which heights has a desk: in the guide, its picture and the API?', async () => {
    const api = await asked('/v1/products/fit', { product: 'desk', population: adults(['EU27']) });
    const page = await shown('/explore/fit/data?product=desk&p=Both~EU27~18-65');
    expect(page.proposal.sizesMm).toEqual(sizesOf(api));
    const guide = await text('/docs/guides/desk');
    for (const mm of Object.values(sizesOf(api))) expect(guide).toContain(formatLength(mm, 'mm'));
  });

  it('how many men of 70 and over pass 600 mm in winter, and how sure is that?', async () => {
    const page = await shown(
      '/explore/fit/data?product=doorway&p=Male~DE~70-120~winter&height=2000&width=600',
    );
    const { share, low, high } = page.overall;
    expect(low).toBeLessThan(share / 2);
    expect(high).toBeGreaterThan(2 * share);
    const { call } = page.populations[0].share;
    expect(await asked(call.path, call.body)).toMatchObject({ share, low, high });
  });

  it('who are the people that somebody wrote in words, and which number is 700,5?', async () => {
    const worded = await service.get(
      '/explore/fit?product=bed&p=Germany women 20-40&length=1900,5',
    );
    expect(worded.statusCode).toBe(302);
    expect(worded.headers.location).toBe(
      '/explore/fit?product=bed&p=Female~DE~20-40&length=1900,5',
    );
    const page = await shown(`${worded.headers.location}`.replace('?', '/data?'));
    expect(page.populations.map(({ label }: { label: string }) => label)).toEqual([
      'Women, DE, 20–40',
    ]);
    expect(page.design.sizesMm.length).toBe(1900.5);
  });
});
