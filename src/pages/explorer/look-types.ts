/** The call of the API that gives the exact numbers of a view. */
export interface ExactCall {
  /** Name of the operation and of the MCP tool. */
  readonly operation: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Why the exact point has no answer, as the API would say it. */
export interface LookRefusal {
  readonly code: string;
  readonly detail: string;
}

/** The members of the answers that a view shows; which there are, depends on the call. */
export interface ExactAnswer {
  readonly value?: number;
  readonly percentile?: number;
  readonly values?: readonly {
    readonly country?: string;
    readonly percentile?: number;
    readonly value: number;
  }[];
  readonly conditionalMean?: number;
  readonly lowerBound?: number;
  readonly upperBound?: number;
  readonly unit: string;
}

/** A quantile curve coarse enough for a picture: a length at each percentile. */
export interface CoarseCurve {
  readonly percentiles: readonly number[];
  readonly values: readonly number[];
}

/** A country's distribution. */
export interface CountryCurve extends CoarseCurve {
  readonly country: string;
}

/** Ages without a model, and what the API says of them. */
export interface AgeGap {
  readonly fromYears: number;
  readonly toYears: number;
  readonly reason: string;
}

/** A line over the ages; null where there is no model. */
export interface AgeLine {
  readonly country: string;
  readonly percentile: number;
  readonly values: readonly (number | null)[];
}

/** What is drawn, by kind of view. */
export type Picture =
  | { readonly kind: 'distribution'; readonly curves: readonly CountryCurve[] }
  | {
      readonly kind: 'ages';
      readonly agesYears: readonly number[];
      readonly lines: readonly AgeLine[];
      readonly gaps: readonly AgeGap[];
    }
  | {
      readonly kind: 'connected';
      /** The known dimension in the whole population. */
      readonly anchor: CoarseCurve;
      /** The second dimension in the whole population. */
      readonly linked: CoarseCurve;
      /** The second dimension among those whose first one is known. */
      readonly given: CoarseCurve;
    };

/** The answer to one look: what a view needs, and no more. */
export interface Look {
  readonly call: ExactCall;
  /** The API's own answer to the call, or why there is none. */
  readonly answer?: ExactAnswer;
  readonly refusal?: LookRefusal;
  readonly picture: Picture;
}

/** How a look is refused: RFC 9457 problem details. */
export interface LookProblem {
  readonly code: string;
  readonly detail: string;
  readonly status: number;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  /** Seconds to wait before the next look. */
  readonly retryAfterSeconds?: number;
}
