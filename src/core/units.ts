/** Units of the specification (2.4). */
export const UNITS = ['mm', 'cm', 'in'] as const;

/** Unit of length of a request or an answer. */
export type Unit = (typeof UNITS)[number];

/** Millimetres per unit. The inch is exactly 25.4 mm (international yard and pound, 1959). */
export const MM_PER_UNIT: Readonly<Record<Unit, number>> = { mm: 1, cm: 10, in: 25.4 };

/** Number of rounding steps per unit: a step is 0.001 mm, 0.0001 cm or 0.00001 in (decision 0002). */
const STEPS_PER_UNIT: Readonly<Record<Unit, number>> = { mm: 1e3, cm: 1e4, in: 1e5 };

/** The length `valueMm` in `unit`, rounded to the unit's step. */
export function fromMm(valueMm: number, unit: Unit): number {
  const steps = STEPS_PER_UNIT[unit];
  return Math.round((valueMm / MM_PER_UNIT[unit]) * steps) / steps;
}

/** The length `value` in `unit`, converted to millimetres. */
export function toMm(value: number, unit: Unit): number {
  return value * MM_PER_UNIT[unit];
}

/** A percentile rounded to its step of 0.01. */
export function roundPercentile(percentile: number): number {
  return Math.round(percentile * 100) / 100;
}

/** Units of body mass. */
export const MASS_UNITS = ['kg', 'lb'] as const;

/** Unit of body mass of a request or an answer. */
export type MassUnit = (typeof MASS_UNITS)[number];

/** Kilograms per unit. The pound is exactly 0.45359237 kg (international yard and pound, 1959). */
export const KG_PER_UNIT: Readonly<Record<MassUnit, number>> = { kg: 1, lb: 0.45359237 };

/** Number of rounding steps per unit of mass or BMI: a step is 0.001. */
const STEPS = 1000;

/** The mass `valueKg` in `unit`, rounded to 0.001. */
export function fromKg(valueKg: number, unit: MassUnit): number {
  return Math.round((valueKg / KG_PER_UNIT[unit]) * STEPS) / STEPS;
}

/** A body mass index in kg/m², rounded to 0.001. */
export function roundBmi(bmi: number): number {
  return Math.round(bmi * STEPS) / STEPS;
}

/** A share of people, 0 to 1, rounded to 0.00001. */
export function roundShare(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}
