// Limits of requests (specification, 8), stated once: schemas, texts and checks are made from these.

/** Exact age in years. */
export const AGE_LIMITS = { minimum: 0, maximum: 120 } as const;
/** Percentiles, and shares of people in percent. */
export const PERCENT_LIMITS = { minimum: 1, maximum: 99 } as const;
/** The same as ordinals. */
export const PERCENT_ORDINALS = { minimum: '1st', maximum: '99th' } as const;
/** Percentiles in one request. */
export const PERCENTILES_LIMITS = { minItems: 1, maxItems: 20 } as const;
/** Countries in one request. */
export const COUNTRIES_LIMITS = { minItems: 1, maxItems: 10 } as const;
/** Largest request body in bytes; a valid request needs a fiftieth of it. */
export const BODY_BYTES_MAX = 16 * 1024;
/** Largest body of a request about a population, in bytes. */
export const POPULATION_BODY_BYTES_MAX = 128 * 1024;
/** Largest body of a batch of requests, in bytes. */
export const BATCH_BODY_BYTES_MAX = 1024 * 1024;
/** Longest answer that is stored for an idempotency key, in characters (decision 0028). */
export const STORED_ANSWER_CHARS_MAX = 256 * 1024;
/** Longest answer of a tool over MCP that can be long, in bytes. */
export const TOOL_ANSWER_BYTES_MAX = 25_000;
/** Longest idempotency key (decision 0001). */
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;
