import {
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_HOURS,
  IDEMPOTENCY_TTL_HOURS,
  PACKS,
  RATE_WINDOW_SECONDS,
} from '../core/billing-terms.js';
import { COUNTRIES, COUNTRY_CODES } from '../core/countries.js';
import { COUNTRY_SETS } from '../core/country-sets.js';
import { ERRORS, type ErrorCode } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import {
  AGE_LIMITS,
  BATCH_BODY_BYTES_MAX,
  BODY_BYTES_MAX,
  BODY_REQUEST_BYTES_MAX,
  COUNTRIES_LIMITS,
  FAULTS_LISTED_MAX,
  IDEMPOTENCY_KEY_CHARS_MAX,
  PERCENT_LIMITS,
  PERCENT_ORDINALS,
  PERCENTILES_LIMITS,
  POPULATION_BODY_BYTES_MAX,
} from '../core/limits.js';
import { MEASUREMENT_NAMES, MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { CLOTHING, CLOTHING_IDS, POSTURE_IDS, POSTURES } from '../core/profiles.js';
import { UNITS } from '../core/units.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import { MASS_QUANTITIES } from '../lookup/format.js';
import { DEFAULTS, listOf } from './fields.js';
import { OPERATIONS } from './index.js';
import { PRODUCTS_PATH } from './product-request.js';

/** The operations that the catalog lists. */
const LISTED = OPERATIONS.filter(({ outsideCatalog }) => outsideCatalog !== true);

/** Names of the tools that the catalog lists. */
const TOOL_NAMES = LISTED.filter(({ outsideTools }) => outsideTools !== true).map(
  ({ name }) => name,
);

/** Describes the service in two sentences, for the catalog and the documentation. */
export const SERVICE_DESCRIPTION = `Predicts ${MEASUREMENT_NAMES.length} body measurements for people of either gender, aged ${AGE_LIMITS.minimum} to ${AGE_LIMITS.maximum}, in ${COUNTRY_CODES.length} countries: a value at a percentile, the percentile of a value, one dimension given another, what share of a population fits, and whole people to test with. For product design, sizing, ergonomics and research.`;

/** When each error code occurs and what to do about it. */
export const ERROR_NOTES: Readonly<Record<ErrorCode, string>> = {
  validation_error: `A field is missing, of the wrong type, out of range or not listed, the body is not a JSON object (413 over ${BODY_BYTES_MAX / 1024} KiB; a body ${BODY_REQUEST_BYTES_MAX / 1024} KiB, populations and people ${POPULATION_BODY_BYTES_MAX / 1024} KiB, bodies and a batch ${BATCH_BODY_BYTES_MAX / 1024} KiB), or its content type is not application/json. \`errors\` lists ${FAULTS_LISTED_MAX} faults with their JSON pointers, \`errorsOmitted\` counts the others.`,
  unknown_measurement: 'A measurement name is not in the catalog, which lists the known ones.',
  unknown_clothing: 'The clothing profile id is not in the catalog, which lists the known ones.',
  unknown_posture: 'The posture profile id is not in the catalog, which lists the known ones.',
  unauthorized:
    'The Authorization header is missing or does not hold a valid API key. Send `Authorization: Bearer <API_KEY>`.',
  free_tier_exhausted:
    'The paid balance is 0 and the free tier is used up. `resets_at` says when it covers this request again.',
  insufficient_credits:
    'The paid balance, or what is left of the free tier, does not cover the request. Buy credits or ask for less. Live keys of an account with debts are refused in the same way; the next purchase pays the debts first.',
  model_not_found:
    'There is no such route, no prediction model for the dimension in that posture or at that age, or no body for the age or in this version of the data.',
  method_not_allowed:
    'The path exists, but not with this method. The header `Allow` lists the methods of the path.',
  unsupported_media_type: 'The body has a `Content-Encoding`. Send it without compression.',
  gender_not_supported: 'The dimension is not defined for that gender.',
  value_out_of_range: `The value lies outside the ${PERCENT_ORDINALS.minimum} to ${PERCENT_ORDINALS.maximum} percentile of the population; \`minimum\` and \`maximum\`, in \`unit\`, would be answered.`,
  value_implausible:
    'A known value is one that no person has, known values contradict each other or fewer than one person in ten million has them together, a limit leaves nobody where another unit would leave somebody, or one size of a chart would serve everybody. The text says which unit was probably meant, of a known value which values would be believed, and of values that contradict each other the two fields that fit least.',
  body_out_of_reach:
    'One closed shape cannot have all of these measurements: a difference would be above 25 mm. `residuals` lists what was asked and what was achieved, in `unit`, the largest difference first. Several bodies are refused with it only if none of them can be built.',
  target_out_of_space:
    'A target lies beyond 3 m, inside the body, or so near the origin that its numbers are probably of another unit. The text says the nearest place that is possible, or the unit.',
  product_not_fitted:
    'The product has a size chart or a scene, but no sizes with rules. The text has the request of size_chart or reach_share to send instead.',
  population_empty:
    'The conditions in `keep` leave fewer than 1,000 people, or less than 0.1 % of the groups, or nobody of one group. The text says how many are left, or which group is empty.',
  computation_too_large:
    'The request needs more computing than one request may. The text says what to ask less of. Nothing was charged.',
  idempotency_conflict: `The Idempotency-Key was used for another request body within ${IDEMPOTENCY_TTL_HOURS} hours. Use a new key.`,
  replay_expired:
    'A long answer is computed again for its Idempotency-Key, and the version of its data is gone. Nothing was charged. Use a new key.',
  rate_limited:
    'Too many requests, or the account has too many computations at once or no processor time left. `Retry-After` has the seconds to wait.',
  service_busy:
    'Too many computations or large bodies wait, or this one has waited too long. Nothing was charged. `Retry-After` has the seconds to wait.',
  inference_error: 'The prediction failed on our side. Nothing was charged; report `request_id`.',
  internal_error:
    'A fault on our side. The text says whether nothing was charged. If this is not known, repeat the request with the same Idempotency-Key: it is charged at most once. Report `request_id` if it persists.',
};

/** Limits that the configuration sets. */
export interface CatalogLimits {
  /** Requests a key may make in one rate-limit window. */
  readonly rateLimitMax: number;
}

/** The answer of `GET /` and of the MCP tool `get_catalog`. */
export function buildCatalog({ rateLimitMax }: CatalogLimits) {
  return {
    name: SERVICE_NAME,
    version: SERVICE_VERSION,
    description: SERVICE_DESCRIPTION,
    authentication: {
      type: 'bearer',
      header: 'Authorization: Bearer <API_KEY>',
      description:
        'All /v1 routes and /mcp need an API key; GET / and GET /health need none. Keys begin with vt_live_ or vt_test_. Test keys get the same answers and spend a separate test ledger, never the live balance.',
    },
    mcp: {
      path: '/mcp',
      transport: 'streamable-http',
      auth: 'bearer',
      description:
        'Remote Model Context Protocol endpoint (revision 2026-07-28, and 2025-11-25, 2025-06-18 and 2025-03-26 for older clients) with the same operations as tools, at the same prices and limits as their routes; get_catalog is free and takes filters. A call with _meta["vitruvia/idempotency-key"] can be repeated without charge, as with the Idempotency-Key header.',
      tools: ['get_catalog', ...TOOL_NAMES],
    },
    defaults: DEFAULTS,
    billing: billing(),
    limits: limits(rateLimitMax),
    enums: {
      genders: GENDERS,
      units: UNITS,
      countries: COUNTRY_CODES,
      measurements: MEASUREMENT_NAMES,
      bodyQuantities: MASS_QUANTITIES,
      clothing: CLOTHING_IDS,
      postures: POSTURE_IDS,
    },
    profiles: { clothing: CLOTHING, postures: POSTURES },
    countries: COUNTRIES.map(({ code, name }) => ({ code, name })),
    countrySets: COUNTRY_SETS,
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

/** The catalog's entry of a dimension. */
export function catalogEntry({ name, definition, kind, genders, postures }: Measurement) {
  return { name, definition, kind, genders, postures };
}

function billing() {
  return {
    unit: 'one credit or one free call',
    costs: Object.fromEntries(LISTED.map(({ path, price }) => [`POST ${path}`, price])),
    rules: [
      'If the paid balance is above 0, it alone pays for every successful call; paid credits and free calls are never mixed in one call.',
      `At a paid balance of 0 the free tier pays: ${FREE_CALLS_PER_WINDOW} calls per rolling ${FREE_WINDOW_HOURS} hours for each account. The answer then carries remaining_free_calls.`,
      'When neither covers the call the answer is 402 and nothing is charged.',
      'If a payment was reversed after its credits had been spent, the account owes them; until a purchase has paid them, its live keys are refused.',
      `Failed requests are not charged. One exception: after a 500 or 503, or when no answer arrives, it may not be known whether the request was charged. A retry with the same Idempotency-Key within ${IDEMPOTENCY_TTL_HOURS} hours is then safe and free: the request is charged at most once.`,
      `A request repeated with the same Idempotency-Key within ${IDEMPOTENCY_TTL_HOURS} hours returns the first answer without charge, with the header Idempotent-Replayed: true.`,
    ],
    packs: PACKS,
  };
}

function limits(rateLimitMax: number) {
  return {
    rate: { requests: rateLimitMax, seconds: RATE_WINDOW_SECONDS, per: 'API key' },
    freeTier: { calls: FREE_CALLS_PER_WINDOW, hours: FREE_WINDOW_HOURS, per: 'account' },
    bodyBytes: BODY_BYTES_MAX,
    percentiles: { ...PERCENTILES_LIMITS, unique: true },
    countries: { ...COUNTRIES_LIMITS, unique: true },
    percentile: PERCENT_LIMITS,
    age: AGE_LIMITS,
    value: { exclusiveMinimum: 0 },
    idempotencyKey: { maxLength: IDEMPOTENCY_KEY_CHARS_MAX, hours: IDEMPOTENCY_TTL_HOURS },
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
    {
      method: 'GET',
      path: PRODUCTS_PATH,
      auth: true,
      description:
        'The products of product_fit, size_chart and reach_share, with the sources of their rules. Free; counts against the rate limit.',
      response: 'A JSON object with the list `products`.',
    },
  ];
  const priced = LISTED.map((operation) => ({
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

/** A field's schema. It refers to the catalog instead of repeating the two long lists. */
function brief(field: Record<string, unknown>): Record<string, unknown> {
  const { enum: names, ...rest } = field;
  const list = listOf(names as readonly string[] | undefined);
  if (list === 'bodyMeasurements') {
    return { ...rest, values: 'enums.measurements, enums.bodyQuantities' };
  }
  if (list === 'measurements' || list === 'countries') return { ...rest, values: `enums.${list}` };
  if (field.items !== undefined) {
    return { ...field, items: brief(field.items as Record<string, unknown>) };
  }
  return field;
}
