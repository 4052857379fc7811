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
export const INCHES_PER_FOOT = 12;
/** The stone of 14 lb (Weights and Measures Act 1985, schedule 1, of the United Kingdom). */
const POUNDS_PER_STONE = 14;

/**
 * Digits with an optional point. Each digit has one place in it, so a long text that does not match takes a time in
 * proportion to its length, unlike `\\d*\\.?\\d+`.
 */
export const DECIMAL = String.raw`\d+(?:\.\d+)?|\.\d+`;
const NUMBER_TEXT = new RegExp(`^[+-]?(?:${DECIMAL}|\\d+\\.)(?:e[+-]?\\d+)?$`, 'i');

/** Whether a text is a decimal number, such as `-1.5`, `.5`, `5.` or `1e3`. */
export function isDecimal(text: string): boolean {
  return NUMBER_TEXT.test(text);
}

/** A number with an optional fraction: `70`, `70.5`, `70 1/2`, `1/2`. */
const NUMBER = String.raw`\d+ \d+\/[1-9]\d*|\d+\/[1-9]\d*|${DECIMAL}`;
const INCH = `in|inch|inches|"|″|”|''`;
const FEET = new RegExp(
  `^(\\d+)\\s*(ft|feet|foot|'|-)\\s*(?:and\\s*)?(?:(${NUMBER})\\s*(?:${INCH})?)?$`,
);
const LENGTH = new RegExp(`^(-?)(${NUMBER})\\s*(\\p{L}+|"|″|”|'')?$`, 'u');
const STONE = new RegExp(
  `^(\\d+)\\s*(?:st|stones?)\\.?\\s*(?:(${DECIMAL})\\s*(?:lbs?|pounds?)?)?$`,
);
const MASS = new RegExp(`^(${DECIMAL})\\s*(kgs?|kilos?|kilograms?|lbs?|pounds?)?$`);

/**
 * Reads a length that a person typed. A number without a unit is in `unit`; for `ft-in` it is in inches. Understands
 * `1750`, `1,750 mm`, `175 cm`, `17,5 cm`, `1.75 m`, `1m75`, `68.9 in`, `70 1/2 in`, `5 ft 8.9 in`, `5'8.9"` and
 * `5-8.9`.
 *
 * @returns millimetres, or undefined if the text is no length (`5'13"` is none)
 */
export function parseLength(text: string, unit: Unit | 'ft-in'): number | undefined {
  const plain = withPoint(text.trim().toLowerCase().replace(/[′’]/g, "'"));
  const feet = FEET.exec(plain);
  if (feet !== null) {
    const inches = withFraction(feet[3] ?? '0');
    if (inches >= INCHES_PER_FOOT) return undefined;
    return (Number(feet[1]) * INCHES_PER_FOOT + inches) * MM_PER_INCH;
  }
  const [, metres, centimetres] = /^(\d)\s*m\s*(\d{2})$/.exec(plain) ?? [];
  if (metres !== undefined) return Number(metres) * 1000 + Number(centimetres) * 10;
  const [, sign, digits, name = ''] = LENGTH.exec(plain) ?? [];
  const perName = name === '' ? MM_PER_UNIT[unit === 'ft-in' ? 'in' : unit] : MM_PER_NAME.get(name);
  if (digits === undefined || perName === undefined) return undefined;
  return withFraction(digits) * perName * (sign === '-' ? -1 : 1);
}

function withFraction(text: string): number {
  const [, whole = 0, above, below] = /^(?:(\d+) )?(\d+)\/(\d+)$/.exec(text) ?? [];
  return above === undefined ? Number(text) : Number(whole) + Number(above) / Number(below);
}

const MM_PER_NAME: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, 'mm millimetre millimetres millimeter millimeters'],
      [10, 'cm centimetre centimetres centimeter centimeters'],
      [1000, 'm metre metres meter meters'],
      [MM_PER_INCH, `in inch inches " ″ ” ''`],
    ] as const
  ).flatMap(([mm, names]) => names.split(' ').map((name) => [name, mm] as const)),
);

/**
 * Reads a body mass that a person typed, such as `66`, `66.5 kg`, `145 lb` or `11 st 4 lb`. A number without a unit is
 * in `unit`.
 *
 * @returns kilograms, or undefined if the text is no mass
 */
export function parseMass(text: string, unit: MassUnit): number | undefined {
  const plain = withPoint(text.trim().toLowerCase());
  const stone = STONE.exec(plain);
  if (stone !== null) {
    const pounds = Number(stone[2] ?? 0);
    if (pounds >= POUNDS_PER_STONE) return undefined;
    return (Number(stone[1]) * POUNDS_PER_STONE + pounds) * KG_PER_UNIT.lb;
  }
  const [, digits, name] = MASS.exec(plain) ?? [];
  if (digits === undefined) return undefined;
  const named = name === undefined ? unit : name.startsWith('k') ? 'kg' : 'lb';
  return Number(digits) * KG_PER_UNIT[named];
}

/**
 * The question about a number of feet with decimals that may have been meant as feet and inches: `5.11` may mean 5′11″
 * (1803 mm) or 5.11 feet (1558 mm).
 *
 * @returns a sentence, or undefined for other texts
 */
export function questionAboutFeet(text: string): string | undefined {
  const [, feet, part] = /^(\d+)[.,](\d{1,2})\s*(?:ft|feet|foot|'|′|’)?$/i.exec(text.trim()) ?? [];
  if (part === undefined || Number(part) >= INCHES_PER_FOOT) return undefined;
  const inches = Number(`${feet}.${part}`) * INCHES_PER_FOOT;
  return `${JSON.stringify(text.trim())} in feet may mean ${feet}'${Number(part)}" or ${Number(inches.toFixed(2))} in. Write one of these.`;
}
