import { FAULTS_LISTED_MAX, PERCENT_ORDINALS } from './limits.js';

/** Error codes with their HTTP status and title (specification, 7; decision 0001). */
export const ERRORS = {
  validation_error: { status: 400, title: 'The request is not valid' },
  unknown_measurement: { status: 400, title: 'Unknown measurement' },
  unknown_clothing: { status: 400, title: 'Unknown clothing profile' },
  unknown_posture: { status: 400, title: 'Unknown posture profile' },
  unauthorized: { status: 401, title: 'Missing or invalid API key' },
  free_tier_exhausted: { status: 402, title: 'Free tier used up' },
  insufficient_credits: { status: 402, title: 'Not enough credits' },
  model_not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  replay_expired: { status: 409, title: 'The answer cannot be repeated' },
  unsupported_media_type: { status: 415, title: 'The body is encoded' },
  gender_not_supported: { status: 422, title: 'Gender not supported' },
  value_out_of_range: {
    status: 422,
    title: `Value outside the ${PERCENT_ORDINALS.minimum} to ${PERCENT_ORDINALS.maximum} percentile`,
  },
  value_implausible: { status: 422, title: 'A value that no person has' },
  body_out_of_reach: { status: 422, title: 'The shape of the body cannot reach this person' },
  target_out_of_space: { status: 422, title: 'A target that nobody can have' },
  product_not_fitted: { status: 422, title: 'The product has no sizes with rules' },
  population_empty: { status: 422, title: 'Nobody is left in the population' },
  computation_too_large: { status: 422, title: 'The computation is too large' },
  idempotency_conflict: { status: 422, title: 'Idempotency key already used' },
  rate_limited: { status: 429, title: 'Too many requests' },
  service_busy: { status: 503, title: 'Too many requests wait' },
  inference_error: { status: 500, title: 'The prediction failed' },
  internal_error: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, { status: number; title: string }>;

/** One of the error codes. */
export type ErrorCode = keyof typeof ERRORS;

/** Whether the same request may succeed a little later. */
export function isTemporary(code: string): boolean {
  return code === 'rate_limited' || code === 'service_busy';
}

/** Seconds after which a client may ask a busy service again. */
export const BUSY_RETRY_SECONDS = 5;

/**
 * What is wrong, as a rule and its arguments. Each door words it: fields of a request have other names in a tool, on a
 * command line and on a page.
 */
export interface Sentence {
  /** The sentence with a gap, such as `{0}`, for each argument. */
  readonly rule: string;
  readonly arguments: readonly Argument[];
}

/** An argument of a rule: a value, a field, or a part of a sentence with a rule of its own. */
export type Argument = string | number | RequestField | Sentence;

/** A field of the request, as an argument of a rule. */
interface RequestField {
  /** JSON pointer (RFC 6901). */
  readonly field: string;
  /** The name if the sentence has named the object that contains the field. Pages do not use it. */
  readonly short?: string | undefined;
}

/** One fault of a request body: its place (JSON pointer, RFC 6901) and what to do about it. */
export interface Fault extends Sentence {
  readonly pointer: string;
}

/** A field of the request, as an argument of a rule. */
export const field = (pointer: string, short?: string): RequestField => ({ field: pointer, short });

/** Tag of a sentence with arguments, such as ``said`${field('/age')} is required; add it.` ``. */
export function said(parts: TemplateStringsArray, ...args: Argument[]): Sentence {
  const rule = parts.reduce((before, part, i) => `${before}{${i - 1}}${part}`);
  return { rule, arguments: args };
}

/** Tag of a fault of a field: ``fault('/sizes')`The sizes contradict each other.` ``. */
export const fault =
  (pointer: string) =>
  (parts: TemplateStringsArray, ...args: Argument[]): Fault => ({
    pointer,
    ...said(parts, ...args),
  });

/** Tag of a fault whose sentence begins with the field: ``wrong('/planes')`is empty.` ``. */
export const wrong =
  (pointer: string) =>
  (parts: TemplateStringsArray, ...args: Argument[]): Fault =>
    fault(pointer)`${field(pointer)} ${said(parts, ...args)}`;

/** How a door words refusals. */
export interface Wording {
  /** The name of a field. */
  field(pointer: string, short?: string): string;
  /** Rules that this door words differently. */
  readonly rules: Readonly<Record<string, string>>;
}

/** The wording of REST: fields have the path that they have in JSON, such as `population.groups[0].ageMin`. */
export const REST_WORDING: Wording = {
  field(pointer, short) {
    if (short !== undefined) return short;
    if (pointer === '') return 'The body';
    return pointer
      .slice(1)
      .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
      .replaceAll('/', '.')
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
  },
  rules: {},
};

/** Rules about lists of names, for a door that has other ways to read them. */
export const listedBy = (catalog: string, products: string): Wording['rules'] => ({
  'GET / lists the {0} known ones': `${catalog} lists the {0} known ones`,
  'GET / lists both': `${catalog} lists both`,
  'GET {0} lists all {1}.': products,
});

/** A sentence in the words of a door. */
export function inWords(sentence: Sentence | string, wording = REST_WORDING): string {
  if (typeof sentence === 'string') return sentence;
  const rule = wording.rules[sentence.rule] ?? sentence.rule;
  return rule.replace(/\{(\d+)\}/g, (_, gap) => {
    const argument = sentence.arguments[gap] as Argument;
    if (typeof argument !== 'object') return String(argument);
    if ('rule' in argument) return inWords(argument, wording);
    return wording.field(argument.field, argument.short);
  });
}

/** The problem with all its sentences in the words of a door. */
export function worded(problem: Problem, words: (sentence: Sentence | string) => string): Problem {
  const { errors, ...extras } = problem.extras;
  const told = errors?.map((one) => ({ pointer: one.pointer, ...said`${words(one)}` }));
  const all = told === undefined ? extras : { ...extras, errors: told };
  return new Problem(problem.code, words(problem.sentence), all);
}

/** JSON pointer of a field: `~` and `/` in its name become `~0` and `~1` (RFC 6901, 3). */
export function pointerTo(parent: string, name: string): string {
  const escaped = /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
  return `${parent}/${escaped}`;
}

/** A dimension of a body: the asked value, and the nearest value that the shape can have. */
export interface Residual {
  readonly measurement: string;
  readonly asked: number;
  readonly achieved: number;
  readonly difference: number;
}

/** Members of a problem that only some codes carry. */
export interface ProblemExtras {
  /** At most `FAULTS_LISTED_MAX` faults. If there are more, the first ones are kept. */
  readonly errors?: readonly Fault[];
  /** Faults that `errors` does not list. */
  readonly errorsOmitted?: number;
  /** The time when the free tier can pay for the request again, ISO 8601. */
  readonly resets_at?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly unit?: string;
  /** Residuals of a body that cannot be built, in `unit`, largest first. */
  readonly residuals?: readonly Residual[];
  /** The HTTP status, if it differs from that in `ERRORS`, such as 413 for a body over the limit. */
  readonly status?: number;
}

/** A refusal or failure that the caller sees. It is sent as RFC 9457 problem details. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The message before a door words it. `message` has the words of REST. */
  readonly sentence: Sentence | string;
  readonly extras: ProblemExtras;

  constructor(code: ErrorCode, sentence: Sentence | string, extras: ProblemExtras = {}) {
    // A refusal is no fault of the program, so it needs no stack. Recording a stack takes longer than the rest of the
    // refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(inWords(sentence));
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Problem';
    this.code = code;
    this.sentence = sentence;
    this.status = extras.status ?? ERRORS[code].status;
    this.extras = withFewFaults(extras);
  }
}

/** The refusal of faults. Its message is that of the first fault. */
export function refusalOf(
  code: ErrorCode,
  faults: readonly [Fault, ...Fault[]],
  extras: ProblemExtras = {},
): Problem {
  return new Problem(code, faults[0], { ...extras, errors: faults });
}

/**
 * A fault of the service; the cause is in the log and is not shown to the caller.
 *
 * @param charge a sentence that says what is known of the charge
 */
export function internalError(charge = ''): Problem {
  const sentences = [
    'Something failed on our side.',
    charge,
    'Report the request_id if it persists.',
  ];
  return new Problem('internal_error', sentences.filter((one) => one !== '').join(' '));
}

function withFewFaults(extras: ProblemExtras): ProblemExtras {
  const { errors = [], errorsOmitted = 0 } = extras;
  const excess = errors.length - FAULTS_LISTED_MAX;
  if (excess <= 0) return extras;
  const listed = errors.slice(0, FAULTS_LISTED_MAX);
  return { ...extras, errors: listed, errorsOmitted: errorsOmitted + excess };
}

/** The problem as RFC 9457 members; `message` repeats `detail` (decision 0001). */
export function problemBody(problem: Problem, requestId: string): Record<string, unknown> {
  const body: Record<string, unknown> = {
    type: `/docs#error-${problem.code}`,
    title: ERRORS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    message: problem.message,
    request_id: requestId,
  };
  const { errors, status: _, ...members } = problem.extras;
  if (errors !== undefined) {
    body.errors = errors.map((one) => ({ pointer: one.pointer, message: inWords(one) }));
  }
  // An object made with spread syntax is slow to write as JSON.
  return Object.assign(body, members);
}

/** An error with a reason from a list. Its name is that of its class. */
export class ReasonError<Reason extends string> extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What stands for a part of an answer that may be refused; other errors are thrown on. */
export function nothingIfRefused(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
