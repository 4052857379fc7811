import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLength } from '../../../src/core/typed-values.js';
import { limitsOfTemplate, TEMPLATES, viewOfProduct } from '../../../src/screens/fit/address.js';
import { OWN_ID } from '../../../src/screens/fit/products.js';
import {
  asProposed,
  dimensionsOf,
  isProposed,
  proposedLimits,
  sizeFaults,
  widenedLimits,
  withDesign,
} from '../../../src/screens/fit/proposal.js';
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

it('proposed own limits keep their sides', () => {
  for (const template of TEMPLATES) {
    const view = { ...viewOfProduct(OWN_ID), limits: limitsOfTemplate(template) };
    const ranges = dimensionsOf(view).map(({ measurement, side }) => ({
      measurement,
      ...(side === 'max' ? {} : { min: 750 }),
      ...(side === 'min' ? {} : { max: 850 }),
    }));
    const limits = proposedLimits(view, ranges, 'mm');
    const full = withDesign(view, { sizesMm: {}, limits });
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
    const [first] = limits;
    const [wider] = widenedLimits(view, limits, 'mm');
    expect(wider?.min ?? 0).toBeLessThanOrEqual((first?.min ?? 1) - 1);
    expect(wider?.max ?? 1000).toBeGreaterThanOrEqual((first?.max ?? 0) + 1);
  }
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
