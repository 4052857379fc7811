import type { ShownUnit } from '../../site/lengths.js';

/** What the parts of a screen draw, and how they change the view. */
export interface PartsOf<View, Data> {
  readonly view: View;
  readonly data: Data;
  readonly unit: ShownUnit;
  choose(change: Partial<View>): void;
}

/** The API call that returns the exact numbers of a view. */
export interface ExactCall {
  /** Name of the operation and of the MCP tool. */
  readonly operation: string;
  readonly path: string;
  /** Price of an answer, in credits or free calls. */
  readonly credits: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Why the API refuses the exact call, with the code and the text of the API. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
}

/** Why a view has no data: RFC 9457 problem details. */
export interface ScreenProblem {
  readonly code: string;
  readonly detail: string;
  readonly status: number;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  /** Seconds to wait before the next request. */
  readonly retryAfterSeconds?: number;
  /** What the screen draws of a refused view. */
  readonly drawn?: object;
}

/** How well a median is known. */
export interface MedianEvidence {
  /** From A, measured in the country, to D. */
  readonly grade: string;
  /**
   * Half the width of the median’s 90 % interval, in mm, at the age in the middle of the population
   * (`middleAge`).
   */
  readonly errorMm: number;
  readonly basis: string;
  /** Countries whose people the surveys behind the median measured. */
  readonly measuredIn: readonly string[];
}
