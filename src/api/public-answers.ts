import { catalogSchema } from './catalog-schema.js';
import { documented, type JsonSchema } from './named-schemas.js';
import { healthOf, type PublicRouteParts } from './public-routes.js';

/** The texts that the public routes return. */
export type PublicTexts = Pick<PublicRouteParts, 'env' | 'catalogJson'>;

const HEALTH: JsonSchema = {
  type: 'object',
  description: 'The process lives.',
  required: ['ok', 'service', 'env'],
  properties: {
    ok: { type: 'boolean', description: 'Always true.' },
    service: { type: 'string', description: 'Name of the service.' },
    env: { type: 'string', enum: ['preview', 'production'], description: 'How it is configured.' },
  },
};

const READY: JsonSchema = {
  type: 'object',
  description: 'Whether requests can be charged.',
  required: ['ok'],
  properties: { ok: { type: 'boolean', description: 'Whether they can.' } },
};

/** Schemas of their answers by name. */
export const PUBLIC_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Catalog: documented(catalogSchema),
  Health: HEALTH,
  Ready: READY,
};

/** The answer of a public route. */
interface PublicAnswer {
  readonly schema: keyof typeof PUBLIC_SCHEMAS;
  /** Answers by status. */
  readonly examples: Readonly<Record<number, unknown>>;
}

/** The answers of the public routes, by path. */
export function publicAnswers({ env, catalogJson }: PublicTexts): Record<string, PublicAnswer> {
  return {
    '/': { schema: 'Catalog', examples: { 200: excerpt(JSON.parse(catalogJson)) } },
    '/health': { schema: 'Health', examples: { 200: healthOf(env) } },
    '/ready': { schema: 'Ready', examples: { 200: { ok: true }, 503: { ok: false } } },
  };
}

/** Maximum number of entries that an excerpt keeps of a list. */
const ENTRIES_MAX = 2;

/** Shortens a JSON value to the first entries of each list, as an example of a long answer. */
function excerpt(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map(excerpt);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, excerpt(inner)]));
}
