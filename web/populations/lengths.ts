import type { ShownUnit } from '../../src/core/lengths.js';
import { MM_PER_UNIT } from '../../src/core/units.js';
import { withPoint } from '../explore/number-text.js';

export * from '../../src/core/lengths.js';

const MM_PER_INCH = MM_PER_UNIT.in;
const INCHES_PER_FOOT = 12;

/**
 * Reads a length that a person typed. A number without a unit is in `unit`; without a unit,
 * feet-and-inches fields take inches. Understands `1750`, `1,750 mm`, `175 cm`, `17,5 cm`, `68.9 in`,
 * `5 ft 8.9 in`, `5'8.9"` and `5-8.9`.
 *
 * @returns millimetres, or undefined if the text is no length
 */
export function parseLength(text: string, unit: ShownUnit): number | undefined {
  const plain = withPoint(text.trim().toLowerCase().replace(/[′’]/g, "'"));
  const feet = /^(\d+)\s*(?:ft|feet|foot|'|-)\s*(?:(\d*\.?\d+)\s*(?:in|inches|"|″|”|'')?)?$/.exec(
    plain,
  );
  if (feet !== null) {
    return (Number(feet[1]) * INCHES_PER_FOOT + Number(feet[2] ?? 0)) * MM_PER_INCH;
  }
  const [, digits, name] = /^(-?\d*\.?\d+)\s*(mm|cm|m|in|inches|"|″)?$/.exec(plain) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * (MM_PER_NAME[name ?? ''] ?? MM_PER_UNIT[unit === 'ft-in' ? 'in' : unit]);
}

const MM_PER_NAME: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  m: 1000,
  in: MM_PER_INCH,
  inches: MM_PER_INCH,
  '"': MM_PER_INCH,
  '″': MM_PER_INCH,
};
