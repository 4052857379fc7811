import { describe, expect, it } from 'vitest';
import {
  type FitView,
  fitQuery,
  readFitView,
  viewOfProduct,
} from '../../src/screens/fit/address.js';
import { OWN_ID, PRODUCTS, productById } from '../../src/screens/fit/products.js';
import { useService } from '../support/use-service.js';

const service = useService();

async function load(query: string) {
  const answer = await service.get(`/explore/fit/data?${query}`);
  return { status: answer.statusCode, body: answer.json() };
}

const DESK = 'product=desk&p=Female~DE,JP~18-65&p=Male~DE,JP~18-65';

describe('the data of the Fit screen', () => {
  it('subtract clearances from sizes, and dress people as the product does', async () => {
    const { body } = await load('product=bed&p=Male~NL~18-65&length=1900&width=900&clear=50,100');
    expect(body.populations[0].share.call.body.limits).toEqual([
      { measurement: 'Stature', max: 1850 },
      { measurement: 'WholeBodyBreadthMax', max: 800 },
    ]);
    expect(body.overall.call.body.clothing).toBe('nude');
    const chosen = await load('product=seat-row&p=Male~NL~18-65~nude');
    expect(chosen.body.populations[0].share.call.body.clothing).toBeUndefined();
    const row = await load(
      'product=seat-row&p=Male~NL~18-65&p=Female~NL~18-65~winter&pitch=900&width=500&shoulders=600&headroom=1100&height=400',
    );
    const [asUsual, winter] = row.body.populations;
    expect(asUsual.share.call.body.clothing).toBe('light_shoes');
    expect(winter.share.call.body.clothing).toBe('winter');
    expect(row.body.overall).toBeUndefined();
    expect(row.body.notes[0]).toContain('same clothing');
  });

  it('have coarse curves and few coarse people', async () => {
    const { body } = await load(DESK);
    for (const { curves, dots } of body.populations) {
      expect(curves).toHaveLength(3);
      for (const { valuesMm } of curves) {
        expect(valuesMm).toHaveLength(7);
        expect(valuesMm).toEqual(valuesMm.map((mm: number) => Number(mm.toPrecision(4))));
      }
      expect(dots).toHaveLength(120);
      for (const mm of dots.flat()) expect(mm).toBe(Number(mm.toPrecision(4)));
    }
  });

  it('show the refusal of one population beside the others', async () => {
    const { status, body } = await load(
      'product=bed&length=2000&width=2200&p=Male~NL~18-65&p=Male~Atlantis~18-65',
    );
    expect(status).toBe(200);
    expect(body.populations[0].share.answer.share).toBeGreaterThan(0);
    expect(body.populations[1].refusal.detail).toContain('Atlantis');
  });
});

describe('what Fit proposes', () => {
  it('is shown where the address has no sizes, and fits the wanted share', async () => {
    const bed = 'product=bed&p=Male~NL~18-65&target=80';
    const { body } = await load(bed);
    const { sizesMm, share } = body.proposal;
    expect(share).toBeGreaterThanOrEqual(0.8);
    expect(body.overall.share).toBe(share);
    const asked = await load(`${bed}&length=${sizesMm.length}&width=${sizesMm.width}`);
    expect(asked.body.overall.share).toBe(share);
    const own = await load('limit=Stature~auto~auto&limit=HandLength~~auto&p=Male~NL~18-65');
    const [stature, hand] = own.body.proposal.limits;
    expect([Number.isInteger(stature.min), hand.min]).toEqual([true, undefined]);
    expect(own.body.overall.share).toBeGreaterThanOrEqual(0.9);
  });

  it('says where no sizes fit the wanted share', async () => {
    const grade = 'product=school-desk&p=Both~DE~6-6';
    const { share } = (await load(grade)).body.proposal;
    expect(share).toBeLessThan(0.9);
    const { body: html } = await service.get(`/explore/fit?${grade}`);
    expect(html).toContain('For 90 % one size is not enough; the best fits');
  });

  it('says what a known person needs', async () => {
    const { body } = await load('product=bed&p=Male~NL~18-65&me=1720');
    expect(body.known[0].drawn.who).toContain('Netherlands');
    expect(body.known[0].sizes[0]).toMatchObject({
      id: 'length',
      leastMm: expect.closeTo(1870, 0),
    });
    const [{ workplace }] = body.known;
    expect(workplace).toHaveLength(5);
    for (const { valueMm } of workplace) expect(valueMm).toBeGreaterThan(0);
  });
});

describe('products', () => {
  it('keep their view in the address', () => {
    for (const product of [...PRODUCTS.map(({ id }) => id), OWN_ID]) {
      const view = viewOfProduct(product, {
        ...{ unit: 'ft-in', targetPercent: 95, drawnGender: 'Male' },
      });
      const changed: FitView = {
        ...view,
        sizesMm: Object.fromEntries(
          (productById(product)?.sizes ?? []).map(({ id, min }) => [id, min + 1]),
        ),
        clearancesMm: view.clearancesMm.map((mm) => mm + 1),
        limits: [{ measurement: 'HandLength', min: 150, max: undefined }],
      };
      const again = readFitView(fitQuery(changed));
      const { limits, ...rest } = changed;
      expect(again).toMatchObject(rest);
      if (product === OWN_ID) expect(again.limits).toEqual(limits);
    }
  });
});
