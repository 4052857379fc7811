import type { MetricsJson } from '../metrics/cluster-metrics.js';
import type { SwitchOutcome } from '../model-switch.js';

/** What the primary asks of a process that serves; each but `stop` is answered under its number. */
export type Order =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload'; readonly ask: number }
  | { readonly kind: 'metrics'; readonly ask: number };

/** What a process that serves tells the primary. */
export type Report =
  | { readonly kind: 'listening'; readonly address: string }
  /** It cannot start; the fields are those of a refusal of the command line. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly exitCode: 1 | 2;
    }
  | { readonly kind: 'reloaded'; readonly ask: number; readonly outcome: SwitchOutcome }
  | { readonly kind: 'metrics'; readonly ask: number; readonly metrics: MetricsJson };
