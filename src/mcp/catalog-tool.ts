import type { Tool } from '@modelcontextprotocol/server';
import Type from 'typebox';
import { COUNTRIES } from '../core/countries.js';
import { membersOfSet } from '../core/country-sets.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { MEASUREMENT_KINDS, MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { CLOTHING, CLOTHING_IDS, POSTURE_IDS, POSTURES } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { buildCatalog, type CatalogLimits, catalogEntry } from '../operations/catalog.js';
import { DEFAULTS } from '../operations/fields.js';
import { requestValidator } from '../operations/validate.js';
import { findBodyQuantities } from '../search/body-quantities.js';
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
          'Words, or a code of a standard, as "hip breadth sitting", "inseam" or "6.2.11". English works best; usual words of other languages are known.',
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
          'Code or name of a country or of a set, or a part of one, as "Korea", "Deutschland" or "OECD".',
      }),
    ),
  },
  { additionalProperties: false },
);

const texts = Type.Array(Type.String());

const response = Type.Object({
  defaults: Type.Object({}, { description: 'Values of omitted fields.' }),
  enums: Type.Object({}, { description: 'Values of the fields with a fixed list.' }),
  profiles: Type.Object(
    {},
    {
      description: 'What each clothing and posture means, and the mm by which it moves dimensions.',
    },
  ),
  measurements: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        definition: Type.String(),
        kind: Type.String(),
        genders: texts,
        postures: texts,
      }),
      { description: 'Those that match, best first; all without arguments.' },
    ),
  ),
  bodyQuantities: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), definition: Type.String() }), {
      description: 'Names that only tools about populations, people and evidence take.',
    }),
  ),
  countries: Type.Optional(
    Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), {
      description: 'Those that match `country`; all without arguments.',
    }),
  ),
  countrySets: Type.Optional(
    Type.Object({}, { description: 'Codes of each set that matches, by its name.' }),
  ),
});

const validate = requestValidator(request);

/** What `get_catalog` does, without its price. */
export const CATALOG_DESCRIPTION = `Find the exact names that the other tools take; use it before them. \`text\` finds some of the ${MEASUREMENTS.length} measurements, with definitions, by everyday words ("shoe size", "how tall"), things to design ("desk height") or names. \`kind\` and \`posture\` restrict them. \`country\` finds codes among ${COUNTRIES.length} countries, or a set of countries. Always narrow it: without arguments it returns the whole catalog with limits, prices and errors, which is long.`;

/** `get_catalog` as `tools/list` returns it. */
export const CATALOG_TOOL: Tool = {
  name: 'get_catalog',
  title: 'Search the catalog',
  description: `${CATALOG_DESCRIPTION} Free; it counts as one request of the rate limit.`,
  inputSchema: JSON.parse(JSON.stringify(request)),
  outputSchema: JSON.parse(JSON.stringify(response)),
  annotations: {
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
      const bodies = text === undefined ? [] : findBodyQuantities(text);
      const json = {
        defaults: DEFAULTS,
        enums: {
          genders: GENDERS,
          units: UNITS,
          clothing: CLOTHING_IDS,
          postures: POSTURE_IDS,
        },
        profiles: { clothing: CLOTHING, postures: POSTURES },
        ...(asked ? { measurements: found.map(catalogEntry) } : {}),
        ...(bodies.length === 0 ? {} : { bodyQuantities: bodies }),
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

/** One line for each quantity, measurement, country and set found. */
function foundText(found: {
  readonly bodyQuantities?: readonly { name: string; definition: string }[];
  readonly measurements?: readonly ReturnType<typeof catalogEntry>[];
  readonly countries?: readonly { code: string; name: string }[];
  readonly countrySets?: Readonly<Record<string, readonly string[]>>;
}): string {
  const measurements = found.measurements?.map(
    ({ name, kind, genders, postures, definition }) =>
      `${name} (${kind}; ${genders.join(', ')}; ${postures.join(', ')}): ${definition}`,
  );
  const bodies = found.bodyQuantities?.map(({ name, definition }) => `${name}: ${definition}`);
  const countries = found.countries?.map(({ code, name }) => `${code}: ${name}`);
  const sets = Object.entries(found.countrySets ?? {}).map(
    ([name, codes]) => `${name}: ${codes.join(' ')}`,
  );
  const lines = [...(bodies ?? []), ...(measurements ?? []), ...(countries ?? []), ...sets];
  return lines.length === 0 ? 'Nothing matches; use fewer or other words.' : lines.join('\n');
}
