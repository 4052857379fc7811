import { modeOfAccount } from '../billing/gate.js';
import type { RateState } from '../core/billing-terms.js';
import { parseInPieces } from '../core/json-pieces.js';
import { POPULATION_BODY_BYTES_MAX } from '../core/limits.js';
import { inTurns, type Pieces } from '../core/pieces.js';
import { refuseRepeatedKeys } from '../core/repeated-keys.js';
import { BodyRefused, type Caller, type LargeBody } from './caller.js';
import type { Charging } from './charging.js';
import { ComputeError, takeTurn } from './pool.js';
import { type ComputeBudget, type Spender, type Turn, Turns } from './queue.js';
import {
  bodiesBusy,
  clientLeft,
  type MeteredRefusal,
  processorTimeSpent,
  serviceBusy,
} from './refusals.js';

/** Large bodies that are received, wait or are read at once: 1 MB each, and ten times that once read. */
const BODIES_MAX = 64;
/** The same of one account and mode. */
export const BODIES_OF_ACCOUNT_MAX = 16;
/** Bodies that are read and validated at once; one more if it is not very large. */
const READ_AT_ONCE = 2;
/** Bodies that wait for that. */
const WAITING_MAX = 32;
const WAIT_LIMIT_MS = 10_000;
/** Reading and validating one character takes about so long. */
const READ_MS = 1.5e-4;

/**
 * Requests with large bodies, which take long to read and to validate. The event loop does this in pieces
 * of a millisecond, for few bodies at once, so that light requests do not wait. Accounts take turns as for
 * computations, and pay with their processor time.
 */
export class LargeBodies {
  readonly #charging: Charging;
  readonly #budget: ComputeBudget | undefined;
  readonly #turns = new Turns({ places: READ_AT_ONCE, waitingMax: WAITING_MAX, freeMax: 0 });
  /** Bodies of each account. */
  readonly #bodies = new Map<string, number>();

  constructor(charging: Charging, budget: ComputeBudget | undefined) {
    this.#charging = charging;
    this.#budget = budget;
  }

  /** Counts a request before its body is received, or refuses it. Never rejects. */
  async enter(caller: Caller): Promise<LargeBody | MeteredRefusal> {
    const charging = this.#charging;
    const counted = await charging.count(caller);
    if (counted.kind === 'refusal') return charging.refused('none', counted);
    const { rate } = counted;
    const account = charging.accountOf(caller);
    const spender: Spender = { account, rank: modeOfAccount(account) };
    const refuse = (why: MeteredRefusal) => charging.refused('none', why);
    const emptyMs = (await this.#budget?.waitMs(spender)) ?? 0;
    if (emptyMs > 0) return refuse(processorTimeSpent(rate, Math.ceil(emptyMs / 1000)));
    const own = this.#bodies.get(account) ?? 0;
    if (own >= BODIES_OF_ACCOUNT_MAX) return refuse(bodiesBusy(rate, BODIES_OF_ACCOUNT_MAX));
    let all = 0;
    for (const count of this.#bodies.values()) all += count;
    if (all >= BODIES_MAX) return refuse(serviceBusy(rate));
    this.#bodies.set(account, own + 1);
    return this.#body(spender, rate);
  }

  #body(spender: Spender, rate: RateState): LargeBody {
    const turns = this.#turns;
    const left = new AbortController();
    let turn: Turn | undefined;
    let [hasPlace, usedMs, takenMs] = [true, 0, 0];
    const pay = (): void => {
      if (usedMs > takenMs) void this.#budget?.take(spender, usedMs - takenMs);
      takenMs = usedMs;
    };
    const work = async <Result>(pieces: Pieces<Result>): Promise<Result> => {
      try {
        return await inTurns(untilLeft(pieces, left.signal), (ms) => {
          usedMs += ms;
        });
      } finally {
        if (!hasPlace) pay();
      }
    };
    const rest = (): void => {
      turn?.end(usedMs);
      turn = undefined;
      pay();
      if (hasPlace) this.#leave(spender.account);
      hasPlace = false;
    };
    return {
      rate,
      async read(text, parse) {
        const isShort = text.length <= POPULATION_BODY_BYTES_MAX;
        const estimateMs = text.length * READ_MS;
        const request = { ...spender, isShort, isPaid: false, estimateMs };
        try {
          turn = await takeTurn(turns, request, WAIT_LIMIT_MS, left.signal);
          return await work(read(text, parse));
        } catch (error) {
          const isOver = error instanceof ComputeError || left.signal.aborted;
          throw isOver ? new BodyRefused(serviceBusy(rate)) : error;
        }
      },
      work,
      rest,
      close() {
        left.abort();
        rest();
      },
    };
  }

  #leave(account: string): void {
    const others = (this.#bodies.get(account) ?? 1) - 1;
    if (others === 0) this.#bodies.delete(account);
    else this.#bodies.set(account, others);
  }
}

/** Parses a JSON text, and refuses one that names a member twice. */
function* read(text: string, parse: (part: string) => unknown): Pieces<unknown> {
  const value = yield* parseInPieces(text, parse);
  yield* refuseRepeatedKeys(text);
  return value;
}

/** Ends the work when nobody waits for it any more. */
function* untilLeft<Result>(pieces: Pieces<Result>, left: AbortSignal): Pieces<Result> {
  for (;;) {
    if (left.aborted) throw clientLeft();
    const { done, value } = pieces.next();
    if (done === true) return value;
    yield;
  }
}
