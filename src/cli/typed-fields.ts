import { Problem } from '../core/errors.js';
import { parseLength, parseMass } from '../core/typed-values.js';
import { KG_PER_UNIT, type MassUnit, MM_PER_UNIT, type Unit } from '../core/units.js';
import { countriesOf } from '../operations/population-request.js';
import { countryNamed, countrySetNamed } from '../search/countries.js';

/** Fields that hold a length or a mass in the unit of the request. */
const QUANTITIES: ReadonlySet<string> = new Set(['value', 'min', 'max', 'tolerance']);

/** Units of a request. */
interface Units {
  readonly unit: Unit;
  readonly massUnit: MassUnit;
}

/**
 * Converts a typed request to the form of the API. Lengths and masses with a unit, such as `1.72 m`, `5'10"` or `145
 * lb`, become numbers in the unit of the request. Names and ISO 3166-1 alpha-3 codes of countries become the codes of
 * the API.
 *
 * @throws Problem `validation_error` for a text that is no length or mass
 */
export function readTyped(body: object): object {
  const { unit = 'mm', massUnit = 'kg' } = body as Partial<Units>;
  return read(body, { unit, massUnit }) as object;
}

/** The code of the country or set that a typed name means, or the text itself if it is no such name. */
export function typedCountry(text: string): string {
  if (countriesOf(text) !== undefined) return text;
  return countryNamed(text) ?? countrySetNamed(text) ?? text;
}

function read(node: unknown, units: Units): unknown {
  if (Array.isArray(node)) return node.map((item) => read(item, units));
  if (typeof node !== 'object' || node === null) return node;
  const { measurement, unit } = node as { measurement?: unknown; unit?: unknown };
  const own = unit === undefined ? units : { ...units, unit, massUnit: unit };
  return Object.fromEntries(
    Object.entries(node).map(([field, value]) => {
      if (field === 'country' && typeof value === 'string') return [field, typedCountry(value)];
      if (field === 'countries' && Array.isArray(value)) {
        return [field, value.map((one) => (typeof one === 'string' ? typedCountry(one) : one))];
      }
      if (typeof value === 'string' && QUANTITIES.has(field)) {
        return [field, quantity(field, value, measurement, own as Units)];
      }
      return [field, read(value, units)];
    }),
  );
}

/** The name of each quantity, and how to write it. */
const KINDS = {
  length: `1720, 172 cm, 1.72 m, 5'10" or 5 ft 10 in`,
  mass: '66, 66 kg or 145 lb',
  BMI: '22.5',
} as const;

function quantity(field: string, text: string, measurement: unknown, units: Units): number {
  const { unit, massUnit } = units;
  const kind = measurement === 'BodyMass' ? 'mass' : measurement === 'BMI' ? 'BMI' : 'length';
  const parsed = {
    length: () => (parseLength(text, unit) ?? Number.NaN) / MM_PER_UNIT[unit],
    mass: () => (parseMass(text, massUnit) ?? Number.NaN) / KG_PER_UNIT[massUnit],
    BMI: () => Number(text.trim() || Number.NaN),
  }[kind]();
  if (Number.isFinite(parsed)) return Number(parsed.toPrecision(12));
  const message = `${field} of ${JSON.stringify(text)} is not a ${kind}; write it as ${KINDS[kind]}.`;
  throw new Problem('validation_error', message);
}
