import type { Tool } from '@modelcontextprotocol/server';
import Type from 'typebox';
import { COUNTRIES } from '../core/countries.js';
import { COUNTRY_SETS, membersOfSet } from '../core/country-sets.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { MEASUREMENT_KINDS, MEASUREMENTS, type Measurement } from '../core/measurements.js';
import type { Pieces } from '../core/pieces.js';
import { CLOTHING, CLOTHING_IDS, POSTURE_IDS, POSTURES } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { buildCatalog, type CatalogLimits, catalogEntry } from '../operations/catalog.js';
import { BODY_QUANTITIES, DEFAULTS } from '../operations/fields.js';
import { readObject } from '../operations/tool-arguments.js';
import { requestValidator } from '../operations/validate.js';
import { findBodyQuantities } from '../search/body-quantities.js';
import { findCountries, findCountrySets } from '../search/countries.js';
import { findMeasurements, prepareSearch } from '../search/measurements.js';
import { findNotCovered, orNearest } from '../search/not-covered.js';
import { toolOutput } from './tool-schemas.js';

/** Maximum length of a search text. Names and definitions are much shorter. */
const MAX_TEXT_CHARS = 100;

const request = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT_CHARS,
        description: 'Words or a code of a standard: "hip breadth sitting", "inseam", "6.2.11".',
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
        description: 'Code, name or part of a name of a country or set: "Korea", "OECD".',
      }),
    ),
  },
  { additionalProperties: false },
);

const texts = Type.Array(Type.String());

const response = Type.Object({
  defaults: Type.Object({}, { description: 'Values of omitted fields.' }),
  enums: Type.Object({}, { description: 'Values of the fields with a fixed list.' }),
  profiles: Type.Optional(
    Type.Object(
      {},
      {
        description: 'What each clothing and posture means, with mm.',
      },
    ),
  ),
  groups: Type.Optional(Type.Object({}, { description: 'Names by kind, without arguments.' })),
  notCovered: Type.Optional(
    Type.Array(Type.Object({ need: Type.String(), nearest: Type.String() }), {
      description: 'Needs that no tool answers.',
    }),
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
      { description: 'Those that match, best first.' },
    ),
  ),
  bodyQuantities: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), definition: Type.String() }), {
      description: 'Names that only tools about populations, people and evidence take.',
    }),
  ),
  countries: Type.Optional(Type.Array(Type.Object({ code: Type.String(), name: Type.String() }))),
  countrySets: Type.Optional(Type.Object({}, { description: 'Codes by name of set.' })),
});

const validate = requestValidator(request);

/** What `get_catalog` does, without its price. */
export const CATALOG_DESCRIPTION = `Find the exact names that the other tools take; use it before them. It has no sizes of people. \`text\` finds some of the ${MEASUREMENTS.length} measurements, with definitions, by everyday words ("shoe size", "how tall"), things to design ("desk height") or names. \`kind\` and \`posture\` restrict them. \`country\` finds codes among ${COUNTRIES.length} countries, or a set of countries. Without arguments it lists the names by kind.`;

/** `get_catalog` as `tools/list` returns it. */
export const CATALOG_TOOL: Tool = {
  name: 'get_catalog',
  title: 'Search the catalog',
  description: `${CATALOG_DESCRIPTION} Free; counts against the rate limit.`,
  inputSchema: JSON.parse(JSON.stringify(request, withoutLengths)),
  outputSchema: toolOutput(response) as NonNullable<Tool['outputSchema']>,
  annotations: {
    readOnlyHint: true,
    openWorldHint: false,
  },
};

/** Leaves out limits that the functions of OpenAI do not have. The service checks them. */
function withoutLengths(keyword: string, value: unknown): unknown {
  return keyword === 'minLength' || keyword === 'maxLength' ? undefined : value;
}

/** The whole catalog, a part of it, or the refusal of invalid arguments. */
export type CatalogResult =
  | { readonly kind: 'answer'; readonly json: Record<string, unknown>; readonly text: string }
  | { readonly kind: 'refusal'; readonly problem: Problem };

/** Answers `get_catalog`. The tool is free, so it needs no charging step. */
export class CatalogTool {
  readonly #wholeText: string;

  constructor(limits: CatalogLimits) {
    this.#wholeText = JSON.stringify(buildCatalog(limits));
  }

  /** Prepares the search in pieces. Without this, the first search does all of the work at once. */
  prepare(): Pieces<void> {
    return prepareSearch();
  }

  /** The whole catalog as JSON text. */
  get text(): string {
    return this.#wholeText;
  }

  answer(given: unknown): CatalogResult {
    try {
      const input = validate(readObject(request, given));
      const { text, kind, posture, country } = input;
      if (Object.keys(input).length === 0) {
        return { kind: 'answer', json: OVERVIEW, text: OVERVIEW_TEXT };
      }
      const asked = text !== undefined || kind !== undefined || posture !== undefined;
      const missing = text === undefined ? [] : findNotCovered(text);
      const named =
        text === undefined ? MEASUREMENTS : orNearest(text, findMeasurements(text), MEASUREMENTS);
      const found: Measurement[] = named
        .filter((measurement) => kind === undefined || measurement.kind === kind)
        .filter(({ postures }) => posture === undefined || postures.some((id) => id === posture));
      const bodies = text === undefined ? [] : findBodyQuantities(text);
      const isFound = found.length + bodies.length + missing.length > 0;
      // A text that names no measurement may name a country.
      const place = country ?? (isFound ? undefined : text);
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
        ...(missing.length === 0
          ? {}
          : { notCovered: missing.map(({ need, nearest }) => ({ need, nearest })) }),
        ...(place === undefined
          ? {}
          : { countries: countriesNamed(place), countrySets: setsNamed(place) }),
      };
      return { kind: 'answer', json, text: foundText(json) };
    } catch (error) {
      if (error instanceof Problem) return { kind: 'refusal', problem: error };
      throw error;
    }
  }
}

/** The answer of `get_catalog` without arguments: groups with their names and sizes, in a few kB. */
const OVERVIEW = {
  defaults: DEFAULTS,
  enums: { genders: GENDERS, units: UNITS, clothing: CLOTHING_IDS, postures: POSTURE_IDS },
  groups: {
    measurements: Object.fromEntries(
      MEASUREMENT_KINDS.map((kind) => [
        kind,
        MEASUREMENTS.filter((one) => one.kind === kind).map(({ name }) => name),
      ]),
    ),
    bodyQuantities: BODY_QUANTITIES,
    countries: COUNTRIES.length,
    countrySets: Object.fromEntries(
      Object.entries(COUNTRY_SETS).map(([name, codes]) => [name, codes.length]),
    ),
  },
};

const OVERVIEW_TEXT = [
  ...MEASUREMENT_KINDS.map((kind) => {
    return `${kind}: ${OVERVIEW.groups.measurements[kind]?.join(' ')}`;
  }),
  `of the whole body: ${BODY_QUANTITIES.join(' ')}`,
  `${COUNTRIES.length} countries, in sets: ${Object.keys(COUNTRY_SETS).join(' ')}`,
  'Narrow it with text, kind, posture or country; the resource vitruvia://catalog has everything.',
].join('\n');

function countriesNamed(text: string) {
  return findCountries(text).map(({ code, name }) => ({ code, name }));
}

function setsNamed(text: string) {
  return Object.fromEntries(findCountrySets(text).map((name) => [name, membersOfSet(name) ?? []]));
}

/** One line for each quantity, measurement, country and set that was found. */
function foundText(found: {
  readonly notCovered?: readonly { need: string; nearest: string }[];
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
  const missing = found.notCovered?.map(({ need, nearest }) => `Not covered: ${need}. ${nearest}`);
  const countries = found.countries?.map(({ code, name }) => `${code}: ${name}`);
  const sets = Object.entries(found.countrySets ?? {}).map(
    ([name, codes]) => `${name}: ${codes.join(' ')}`,
  );
  const lines = [
    ...(missing ?? []),
    ...(bodies ?? []),
    ...(measurements ?? []),
    ...(countries ?? []),
    ...sets,
  ];
  return lines.length === 0 ? 'Nothing matches; use fewer or other words.' : lines.join('\n');
}
