import type { MetricsJson } from '../metrics/cluster-metrics.js';
import type { SwitchOutcome } from '../model-in-use.js';

/** A serving process tells the primary at this interval that its event loop runs. */
export const BEAT_MS = 500;

/** Requests of the primary to a serving process. Answers carry the number of the request. */
export type Order =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload'; readonly ask: number }
  | { readonly kind: 'metrics'; readonly ask: number };

/** Messages of a serving process to the primary. */
export type Report =
  | { readonly kind: 'alive' }
  | { readonly kind: 'listening'; readonly address: string }
  /** The process cannot start. The fields are those of a failure of the command line. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly exitCode: 1 | 2 | 3;
    }
  | { readonly kind: 'reloaded'; readonly ask: number; readonly outcome: SwitchOutcome }
  | { readonly kind: 'metrics'; readonly ask: number; readonly metrics: MetricsJson };
