import { COUNTRY_CODES } from '../core/countries.js';
import { ERRORS, type ErrorCode } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { MEASUREMENT_NAMES, MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import { DEFAULTS } from './fields.js';
import { OPERATIONS } from './index.js';

/** What the service is, in two sentences, for the catalog and the docs. */
export const SERVICE_DESCRIPTION =
  'Predicts 148 body measurements for people of either gender, aged 0 to 120, in 176 countries: a value at a percentile, the percentile of a value, and one dimension given another. For product design, sizing, ergonomics and research.';

/** When each error code is answered and what to do about it. */
export const ERROR_NOTES: Readonly<Record<ErrorCode, string>> = {
  validation_error:
    'The request is malformed: a field is missing, of the wrong type, out of range or not listed, the body is not a JSON object (413 when over 16 KiB), or its content type is not application/json. `errors` lists every fault with its JSON pointer.',
  unknown_measurement: 'A measurement name is not in the catalog. GET / lists the known ones.',
  unknown_clothing: 'The clothing profile id is not in the catalog. GET / lists the known ones.',
  unknown_posture: 'The posture profile id is not in the catalog. GET / lists the known ones.',
  unauthorized:
    'The Authorization header is missing or does not hold a valid API key. Send `Authorization: Bearer <API_KEY>`.',
  free_tier_exhausted:
    'The paid balance is 0 and the free tier is used up. `resets_at` says when it covers this request again.',
  insufficient_credits:
    'The paid balance, or what is left of the free tier, does not cover the request. Buy credits or ask for less.',
  model_not_found:
    'There is no such route, or no prediction model for the dimension in that posture or at that age.',
  gender_not_supported: 'The dimension is not defined for that gender.',
  value_out_of_range:
    'The value lies outside the 1st to 99th percentile of the population; `minimum` and `maximum`, in `unit`, would be answered.',
  idempotency_conflict:
    'The Idempotency-Key was used for another request body within 24 hours. Use a new key.',
  rate_limited: 'Too many requests. `Retry-After` says how many seconds to wait.',
  inference_error: 'The prediction failed on our side. Nothing was charged; report `request_id`.',
  internal_error: 'A fault on our side. Nothing was sent; report `request_id`.',
};

/** What the catalog is told rather than knows. */
export interface CatalogLimits {
  /** Requests a key may make in 60 seconds. */
  readonly rateLimitMax: number;
}

/** The object `GET /` and the MCP tool `get_catalog` answer with. */
export function buildCatalog({ rateLimitMax }: CatalogLimits): Record<string, unknown> {
  return {
    name: SERVICE_NAME,
    version: SERVICE_VERSION,
    description: SERVICE_DESCRIPTION,
    authentication: {
      type: 'bearer',
      header: 'Authorization: Bearer <API_KEY>',
      description:
        'All /v1 routes and /mcp need an API key; GET / and GET /health need none. Keys begin with vt_live_ or vt_test_. Test keys are answered alike and spend a separate test ledger, never the live balance.',
    },
    mcp: {
      path: '/mcp',
      transport: 'streamable-http',
      auth: 'bearer',
      description:
        'Remote Model Context Protocol endpoint (revision 2026-07-28, and 2025-11-25, 2025-06-18 and 2025-03-26 for older clients) with the same operations as tools, billed and limited as their routes are; get_catalog is free and takes filters. A call with _meta["vitruvia/idempotency-key"] may be repeated uncharged, as with the Idempotency-Key header.',
      tools: ['get_catalog', ...OPERATIONS.map(({ name }) => name)],
    },
    defaults: DEFAULTS,
    billing: billing(),
    limits: limits(rateLimitMax),
    enums: {
      genders: GENDERS,
      units: UNITS,
      countries: COUNTRY_CODES,
      measurements: MEASUREMENT_NAMES,
      clothing: CLOTHING_IDS,
      postures: POSTURE_IDS,
    },
    measurements: MEASUREMENTS.map(catalogEntry),
    endpoints: endpoints(),
    errors: Object.fromEntries(
      Object.entries(ERRORS).map(([code, { status, title }]) => [
        code,
        { status, title, description: ERROR_NOTES[code as ErrorCode] },
      ]),
    ),
  };
}

/** What the catalog says of a dimension. */
export function catalogEntry({ name, definition, kind, genders, postures }: Measurement) {
  return { name, definition, kind, genders, postures };
}

function billing() {
  return {
    unit: 'one credit or one free call',
    costs: Object.fromEntries(OPERATIONS.map(({ path, price }) => [`POST ${path}`, price])),
    rules: [
      'A paid balance above 0 pays for every successful call, and only it: paid and free never mix in one call.',
      'At a paid balance of 0 the free tier pays: 10 calls per rolling 24 hours for each account. The answer then carries remaining_free_calls.',
      'When neither covers the call the answer is 402 and nothing is charged.',
      'Failed requests are not charged.',
      'A request repeated with the same Idempotency-Key within 24 hours returns the first answer uncharged, marked Idempotent-Replayed: true.',
    ],
    packs: [100, 500, 1000],
  };
}

function limits(rateLimitMax: number) {
  return {
    rate: { requests: rateLimitMax, seconds: 60, per: 'API key' },
    freeTier: { calls: 10, hours: 24, per: 'account' },
    bodyBytes: 16_384,
    percentiles: { minItems: 1, maxItems: 20, unique: true },
    countries: { minItems: 1, maxItems: 10, unique: true },
    percentile: { minimum: 1, maximum: 99 },
    age: { minimum: 0, maximum: 120 },
    value: { exclusiveMinimum: 0 },
    idempotencyKey: { maxLength: 255, hours: 24 },
  };
}

function endpoints() {
  const meta = [
    {
      method: 'GET',
      path: '/',
      auth: false,
      description: 'This catalog.',
      response: 'The catalog: a JSON object.',
    },
    {
      method: 'GET',
      path: '/health',
      auth: false,
      description: 'Liveness check.',
      response: { ok: 'boolean', service: 'string', env: 'preview or production' },
    },
  ];
  const priced = OPERATIONS.map((operation) => ({
    method: 'POST',
    path: operation.path,
    auth: true,
    description: operation.description,
    cost: operation.price,
    request: {
      required: operation.request.required,
      fields: Object.fromEntries(
        Object.entries(operation.request.properties).map(([name, field]) => [
          name,
          brief(field as Record<string, unknown>),
        ]),
      ),
    },
    example: operation.example,
    response: operation.response,
  }));
  return [...meta, ...priced];
}

/** A field's schema with the two long lists replaced by where the catalog gives them. */
function brief(field: Record<string, unknown>): Record<string, unknown> {
  const list = field.enum as readonly string[] | undefined;
  if (list?.length === MEASUREMENT_NAMES.length) {
    const { enum: _, ...rest } = field;
    return { ...rest, values: 'enums.measurements' };
  }
  if (list?.length === COUNTRY_CODES.length) {
    const { enum: _, ...rest } = field;
    return { ...rest, values: 'enums.countries' };
  }
  if (field.items !== undefined) {
    return { ...field, items: brief(field.items as Record<string, unknown>) };
  }
  return field;
}
