import { KG_PER_UNIT, type MassUnit, MM_PER_UNIT, type Unit } from './units.js';

/**
 * Converts the numbers in a typed text to the form of code: a point before the decimals and no other separators. A
 * comma before exactly three digits separates thousands (`1,900` is 1900). Every other single comma is a decimal comma
 * (`8,5` is 8.5). A minus sign becomes a hyphen.
 */
export function withPoint(text: string): string {
  const closed = text.replaceAll('−', '-').replace(/(?<=\d)[\u00a0\u202f ](?=\d{3}(?!\d))/g, '');
  return closed.replace(/\d[\d.,]*/g, (number) => {
    const lastComma = number.lastIndexOf(',');
    const lastPoint = number.lastIndexOf('.');
    if (lastComma < 0) return number;
    if (lastPoint > lastComma) return number.replaceAll(',', '');
    if (lastPoint >= 0) return number.replaceAll('.', '').replace(',', '.');
    const isGrouped = /^[1-9]\d{0,2}(,\d{3})+$/.test(number);
    return isGrouped ? number.replaceAll(',', '') : number.replace(',', '.');
  });
}

const MM_PER_INCH = MM_PER_UNIT.in;
const INCHES_PER_FOOT = 12;

/**
 * Reads a length that a person typed. A number without a unit is in `unit`; for `ft-in` it is in inches. Understands
 * `1750`, `1,750 mm`, `175 cm`, `17,5 cm`, `68.9 in`, `5 ft 8.9 in`, `5'8.9"` and `5-8.9`.
 *
 * @returns millimetres, or undefined if the text is no length
 */
export function parseLength(text: string, unit: Unit | 'ft-in'): number | undefined {
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

/**
 * Reads a body mass that a person typed, such as `66`, `66.5 kg` or `145 lb`. A number without a unit is in
 * `unit`.
 *
 * @returns kilograms, or undefined if the text is no mass
 */
export function parseMass(text: string, unit: MassUnit): number | undefined {
  const plain = withPoint(text.trim().toLowerCase());
  const [, digits, name] = /^(\d*\.?\d+)\s*(kg|lbs?|pounds?)?$/.exec(plain) ?? [];
  if (digits === undefined) return undefined;
  const named = name === undefined ? unit : name === 'kg' ? 'kg' : 'lb';
  return Number(digits) * KG_PER_UNIT[named];
}
