import type { AttackName, Statuses } from './attackers.js';
import type { AttackedService, LoopHold } from './service.js';

/** One finding: what was attacked, what was seen, and whether the service held. */
export interface Finding {
  readonly item: number | string;
  readonly what: string;
  readonly seen: string;
  /** Undefined for a figure that has no bound. */
  readonly held?: boolean;
}

/** How long to attack. */
export interface Plan {
  readonly attackers: number;
  readonly seconds: number;
  /** Minutes of the item `memory`. */
  readonly minutes: number;
  /** Those of item 2. */
  readonly attacks: readonly AttackName[];
}

/** An item: attacks a service and tells what it found, one by one. */
export type Item = (service: AttackedService, plan: Plan) => AsyncGenerator<Finding>;

/** Longest time for which what a client sends may hold the event loop. */
const HOLD_MAX_MS = 20;

/** Whether the event loop was held too long. */
export function loopHeld(
  item: number | string,
  name: string,
  { heldMs, delayMs }: LoopHold,
): Finding {
  const what = `${name}: longest hold of the event loop (≤ ${HOLD_MAX_MS} ms of processor time)`;
  const seen = `${ms(heldMs)} (longest delay by its metric ${ms(delayMs)})`;
  return { item, what, seen, held: heldMs <= HOLD_MAX_MS };
}

export const ms = (value: number): string =>
  `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
export const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
export const times = (value: number): string => `${value.toFixed(1)} ×`;
export const said = (statuses: Statuses): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`)
    .join(', ') || 'nothing';
export const first = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 160);
