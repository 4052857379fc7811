import { parseBody } from '../../src/core/json-text.js';
import { nameMeant } from '../raw-tables/study-fields.js';

/** Fields of a row in a printed table, each with the text that explains what to write. */
export const FIELDS = {
  sample:
    'name of the sample; by default that of the study, the gender and, of several, the age group',
  family: 'studies that share people or instruments; by default the name of the study',
  part_of: 'larger sample of any source that contains these people',
  country: 'code or name of the country',
  gender: 'Male or Female',
  age_min: 'youngest age in years',
  age_max: 'oldest age in years',
  age_mean: 'mean age in years',
  year: 'year of measurement; of a range its middle',
  people: 'people measured, at least 10',
  population: 'who they are, such as military or students',
  measurement: 'dimension, Stature, BodyMass or BMI',
  match: 'exact, close or poor: how well the definition agrees with /docs/sources',
  unit: 'mm, cm, m or in; of BodyMass kg or lb',
  mean: 'mean',
  sd: 'standard deviation',
  p5: '5th percentile',
  p50: '50th percentile',
  p95: '95th percentile',
} as const;

/** A field of a row. */
export type Field = keyof typeof FIELDS;

const NAMES = Object.keys(FIELDS) as Field[];
/** Parts of a column map that a wide table has for each sample. */
const MAPS = ['columns', 'values'] as const;

/** Sources of the fields of one sample: a heading of the file (`columns`), or one value for all rows (`values`). */
export interface SampleMap {
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  readonly values: Readonly<Partial<Record<Field, string>>>;
}

/** How to read a file: its samples, and the meaning of its names of measurements. */
export interface StudyMap {
  readonly samples: readonly SampleMap[];
  /** For a name in the file, our name and the match of the definitions; null for a row to leave out. */
  readonly measurements: ReadonlyMap<string, { name: string; match: string | undefined } | null>;
}

/** A study that cannot be imported. The message has all faults, each on its own line. */
export class StudyRefusal extends Error {
  override readonly name = 'StudyRefusal';
}

/** The map of a new study. Each field is read from a column with the name of the field. */
export const PLAIN_MAP = {
  columns: Object.fromEntries(NAMES.map((name) => [name, name])),
  values: {},
  measurements: {},
  samples: [],
};

/**
 * Reads a column map.
 *
 * @param text JSON with `columns`, `values`, `measurements` and `samples`, each optional
 * @param file name for messages
 * @throws StudyRefusal with all faults
 */
export function readStudyMap(text: string, file: string): StudyMap {
  let json: unknown;
  try {
    json = JSON.parse(text);
    // Refuses a name that an object has twice.
    parseBody(text);
  } catch (error) {
    throw new StudyRefusal(`${file} is no JSON: ${(error as Error).message}`);
  }
  const faults: string[] = [];
  const top = asObject(json, '', faults);
  refuseOthers(top, [...MAPS, 'measurements', 'samples'], '', faults);
  const shared = sampleOf(top, '', faults);
  const { samples = [] } = top;
  if (!Array.isArray(samples)) faults.push('samples must be a list');
  const own = (Array.isArray(samples) ? samples : []).map((one, i) => {
    const place = `samples[${i}]`;
    const object = asObject(one, place, faults);
    refuseOthers(object, MAPS, place, faults);
    return sampleOf(object, `${place}.`, faults);
  });
  const joined = own.map(({ columns, values }) => join(shared, { columns, values }));
  const measurements = new Map(
    Object.entries(asObject(top.measurements ?? {}, 'measurements', faults)).map(
      ([label, meant]) => {
        const words = typeof meant === 'string' ? meant.trim().split(/\s+/) : [];
        if (meant !== null && (words.length < 1 || words.length > 2)) {
          faults.push(
            `measurements: ${JSON.stringify(label)} must be a name, a name and a match such as "Stature exact", or null`,
          );
        }
        return [label, meant === null ? null : { name: words[0] ?? '', match: words[1] }] as const;
      },
    ),
  );
  if (faults.length > 0) throw new StudyRefusal(faults.map((one) => `${file}: ${one}`).join('\n'));
  return { samples: joined.length === 0 ? [shared] : joined, measurements };
}

/**
 * Adds a sample's own fields to the shared fields. An own value replaces a shared column, and an own column a shared
 * value.
 */
function join(shared: SampleMap, own: SampleMap): SampleMap {
  const without = <T extends object>(fields: T, other: object) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in other)));
  return {
    columns: { ...without(shared.columns, own.values), ...own.columns },
    values: { ...without(shared.values, own.columns), ...own.values },
  };
}

function sampleOf(json: Readonly<Record<string, unknown>>, place: string, faults: string[]) {
  const [columns, values] = MAPS.map((name) => {
    const fields = asObject(json[name] ?? {}, `${place}${name}`, faults);
    refuseOthers(fields, NAMES, `${place}${name}`, faults);
    return Object.fromEntries(
      Object.entries(fields).map(([field, value]) => {
        const isText = typeof value === 'string' || typeof value === 'number';
        if (!isText) faults.push(`${place}${name}.${field} must be a text or a number`);
        return [field, String(value)];
      }),
    );
  });
  // A value replaces a column of the same field.
  return join({ columns: columns ?? {}, values: {} }, { columns: {}, values: values ?? {} });
}

function asObject(json: unknown, place: string, faults: string[]): Record<string, unknown> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    return json as Record<string, unknown>;
  }
  faults.push(`${place === '' ? 'the file' : place} must be an object`);
  return {};
}

function refuseOthers(
  json: object,
  allowed: readonly string[],
  place: string,
  faults: string[],
): void {
  for (const name of Object.keys(json)) {
    if (allowed.includes(name)) continue;
    const meant = nameMeant(name, allowed);
    const hint = meant === undefined ? `Allowed are ${allowed.join(', ')}` : `Write ${meant}`;
    faults.push(`${place === '' ? '' : `${place}: `}${name} is unknown. ${hint}`);
  }
}
