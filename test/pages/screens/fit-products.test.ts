import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { endRules } from '../../../src/products/index.js';
import {
  FIT_ADDRESS,
  fitQuery,
  readFitView,
  viewChosenFrom,
} from '../../../src/screens/fit/address.js';
import type { FitData } from '../../../src/screens/fit/data-types.js';
import {
  boxAround,
  dimensionEnd,
  FitGround,
  fitDrawing,
  labelledLines,
  SMALL_TEXT,
} from '../../../src/screens/fit/drawing.js';
import { picturesOf } from '../../../src/screens/fit/pictures.js';
import { decidesSize, OWN_ID, PRODUCTS, sizesOf } from '../../../src/screens/fit/products.js';
import type { Box, Held } from '../../../src/screens/fit/scenes/drawing-parts.js';
import { DEFAULT_POPULATIONS } from '../../../src/screens/shared/populations.js';
import { PictureAddresses } from '../../../src/site/pictures/addresses.js';
import { realArtifacts } from '../../support/servers.js';
import { useService } from '../../support/use-service.js';

const START = readFitView('');
/** What skin and rounded boxes may overlap, mm. */
const TOUCH_MM = 15;

/** Boxes in a body, from its place. */
function bodyBoxes(body: Held | string, of: Readonly<Record<string, number>>): readonly Box[] {
  const mm = (name: string) => of[name] ?? Number.NaN;
  if (body === 'standingFront' || body === 'standingOverhead') {
    return [[-0.5 * mm('SittingHipBreadth'), 0.5 * mm('SittingHipBreadth'), 0, mm('Stature')]];
  }
  if (body === 'standingSide')
    return [[-0.4 * mm('AbdominalDepth'), 0.4 * mm('AbdominalDepth'), 0, mm('Stature')]];
  if (body === 'handPalm')
    return [[-0.5 * mm('HandBreadth'), 0.5 * mm('HandBreadth'), 0, mm('HandLength')]];
  if (typeof body === 'string')
    return [[-0.5 * mm('HeadBreadth'), 0.5 * mm('HeadBreadth'), -mm('HeadLength'), 0]];
  if (body.leanDegrees !== undefined) return [];
  if (body.pose === 'standing') return [[0, mm('AbdominalDepth'), 0, mm('ShoulderHeight')]];
  if (body.isFromFront) {
    const half = mm('SittingHipBreadth') / 2;
    return [[-half, half, 0, mm('SittingHeight')]];
  }
  const [knee, seat] = [mm('ButtockKneeLength'), body.seatMm ?? 0];
  return [
    [0, mm('AbdominalDepth'), 0, mm('SittingShoulderHeight')],
    [0, knee, 0, mm('ThighThickness')],
    [mm('ButtockPoplitealLength') + 10, knee, -Math.min(seat, mm('PoplitealHeight')), 0],
    [0, mm('HeadLength'), mm('SittingEyeHeight'), mm('SittingHeight')],
  ];
}

/** By how much two boxes overlap in the direction in which they overlap least, mm. */
function overlapMm([l, r, b, t]: Box, [l2, r2, b2, t2]: Box): number {
  return Math.min(Math.min(r, r2) - Math.max(l, l2), Math.min(t, t2) - Math.max(b, b2));
}

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

/** A drawing of a product at its usual sizes with average people, in a place that is so high for its width. */
function usualDrawing(id: string, tall: number) {
  const picture = { href: '', frame: [-300, 300, -900, 900] };
  const one = { who: '', sizes: sizesOf({}), pictures: [picture, picture, picture] };
  const data = { product: id, persons: { smallest: one, largest: one }, known: [] };
  return fitDrawing(viewChosenFrom(START, id), data as unknown as FitData, 'both', tall);
}

it('parts are in rows without overlaps, and each foot has a sole on what is below it', () => {
  for (const [tall, rows] of [
    [0.4, 1],
    [3, 2],
  ] as const) {
    const parts = usualDrawing('chair', tall)?.parts ?? [];
    const floors = new Set(parts.map(({ shapes }) => shapes[0]?.points[0]?.[1]));
    expect(floors.size).toBe(rows);
    const boxes = parts.map(({ shapes }) => boxAround(shapes.flatMap(({ points }) => points)));
    for (const [index, box] of boxes.entries())
      for (const other of boxes.slice(index + 1)) expect(overlapMm(box, other)).toBeLessThan(0);
  }
  const drawing = usualDrawing('bicycle', 0.6);
  const pedals = drawing?.parts.flatMap(({ shapes }) =>
    shapes.map(({ points }) => boxAround(points)),
  );
  const html = drawing === undefined ? '' : renderToString(h(FitGround, { drawing }));
  const soles = [...html.matchAll(/rotate\(14 (\S+) (\S+)\)"><svg class="soles"/g)];
  expect(soles).toHaveLength(4);
  for (const [, x, y] of soles) {
    const isOn = ([left, right, , top]: Box) =>
      left < Number(x) && Number(x) < right && top === -Number(y);
    expect(pedals?.some(isOn)).toBe(true);
  }
});

describe('with the real model', () => {
  const service = useService(async () => ({ artifacts: await realArtifacts() }));

  it('no product is drawn through a person, and no label on a head, at P5, P50 and P95', async () => {
    const addresses = new PictureAddresses(
      () => '1',
      () => ['secret'],
    );
    const customer = await service.customer(100);
    const values: Record<string, number>[] = [];
    for (const [gender, percentile] of [
      ['Female', 5],
      ['Male', 50],
      ['Male', 95],
    ] as const) {
      const known = [{ measurement: 'Stature', percentile }];
      const asked = { gender, age: 40, country: 'DE', clothing: 'light_shoes', known };
      const { body } = await service.post('/v1/person', asked, customer.headers);
      const measured: readonly { measurement: string; expected: number }[] = body.measurements;
      values.push(Object.fromEntries(measured.map((one) => [one.measurement, one.expected])));
    }
    const [small = {}, , large = {}] = values;
    const faults: string[] = [];
    for (const product of PRODUCTS) {
      const sizesMm = Object.fromEntries(
        product.sizes.map(({ id, usual }) => {
          const one = decidesSize(product, id) === 'smallest' ? small : large;
          const needs = endRules(product.rules)
            .filter(({ size, kind }) => size === id && (kind === 'reach') === (one === small))
            .map(({ factor, measurement, clearanceMm }) => {
              return (one[measurement] ?? Number.NaN) * factor + clearanceMm;
            });
          return [
            id,
            needs.length === 0 ? usual : one === small ? Math.min(...needs) : Math.max(...needs),
          ];
        }),
      );
      const view = { ...viewChosenFrom(START, product.id), sizesMm };
      const [smallest, median, largest] = values.map((valuesMm) => {
        const sizes = sizesOf(valuesMm);
        const person = { gender: 'Male', ageYears: 40.5, valuesMm } as const;
        return {
          who: '',
          sizes,
          pictures: picturesOf(view, sizes, { person, series: 0 }, addresses),
        };
      });
      const data = {
        product: product.id,
        persons: { smallest, median, largest },
        known: [],
      } as unknown as FitData;
      for (const who of ['both', 'median'] as const) {
        const drawing = fitDrawing(view, data, who);
        expect(drawing?.parts, product.id).not.toEqual([]);
        expect(drawing, product.id).toBeDefined();
        for (const { placed, shapes, person } of drawing?.parts ?? []) {
          const own = [small, values[1] ?? {}, large][
            [smallest, median, largest].indexOf(person as typeof smallest)
          ];
          const body = bodyBoxes(placed.body, own ?? {}).map(
            ([l, r, b, t]): Box => [l + placed.x, r + placed.x, b + placed.y, t + placed.y],
          );
          for (const { points, kind } of shapes) {
            // A shell goes around a head, which no box can say.
            if (kind !== 'solid' || points.length > 5) continue;
            const xs = points.map(([x]) => x);
            const ys = points.map(([, y]) => y);
            const thing = [
              Math.min(...xs),
              Math.max(...xs),
              Math.min(...ys),
              Math.max(...ys),
            ] as const;
            for (const part of body) {
              expect(overlapMm(part, thing), `${product.id} ${who} ${part} ${thing}`).toBeLessThan(
                TOUCH_MM,
              );
            }
          }
        }
        // The pictures of a computer and of a phone, whose texts are smaller.
        for (const width of [620, 350 / SMALL_TEXT]) {
          if (drawing === undefined) continue;
          const px = (drawing.box[1] - drawing.box[0]) / width;
          for (const { line, bound, label } of labelledLines(view, drawing, px)) {
            // A label without a free place stands at the end of its line.
            const [x, y] = dimensionEnd(line, bound.value);
            if (label[0] === x && label[1] === y) faults.push(`${product.id} ${who} ${width}`);
          }
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('a visitor chooses whether women or men of mixed people are drawn', async () => {
    const people = 'product=desk&p=Both~US~18-65';
    const drawn = async (query: string) => {
      const { persons } = (await service.get(`${FIT_ADDRESS.path}/data?${query}`)).json();
      const { smallest, largest } = persons;
      return [smallest, largest].map(({ who }: { who: string }) => who.split(' ')[1]);
    };
    expect(await drawn(people)).toEqual(['woman', 'man']);
    expect(await drawn(`${people}&drawn=Male`)).toEqual(['man', 'man']);
    expect(await drawn('product=school-desk&drawn=Female')).toEqual(['girl', 'girl']);
    // Nobody of these people is a man.
    expect(await drawn('product=desk&p=Female~US~18-65&drawn=Male')).toEqual(['woman', 'woman']);
    const { body: text } = await service.get(`${FIT_ADDRESS.path}?${people}&drawn=Male`);
    const [, plain = ''] = text.split('<noscript>');
    expect(plain).toMatch(/<option value="Male" selected[^>]*>Men</);
    expect(plain).toMatch(/<image [^>]*href="\/pictures\/people\//);
    expect(plain).toContain('Drawn (men only): a man of 41');
  });

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
