import type { Tool } from '@modelcontextprotocol/server';
import Type from 'typebox';
import { COUNTRIES } from '../core/countries.js';
import { membersOfSet } from '../core/country-sets.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { MEASUREMENT_KINDS, MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { CLOTHING, POSTURE_IDS, POSTURES } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { buildCatalog, type CatalogLimits, catalogEntry } from '../operations/catalog.js';
import { DEFAULTS } from '../operations/fields.js';
import { requestValidator } from '../operations/validate.js';
import { findCountries, findCountrySets } from '../search/countries.js';
import { findMeasurements, prepareSearch } from '../search/measurements.js';

/** Longest text to search for; names and definitions need far fewer characters. */
const MAX_TEXT_CHARS = 100;

const request = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT_CHARS,
        description:
          'Everyday words, things to design, or codes of standards, as "hip breadth sitting", "inseam", "desk height" or "6.2.11"; best matches first. English works best; the usual words of other languages are known.',
      }),
    ),
    kind: Type.Optional(
      Type.Enum([...MEASUREMENT_KINDS], {
        type: 'string',
        description: 'Only measurements of this kind.',
      }),
    ),
    posture: Type.Optional(
      Type.Enum([...POSTURE_IDS], {
        type: 'string',
        description: 'Only measurements that have a model in this posture.',
      }),
    ),
    country: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT_CHARS,
        description:
          'Code or name of a country or of a set of countries, or a part of one, as "Korea", "Great Britain", "Deutschland" or "OECD".',
      }),
    ),
  },
  { additionalProperties: false },
);

const named = Type.Object({ code: Type.String(), name: Type.String() });

const response = Type.Object({
  name: Type.Optional(
    Type.String({ description: 'Name of the service; only in the whole catalog.' }),
  ),
  defaults: Type.Object({}, { description: 'Values of omitted fields.' }),
  enums: Type.Object({}, { description: 'All values of the fields with a fixed list.' }),
  measurements: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        definition: Type.String(),
        kind: Type.String(),
        genders: Type.Array(Type.String()),
        postures: Type.Array(Type.String()),
      }),
      { description: 'Measurements that match, best first; the whole catalog has all of them.' },
    ),
  ),
  countries: Type.Optional(
    Type.Array(named, { description: 'Countries that match; only if `country` is given.' }),
  ),
  countrySets: Type.Optional(
    Type.Object(
      {},
      { description: 'Codes of each set of countries, by name; only those that match.' },
    ),
  ),
});

const validate = requestValidator(request);

const DESCRIPTION = `List what the service knows: the ${MEASUREMENTS.length} measurement names with their definitions, the ${COUNTRIES.length} country codes, units, clothing and posture ids, limits, prices and errors. Use it before any other tool to find the exact name of a measurement. Always narrow it: \`text\` searches with everyday words ("shoe size", "how tall", "desk height") and with names ("seat depth"), \`kind\` and \`posture\` restrict the measurements, \`country\` finds a country code or a set of countries by name. Without arguments it returns the whole catalog, which is long. Free; it counts as one request of the rate limit.`;

/** `get_catalog` as `tools/list` returns it. */
export const CATALOG_TOOL: Tool = {
  name: 'get_catalog',
  title: 'Search the catalog',
  description: DESCRIPTION,
  inputSchema: JSON.parse(JSON.stringify(request)),
  outputSchema: JSON.parse(JSON.stringify(response)),
  annotations: {
    title: 'Search the catalog',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

/** The whole catalog, a part of it, or the refusal of arguments that are not valid. */
export type CatalogResult =
  | { readonly kind: 'answer'; readonly json: Record<string, unknown>; readonly text: string }
  | { readonly kind: 'refusal'; readonly problem: Problem };

/** Answers `get_catalog`. The tool is free, so it does not use the charging step. */
export class CatalogTool {
  readonly #whole: Record<string, unknown>;
  readonly #wholeText: string;

  constructor(limits: CatalogLimits) {
    this.#whole = buildCatalog(limits);
    this.#wholeText = JSON.stringify(this.#whole);
    prepareSearch();
  }

  /** The whole catalog as JSON text. */
  get text(): string {
    return this.#wholeText;
  }

  answer(input: unknown): CatalogResult {
    try {
      const { text, kind, posture, country } = validate(input);
      if (Object.keys(input as object).length === 0) {
        return { kind: 'answer', json: this.#whole, text: this.#wholeText };
      }
      const asked = text !== undefined || kind !== undefined || posture !== undefined;
      const found: Measurement[] = (text === undefined ? MEASUREMENTS : findMeasurements(text))
        .filter((measurement) => kind === undefined || measurement.kind === kind)
        .filter(({ postures }) => posture === undefined || postures.some((id) => id === posture));
      const json = {
        defaults: DEFAULTS,
        enums: { genders: GENDERS, units: UNITS, clothing: CLOTHING, postures: POSTURES },
        ...(asked ? { measurements: found.map(catalogEntry) } : {}),
        ...(country === undefined
          ? {}
          : { countries: countriesNamed(country), countrySets: setsNamed(country) }),
      };
      return { kind: 'answer', json, text: foundText(json) };
    } catch (error) {
      if (error instanceof Problem) return { kind: 'refusal', problem: error };
      throw error;
    }
  }
}

function countriesNamed(text: string) {
  return findCountries(text).map(({ code, name }) => ({ code, name }));
}

function setsNamed(text: string) {
  return Object.fromEntries(findCountrySets(text).map((name) => [name, membersOfSet(name) ?? []]));
}

/** One line for each measurement, country and set found. */
function foundText(found: {
  readonly measurements?: readonly ReturnType<typeof catalogEntry>[];
  readonly countries?: readonly { code: string; name: string }[];
  readonly countrySets?: Readonly<Record<string, readonly string[]>>;
}): string {
  const measurements = found.measurements?.map(
    ({ name, kind, genders, postures, definition }) =>
      `${name} (${kind}; ${genders.join(', ')}; ${postures.join(', ')}): ${definition}`,
  );
  const countries = found.countries?.map(({ code, name }) => `${code}: ${name}`);
  const sets = Object.entries(found.countrySets ?? {}).map(
    ([name, codes]) => `${name}: ${codes.join(' ')}`,
  );
  const lines = [...(measurements ?? []), ...(countries ?? []), ...sets];
  return lines.length === 0 ? 'Nothing matches; use fewer or other words.' : lines.join('\n');
}
