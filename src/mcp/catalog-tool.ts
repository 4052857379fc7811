import type { Tool } from '@modelcontextprotocol/server';
import Type, { type Static } from 'typebox';
import { COUNTRIES } from '../core/countries.js';
import { COUNTRY_SETS, membersOfSet } from '../core/country-sets.js';
import { Problem } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { MEASUREMENT_KINDS, MEASUREMENTS } from '../core/measurements.js';
import type { Pieces } from '../core/pieces.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { buildCatalog, type CatalogLimits, catalogEntry } from '../operations/catalog.js';
import { BODY_QUANTITIES, DEFAULTS } from '../operations/fields.js';
import { readObject } from '../operations/tool-arguments.js';
import { requestValidator } from '../operations/validate.js';
import { type Found, findInCatalog, linesOf } from '../search/catalog-search.js';
import { findCountries, findCountrySets } from '../search/countries.js';
import { prepareSearch } from '../search/measurements.js';
import { toolInput } from './tool-schemas.js';

/** Maximum length of a search text. Names and definitions are much shorter. */
const MAX_TEXT_CHARS = 100;
/**
 * Limits of the result of a search by words, so that vague words take at most 400 tokens: measurements with their
 * definitions (fewer if other entries are shown), further names, and countries.
 */
const [DEFINITIONS_MAX, NAMES_MAX, COUNTRIES_MAX] = [4, 8, 8];

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

/** A list of entries with some fields that are texts. */
const listOfTexts = (...names: readonly string[]) => ({
  type: 'array',
  items: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
});

/** The main parts of an answer. All of its parts name their fields. */
const outputSchema: Tool['outputSchema'] = {
  type: 'object',
  required: ['defaults', 'enums'],
  properties: {
    defaults: { type: 'object' },
    enums: { type: 'object' },
    measurements: listOfTexts('name', 'definition'),
    countries: listOfTexts('code', 'name'),
    products: listOfTexts('id', 'title'),
  },
};

const validate = requestValidator(request);

/** Description of `get_catalog`, without its price. */
export const CATALOG_DESCRIPTION = `Find the exact names that the other tools take; use it before them. It has no sizes of people. \`text\` finds some of the ${MEASUREMENTS.length} measurements, with definitions, by everyday words ("shoe size", "how tall"), things to design ("desk height") or names, and products ("desk"). \`kind\` and \`posture\` restrict them. \`country\` finds codes among ${COUNTRIES.length} countries, or a set of countries. Without arguments it lists the names by kind.`;

/** `get_catalog` as `tools/list` returns it. */
export const CATALOG_TOOL: Tool = {
  name: 'get_catalog',
  title: 'Search the catalog',
  description: `${CATALOG_DESCRIPTION} Free; counts against the rate limit.`,
  inputSchema: toolInput(request, 'get_catalog') as Tool['inputSchema'],
  outputSchema,
  annotations: {
    readOnlyHint: true,
    openWorldHint: false,
  },
};

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
      if (Object.keys(input).length === 0) {
        return { kind: 'answer', json: OVERVIEW, text: OVERVIEW_TEXT };
      }
      const json = answerOf(input);
      return { kind: 'answer', json: { ...NAMES, ...json }, text: foundText(json) };
    } catch (error) {
      if (error instanceof Problem) return { kind: 'refusal', problem: error };
      throw error;
    }
  }
}

/** The names that every answer has. */
const NAMES = {
  defaults: DEFAULTS,
  enums: { genders: GENDERS, units: UNITS, clothing: CLOTHING_IDS, postures: POSTURE_IDS },
};

/** The answer of `get_catalog` without arguments: groups with their names and sizes, in a few kB. */
const OVERVIEW = {
  ...NAMES,
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

/** The entries that the arguments ask for. Lists that words find are cut; what a filter alone finds is complete. */
function answerOf({ text, kind, posture, country }: Static<typeof request>) {
  const found: Partial<Found> = text === undefined ? {} : findInCatalog(text);
  const { measurements = MEASUREMENTS, countries = [], countrySets = [], ...others } = found;
  const isAsked = text !== undefined || kind !== undefined || posture !== undefined;
  const all = (isAsked ? measurements : [])
    .filter((measurement) => kind === undefined || measurement.kind === kind)
    .filter(({ postures }) => posture === undefined || postures.some((id) => id === posture));
  const { notCovered = [], fields = [], bodyQuantities = [] } = others;
  const besides =
    notCovered.length + 2 * fields.length + bodyQuantities.length + (others.products?.length ?? 0);
  const defined = text === undefined ? all.length : Math.max(1, DEFINITIONS_MAX - besides);
  const names = all.slice(defined, defined + NAMES_MAX).map(({ name }) => name);
  const places = country === undefined ? countries : findCountries(country);
  const sets = country === undefined ? countrySets : findCountrySets(country);
  const omitted =
    Math.max(0, all.length - defined - NAMES_MAX) + Math.max(0, places.length - COUNTRIES_MAX);
  const shown = places.slice(0, COUNTRIES_MAX).map(({ code, name }) => ({ code, name }));
  return {
    ...others,
    ...(isAsked ? { measurements: all.slice(0, defined).map(catalogEntry) } : {}),
    ...(names.length === 0 ? {} : { otherMeasurements: names }),
    ...(omitted === 0 ? {} : { omitted }),
    ...(country === undefined && places.length + sets.length === 0
      ? {}
      : { countries: shown, countrySets: setsNamed(sets) }),
  };
}

/** The codes of a set, unless it has all countries; for several sets, the number of their countries. */
function setsNamed(names: readonly string[]): Readonly<Record<string, unknown>> {
  const shown = (codes: readonly string[]) =>
    names.length > 1 || codes.length === COUNTRIES.length ? codes.length : codes;
  return Object.fromEntries(names.map((name) => [name, shown(membersOfSet(name) ?? [])]));
}

/** One line for each entry that was found. */
function foundText(found: ReturnType<typeof answerOf>): string {
  const { measurements = [], otherMeasurements = [], omitted = 0 } = found;
  const { countries = [], countrySets = {} } = found;
  const lines = [
    ...linesOf(found),
    ...measurements.map(
      ({ name, kind, genders, postures, definition }) =>
        `${name} (${kind}; ${genders.join(', ')}; ${postures.join(', ')}): ${definition}`,
    ),
    ...(otherMeasurements.length === 0 ? [] : [`Also: ${otherMeasurements.join(' ')}`]),
    ...countries.map(({ code, name }) => `${code}: ${name}`),
    ...Object.entries(countrySets).map(([name, codes]) =>
      Array.isArray(codes) ? `${name}: ${codes.join(' ')}` : `${name}: ${codes} countries`,
    ),
    ...(omitted === 0 ? [] : [`${omitted} more; use more words.`]),
  ];
  return lines.length === 0 ? 'Nothing matches; use fewer or other words.' : lines.join('\n');
}
