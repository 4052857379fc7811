import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  limitsOf,
  limitsOfTemplate,
  rulesOf,
  TEMPLATES,
  viewOfProduct,
} from '../../../src/screens/fit/address.js';
import { OWN_ID, PRODUCTS } from '../../../src/screens/fit/products.js';
import {
  asProposed,
  boundsOf,
  dimensionsOf,
  isProposed,
  proposedDesign,
  sizeFaults,
  widenedDesign,
  withDesign,
} from '../../../src/screens/fit/proposal.js';
import { parseLength } from '../../../src/screens/widgets/lengths.js';
import { formatLength, roundedSafely, SHOWN_UNITS } from '../../../src/site/lengths.js';

const mm = (value: number) => `${value} mm`;

describe('a proposed length', () => {
  it('serves who it was proposed for, also when someone types what is shown', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 10, max: 2500, noNaN: true }),
        fc.constantFrom(...SHOWN_UNITS),
        (value, unit) => {
          for (const side of ['down', 'up'] as const) {
            const rounded = roundedSafely(value, side, unit);
            const typed = parseLength(formatLength(rounded, unit), unit) ?? Number.NaN;
            for (const length of [rounded, typed]) {
              if (side === 'down') expect(length).toBeLessThanOrEqual(value + 0.001);
              else expect(length).toBeGreaterThanOrEqual(value - 0.001);
              expect(Math.abs(length - value)).toBeLessThan(3);
            }
          }
        },
      ),
    );
  });
});

/** The ranges that a search would find for a view if people had these dimensions. */
function rangesFor(view: ReturnType<typeof viewOfProduct>, middleMm: number, halfMm: number) {
  return dimensionsOf(view).map(({ measurement, side }) => ({
    measurement,
    ...(side === 'max' ? {} : { min: middleMm - halfMm }),
    ...(side === 'min' ? {} : { max: middleMm + halfMm }),
  }));
}

describe('proposed sizes', () => {
  it.each(PRODUCTS.map(({ id }) => id))('of the product %s fit the people of the ranges', (id) => {
    const view = viewOfProduct(id);
    const [size] = PRODUCTS.find((one) => one.id === id)?.sizes ?? [];
    const middle = ((size?.min ?? 0) + (size?.max ?? 0)) / 2;
    const ranges = rangesFor(view, middle, 12.345);
    for (const unit of SHOWN_UNITS) {
      const design = proposedDesign(view, ranges, unit);
      const full = withDesign(view, design);
      expect(sizeFaults(full, mm)).toEqual(new Map());
      const limits = limitsOf(full);
      for (const bound of boundsOf(full)) {
        // A size at the end of its allowed range may serve fewer people. The page says so.
        const size = PRODUCTS.find((one) => one.id === id)?.sizes.find((s) => s.id === bound.id);
        if (bound.value === size?.min || bound.value === size?.max) continue;
        for (const { measurement, kind } of bound.rules) {
          const range = ranges.find((one) => one.measurement === measurement);
          const limit = limits.find((one) => one.measurement === measurement);
          if (kind === 'room') expect(limit?.max).toBeGreaterThanOrEqual((range?.max ?? 0) - 0.001);
          else expect(limit?.min).toBeLessThanOrEqual((range?.min ?? 0) + 0.001);
        }
      }
      const wider = widenedDesign(view, design, unit);
      for (const rule of rulesOf(view)) {
        const isBoth = rulesOf(view).some((o) => o.size === rule.size && o.kind !== rule.kind);
        const change = (wider.sizesMm[rule.size] ?? 0) - (design.sizesMm[rule.size] ?? 0);
        expect(Math.sign(change)).toBe(isBoth ? 0 : rule.kind === 'room' ? 1 : -1);
      }
    }
  });

  it('of own limits keep their sides', () => {
    for (const template of TEMPLATES) {
      const view = { ...viewOfProduct(OWN_ID), limits: limitsOfTemplate(template) };
      const full = withDesign(view, proposedDesign(view, rangesFor(view, 800, 50), 'mm'));
      for (const [index, [measurement, side]] of template.limits.entries()) {
        const { min, max } = full.limits[index] ?? {};
        expect([measurement, min !== undefined, max !== undefined]).toEqual([
          measurement,
          side !== 'max',
          side !== 'min',
        ]);
      }
      expect(isProposed(full)).toBe(false);
      expect(isProposed({ ...full, ...asProposed(full) })).toBe(true);
    }
  });
});

describe('a size that cannot be', () => {
  it('is named at its field, with the remedy', () => {
    const desk = {
      ...viewOfProduct('desk'),
      sizesMm: { low: 600, high: 600, knees: 650, depth: 5 },
    };
    const faults = sizeFaults(desk, mm);
    expect([...faults.keys()].sort()).toEqual(['depth', 'knees']);
    expect(faults.get('knees')).toContain('at most the highest top height (600 mm) less 25 mm');
    expect(faults.get('depth')).toContain('from 100 mm to 1000 mm');
    const chair = { ...viewOfProduct('chair'), sizesMm: { low: 100, high: 100, depth: 100 } };
    expect(sizeFaults(chair, mm).size).toBe(3);
  });
});
