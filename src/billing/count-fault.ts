import type { GateStep } from './gate.js';

/** What is wrong with a step whose cost or hits are no counts. */
export function countFault({ cost, hits }: GateStep): RangeError | undefined {
  if (Number.isSafeInteger(cost) && cost >= 0 && Number.isSafeInteger(hits) && hits >= 0) {
    return undefined;
  }
  return new RangeError(`Cost and hits are counts, not ${cost} and ${hits}.`);
}
