import type { Gate } from '../../src/billing/gate.js';
import { Meter } from '../../src/request/meter.js';
import type { Computer } from '../../src/request/pool.js';
import { tinyModel } from '../support/models.js';

/** A gate that decides each step as a test says. */
export const scriptedGate = (step: Gate['step'], more: Partial<Gate> = {}): Gate => ({
  knows: () => true,
  accountOf: () => 'a live',
  lookUp: async () => true,
  step,
  ready: async () => true,
  funds: async () => ({ paidCredits: 0, debtCredits: 0, freeUses: [] }),
  close: async () => undefined,
  ...more,
});

/** A meter with a gate and a computer, and what its log and its observer hear. */
export function scriptedMeter(gate: Gate, computer: Computer) {
  const logged: object[] = [];
  const seen: string[] = [];
  const note = (...args: unknown[]) => void seen.push(args.join(' '));
  const meter = new Meter({
    seedSecret: 'secret',
    gate,
    model: tinyModel,
    computer,
    log: { error: (details: object) => void logged.push(details) },
    observer: { answered: note, refused: note, keyRefused: () => undefined },
    returnCharge: async () => undefined,
  });
  return { meter, logged, seen };
}
