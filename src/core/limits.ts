// Limits of requests (specification, 8). Schemas, texts and checks all use these values.

/** Exact age in years. */
export const AGE_LIMITS = { minimum: 0, maximum: 120 } as const;
/** Percentiles, and shares of people in percent. */
export const PERCENT_LIMITS = { minimum: 1, maximum: 99 } as const;
/** The limits of percentiles as ordinals. */
export const PERCENT_ORDINALS = { minimum: '1st', maximum: '99th' } as const;
/** Maximum number of faults that a refusal lists. The refusal also says how many more there are. */
export const FAULTS_LISTED_MAX = 20;
/** Percentiles in one request. */
export const PERCENTILES_LIMITS = { minItems: 1, maxItems: 20 } as const;
/** Countries in one request. */
export const COUNTRIES_LIMITS = { minItems: 1, maxItems: 10 } as const;
/** Maximum size of a request body in bytes. A valid request needs a fiftieth of this size. */
export const BODY_BYTES_MAX = 16 * 1024;
/** Largest body of a batch of requests, in bytes. */
export const BATCH_BODY_BYTES_MAX = 1024 * 1024;
/**
 * Limits on the content of a request body larger than `BODY_BYTES_MAX`. A body with many objects, fields or values
 * takes long to read. The largest valid batch reaches half of these limits.
 */
export const JSON_LIMITS = {
  containers: { max: 10_000, words: 'objects and lists' },
  fields: { max: 25_000, words: 'fields' },
  fieldsOfOne: { max: 500, words: 'fields in one object' },
  values: { max: 250_000, words: 'values' },
  levels: { max: 32, words: 'levels' },
} as const;
/** Maximum length of an answer that is stored for an idempotency key, in characters (decision 0005). */
export const STORED_ANSWER_CHARS_MAX = 256 * 1024;
/** Maximum length of an MCP tool's answer, in bytes, for tools whose answers can be long. */
export const TOOL_ANSWER_BYTES_MAX = 25_000;
/** Maximum length of an idempotency key (decision 0001). */
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;

/**
 * Number of requests in a batch: `toolItems` is the maximum over MCP, and `computed` the maximum of long computations.
 */
export const BATCH_LIMITS = { minItems: 1, maxItems: 1000, toolItems: 60, computed: 20 } as const;
/** Maximum size, in bytes, of the refusal of one request of a batch, and of all refusals of the batch together. */
export const BATCH_REFUSAL_BYTES_MAX = { one: 2000, all: 64_000 } as const;
/** Number of requests of a batch that count as one request against the rate limit. */
export const BATCH_PER_HIT = 100;
/** Groups of a population. */
export const GROUPS_LIMITS = { minItems: 1, maxItems: 50 } as const;
/** Limits of a length or a mass in a request, in its unit. All people are within them. */
export const QUANTITY_LIMITS = { minimum: 0.001, maximum: 100_000 } as const;
/** Limits of the range that one size serves. No tape measures finer steps. */
export const TOLERANCE_LIMITS = { minimum: 0.01, maximum: 100_000 } as const;
/** Conditions that the people of a population meet. */
export const KEEP_LIMITS = { minItems: 1, maxItems: 5 } as const;
/** Years with drivers of bodies (decision 0032). */
export const YEAR_LIMITS = { minimum: 1990, maximum: 2035 } as const;
/** Year of the head counts in the artifacts (`data/raw/wpp2022`). It does not depend on the year of the bodies. */
export const HEAD_COUNT_YEAR = 2022;
/** Percentiles of populations. */
export const PERSON_PERCENT_LIMITS = { minimum: 0.1, maximum: 99.9 } as const;
/** Share of people that a design is to accommodate. */
export const TARGET_SHARE_LIMITS = { minimum: 0.5, maximum: 0.999 } as const;
/** People sampled in one request. */
export const SAMPLE_LIMITS = { minimum: 1, maximum: 10_000 } as const;
/** Maximum number of people in one answer over MCP. */
export const TOOL_PEOPLE_MAX = 50;
/** Seeds of samples. */
export const SEED_LIMITS = { minimum: 0, maximum: 2 ** 32 - 1 } as const;
/** `keep` must leave at least this number of people of a population, and at least this share of its groups. */
export const PEOPLE_MIN = 1000;
export const KEPT_SHARE_MIN = 0.001;
/** Maximum size of a request for one body in three dimensions, and of a request for several bodies, in bytes. */
export const BODY_REQUEST_BYTES_MAX = 64 * 1024;
export const BODIES_REQUEST_BYTES_MAX = 1024 * 1024;
/** People of a request for several bodies. */
export const BODIES_LIMITS = { minItems: 1, maxItems: 32 } as const;
/** Maximum size of the body of a request about a population, in bytes. */
export const POPULATION_BODY_BYTES_MAX = 128 * 1024;
