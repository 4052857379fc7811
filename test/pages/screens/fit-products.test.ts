import { describe, expect, it } from 'vitest';
import {
  FIT_ADDRESS,
  fitQuery,
  readFitView,
  viewChosenFrom,
} from '../../../src/screens/fit/address.js';
import { OWN_ID, PRODUCTS, SCENES } from '../../../src/screens/fit/products.js';
import { DEFAULT_POPULATIONS } from '../../../src/screens/shared/populations.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

const START = readFitView('');

it('every product has a scene, whose lines are of its sizes', () => {
  for (const { id, sizes } of PRODUCTS) {
    const view = viewChosenFrom(START, id);
    const names = sizes.map((size) => size.id);
    const scene = SCENES[id]?.(
      (size) => {
        expect(names, id).toContain(size);
        return sizes.find((one) => one.id === size)?.usual ?? 0;
      },
      { scale: 1, statureMm: 1695, seatMm: 415, backMm: -150, abdomenMm: 98 },
    );
    expect(scene?.lines.length, id).toBeGreaterThan(0);
    for (const { size } of scene?.dimensions ?? []) expect(names, id).toContain(size);
    expect(view.product).toBe(id);
  }
});

it('a product with children or old people proposes them only to those who chose nobody', () => {
  const handrail = viewChosenFrom(START, 'handrail');
  expect(handrail.populations.map(({ ageMin, ageMax }) => [ageMin, ageMax])).toEqual([
    [4, 8],
    [70, 120],
  ]);
  expect(readFitView(fitQuery(handrail)).populations).toEqual(handrail.populations);
  expect(viewChosenFrom(handrail, 'desk').populations).toEqual(DEFAULT_POPULATIONS);
  expect(viewChosenFrom(handrail, OWN_ID).populations).toEqual(DEFAULT_POPULATIONS);
  const chosen = readFitView('product=desk&p=Male~NL~18-65~shoes');
  expect(viewChosenFrom(chosen, 'handrail').populations).toEqual(chosen.populations);
});

it('a share that nobody chose becomes that of the product', () => {
  const opening = viewChosenFrom(START, 'safety-opening');
  expect(opening.targetPercent).toBe(99);
  expect(viewChosenFrom(opening, 'desk').targetPercent).toBe(90);
  expect(viewChosenFrom({ ...START, targetPercent: 80 }, 'crush-gap').targetPercent).toBe(80);
});

it('an address that names only a product has its people and its share', () => {
  const opening = readFitView('product=safety-opening');
  expect(opening.populations.map(({ ageMin }) => ageMin)).toEqual([2, 14]);
  expect(opening.targetPercent).toBe(99);
  const adults = readFitView('product=safety-opening&p=Both~DE~18-65&target=90');
  expect(adults.populations).toHaveLength(1);
  expect(readFitView(fitQuery(adults))).toEqual(adults);
});

describe('with the real model', () => {
  const service = useService(async () => ({ artifacts: await realArtifacts() }));

  it.each(PRODUCTS.filter(({ id }) => ['bed', 'school-desk', 'handrail'].includes(id)))(
    'sizes of a $id are proposed for its usual people',
    async (product) => {
      const { id, sizes, forEach } = product;
      const view = viewChosenFrom(START, id);
      const answer = await service.get(`${FIT_ADDRESS.path}/data?${fitQuery(view)}`);
      const { populations, proposal, conflicts, notes } = answer.json();
      expect(answer.statusCode).toBe(200);
      // A size at an end of its range serves fewer people than wanted.
      for (const { id: size, min, max } of sizes) {
        expect(proposal.sizesMm[size], size).toBeGreaterThan(min);
        expect(proposal.sizesMm[size], size).toBeLessThan(max);
      }
      const wanted = view.targetPercent / 100;
      if (id === 'school-desk') {
        // One seat depth cannot suit all children of a grade.
        expect(proposal.share).toBeLessThan(wanted);
        expect(conflicts).toEqual([expect.stringMatching(/^Seat depth: /)]);
        expect(notes).toEqual([
          expect.stringMatching(/^2 sizes serve 9\d\.\d\s% together: seat depth/),
        ]);
        return;
      }
      expect(notes).toEqual([]);
      expect([proposal.share >= wanted, conflicts]).toEqual([true, []]);
      if (forEach !== true) return;
      for (const { share } of populations) {
        expect(share.answer.share).toBeGreaterThanOrEqual(wanted);
      }
    },
  );
});
