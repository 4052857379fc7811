import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
} from '@modelcontextprotocol/server';
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import {
  MEASUREMENT_NAMES,
  MEASUREMENTS,
  type Measurement,
  type MeasurementKind,
} from '../core/measurements.js';
import { POSTURES } from '../core/profiles.js';
import { BODY_TEMPLATE } from './body-links.js';

const CATALOG_URI = 'vitruvia://catalog';
const SHEET_PREFIX = 'vitruvia://measurements/';
/** Template of the URIs of the measurement sheets. */
export const SHEET_TEMPLATE = `${SHEET_PREFIX}{name}`;
/** Maximum number of values of one completion (the protocol's limit). */
const MAX_COMPLETIONS = 100;
/** Resources on one page of the list. */
const PAGE_SIZE = 50;

const CATALOG: Resource = {
  uri: CATALOG_URI,
  name: 'catalog',
  title: 'Catalog',
  description: 'Everything the service knows: names, limits, prices, endpoints and errors.',
  mimeType: 'application/json',
};

const SHEETS: readonly Resource[] = MEASUREMENTS.map(({ name, definition }) => ({
  uri: SHEET_PREFIX + name,
  name,
  description: definition,
  mimeType: 'text/markdown',
}));

const ALL: readonly Resource[] = [CATALOG, ...SHEETS];

const TEMPLATES: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: SHEET_TEMPLATE,
      name: 'measurement',
      title: 'Measurement sheet',
      description:
        'Describes a measurement: its definition, the posture it is taken in, and how it is measured.',
      mimeType: 'text/markdown',
    },
    {
      uriTemplate: BODY_TEMPLATE,
      name: 'body',
      title: 'Body',
      description:
        'A file that the tool body has linked to, for the same account and for 24 hours, free.',
    },
  ],
};

const DIRECTIONS: Readonly<Record<MeasurementKind, string>> = {
  height: 'vertically, between two levels',
  length: 'along the body part',
  breadth: 'across, from side to side',
  depth: 'horizontally, from back to front',
  circumference: 'around',
  reach: 'along the outstretched arm or arms',
  face: 'on the face, between two landmarks',
  finger: 'on the finger or thumb',
};

const TAKEN: Readonly<Record<Measurement['definedIn'], string>> = {
  standing: 'standing erect',
  sitting: 'sitting erect',
  any: 'in the posture that the definition names; the posture of the rest of the body does not change it',
};

const SHEET_TEXTS: ReadonlyMap<string, string> = new Map(
  MEASUREMENTS.map((measurement) => [SHEET_PREFIX + measurement.name, sheet(measurement)]),
);

/**
 * One page of the resources. Their order is always the same.
 *
 * @returns undefined for a cursor that no page has returned
 */
export function listResources(cursor: string | undefined): ListResourcesResult | undefined {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (cursor !== undefined && !isCursor(cursor)) return undefined;
  const to = from + PAGE_SIZE;
  const resources = ALL.slice(from, to);
  return to < ALL.length ? { resources, nextCursor: String(to) } : { resources };
}

function isCursor(text: string): boolean {
  const from = Number(text);
  return /^[1-9]\d*$/.test(text) && from < ALL.length && from % PAGE_SIZE === 0;
}

/** The templates: measurement sheets, and files of bodies. */
export function listResourceTemplates(): ListResourceTemplatesResult {
  return TEMPLATES;
}

/** Whether a URI names a resource or the template. */
export function isResource(uri: string): boolean {
  return (
    uri === SHEET_TEMPLATE || uri === BODY_TEMPLATE || uri === CATALOG_URI || SHEET_TEXTS.has(uri)
  );
}

/**
 * The content of a resource.
 *
 * @param catalogText the catalog as JSON text
 * @throws ResourceNotFoundError
 */
export function readResource(uri: string, catalogText: string): ReadResourceResult {
  if (uri === CATALOG_URI) {
    return { contents: [{ uri, mimeType: 'application/json', text: catalogText }] };
  }
  const text = SHEET_TEXTS.get(uri);
  if (text === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

function sheet(measurement: Measurement): string {
  const { name, definition, kind, definedIn, genders, postures } = measurement;
  const held = POSTURES.filter(({ id }) => postures.includes(id));
  return [
    `# ${name}`,
    '',
    `${definition}.`,
    '',
    `- Kind: ${kind}`,
    `- Measured: ${DIRECTIONS[kind]}`,
    `- Taken: ${TAKEN[definedIn]}`,
    `- Genders: ${genders.join(', ')}`,
    '- Postures that can be asked for:',
    ...held.map(({ id, definition: meaning }) => `  - \`${id}\`: ${meaning}`),
    '',
  ].join('\n');
}

/** Values of an argument of a resource that begin with the text, in upper or lower case. */
export function complete(argument: string, text: string) {
  const wanted = text.trim().toLowerCase();
  // The template of the measurement sheets has this argument.
  const choices = argument === 'measurement' || argument === 'name' ? MEASUREMENT_NAMES : [];
  const all = choices.filter((choice) => choice.toLowerCase().startsWith(wanted));
  const values = all.slice(0, MAX_COMPLETIONS);
  return { completion: { values, total: all.length, hasMore: all.length > values.length } };
}
