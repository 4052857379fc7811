import { readFileSync, readlinkSync } from 'node:fs';
import { BoundedMap } from '../core/bounded-map.js';
import { MINUTE_MS } from '../core/time.js';

/** Payment: live credits, test credits or none. It decides which computation comes first. */
export const PRIORITIES = ['live', 'test', 'free'] as const;
/** One of these kinds of payment. */
export type Priority = (typeof PRIORITIES)[number];

/** Owner of a computation, and how it waits. */
export interface QueueRequest {
  readonly priority: Priority;
  /** Account and mode; computations of one account take turns among themselves. */
  readonly account: string;
  /** Whether the computation is estimated to end soon, so that it may use the reserved place. */
  readonly isShort: boolean;
  /** Estimated processor time: it counts until the processor time is known. */
  readonly estimateMs?: number | undefined;
  /**
   * Whether this is a further chunk of an answer that is already paid. A full queue does not refuse
   * such a chunk, and a place is kept for such chunks.
   */
  readonly isPaid: boolean;
  /** Called when the computation may begin. */
  begin(): void;
  /** Called if the queue is full and other computations come before this one. */
  displaced(): void;
}

/** A computation that waits or is under way. */
export interface Queued {
  /** The computation leaves the queue before it has begun. */
  leave(): void;
  /** A short computation has turned out to be long: its place is no longer the reserved one. */
  overrun(): void;
  /** The computation has ended, after `usedMs` of processor time. */
  end(usedMs: number): void;
}

/** Maximum numbers of computations that are under way and that wait. */
export interface QueueLimits {
  /**
   * Number of computations of any length at once. One more place is reserved for short computations
   * that somebody pays, and one for further chunks of answers.
   */
  readonly places: number;
  /** Computations that may wait. */
  readonly waitingMax: number;
  /** Of those, computations for which nobody pays. */
  readonly freeMax: number;
}

/** Accounts whose processor time is remembered, of each priority. */
const ACCOUNTS_MAX = 10_000;
/**
 * Processor time, ms, that counts for a computation without an estimate until its processor time is
 * known.
 */
const BEGUN_MS = 1;
/**
 * Part of its processor time that counts for a computation if its account had no other computation
 * when it asked.
 */
const ALONE_PART = 1 / 4;
/** Places besides those for computations of any length: for short ones, for chunks of answers, and for free ones. */
const RESERVED = 3;
/** Processor time for free computations that each ms of paid ones earns: one part in ten of both together. */
const FREE_PER_PAID = 1 / 9;
/** Maximum processor time, ms, that is saved for free computations: about that of the pictures of a page. */
const FREE_SAVED_MS = 2000;
/** Maximum number of overrun computations under way besides those that have a place. */
const OVERRUN_MAX = 1;

interface Entry {
  readonly request: QueueRequest;
  /** Order of arrival. */
  readonly number: number;
  /** How much of its processor time counts. */
  readonly part: number;
  isLong: boolean;
  /** Whether it uses the place of free computations. */
  isDue: boolean;
  state: 'waiting' | 'running' | 'over';
}

/** The time of a priority: it rises as its computations begin. */
interface PriorityTime {
  ms: number;
  /** Processor time that each account has used, counted from the time at which it came. */
  readonly used: BoundedMap<string, number>;
}

/**
 * Decides which computation comes next. Live computations come before those of test keys, and these
 * before free ones. Within a priority, the account that has used the least processor time comes
 * next (start-time fair queueing: Goyal, Vin and Cheng, "Start-time Fair Queueing", SIGCOMM 1996).
 * So accounts with similar computations take turns, and an account with few small computations does
 * not wait for accounts with many large ones. A new account starts where the others are, not at
 * zero. A computation counts a quarter if its account has no other computation. So an account that
 * waits for each answer gets four turns for each turn of an account that always has a computation
 * in the queue.
 *
 * Free computations use the places that payers leave. If payers leave none, free computations get one part in ten of the
 * processor time, in a place of their own. So no payer waits for a free computation.
 */
export class ComputeQueue {
  readonly #limits: QueueLimits;
  readonly #priorities: Readonly<Record<Priority, PriorityTime>>;
  #waiting: Entry[] = [];
  readonly #running = new Set<Entry>();
  #last = 0;
  /** Processor time that is left for free computations in their own place, ms. It may be overdrawn once. */
  #freeMs = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    const time = (): PriorityTime => ({ ms: 0, used: new BoundedMap(ACCOUNTS_MAX) });
    this.#priorities = { live: time(), test: time(), free: time() };
  }

  /** Computations that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Maximum number of computations under way at once. */
  get runningMax(): number {
    return this.#limits.places + RESERVED + OVERRUN_MAX;
  }

  /**
   * Lets a computation wait for its turn, which may come at once. If the queue is full, the
   * computation whose turn would come last is displaced.
   *
   * @returns undefined if the new computation is displaced
   */
  add(request: QueueRequest): Queued | undefined {
    const entry: Entry = {
      request,
      number: ++this.#last,
      part: this.#hasOther(request) ? 1 : ALONE_PART,
      isLong: !request.isShort,
      isDue: false,
      state: 'waiting',
    };
    this.#join(request);
    this.#waiting.push(entry);
    this.#begin();
    if (entry.state === 'waiting' && !this.#makeRoom(entry)) return undefined;
    return {
      leave: () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
        entry.state = 'over';
      },
      overrun: () => {
        entry.isLong = true;
        this.#begin();
      },
      end: (usedMs) => {
        if (!this.#running.delete(entry)) return;
        entry.state = 'over';
        this.#use(entry, usedMs - estimateOf(request));
        this.#begin();
      },
    };
  }

  /** Whether the account has another computation waiting or under way. */
  #hasOther({ priority, account }: QueueRequest): boolean {
    const isOther = ({ request }: Entry) =>
      request.account === account && request.priority === priority;
    return this.#waiting.some(isOther) || [...this.#running].some(isOther);
  }

  /** Displaces a computation if too many wait. Returns false if that was the newcomer. */
  #makeRoom(newcomer: Entry): boolean {
    const { waitingMax, freeMax } = this.#limits;
    const free = this.#waiting.filter(isFree);
    const isFull = this.#waiting.length > waitingMax;
    const candidates = free.length > freeMax ? free : isFull ? this.#waiting : [];
    const last = candidates
      .filter(({ request }) => !request.isPaid)
      .reduce<Entry | undefined>((worst, one) => {
        return worst === undefined || this.#isBefore(worst, one) ? one : worst;
      }, undefined);
    if (last === undefined) return true;
    this.#waiting = this.#waiting.filter((other) => other !== last);
    last.state = 'over';
    if (last === newcomer) return false;
    last.request.displaced();
    return true;
  }

  /** Begins what may begin. */
  #begin(): void {
    for (;;) {
      const next = this.#waiting
        .filter((entry) => this.#fits(entry))
        .reduce<Entry | undefined>((best, one) => {
          return best === undefined || this.#isBefore(one, best) ? one : best;
        }, undefined);
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      const { request } = next;
      next.isDue = isFree(next) && !this.#hasPlace();
      this.#running.add(next);
      next.state = 'running';
      const time = this.#priorities[request.priority];
      time.ms = Math.max(time.ms, this.#usedBy(request));
      this.#use(next, estimateOf(request));
      request.begin();
    }
  }

  #fits(entry: Entry): boolean {
    const { places } = this.#limits;
    const under = this.#under();
    const kind = kindOf(entry);
    if (kind === 'chunk' && under.chunk === 0) return this.#running.size < this.runningMax;
    // However many computations have overrun, a short computation gets a place, up to a limit.
    if (kind === 'short' && under.short === 0) return under.long < places + 1 + OVERRUN_MAX;
    if (this.#hasPlace()) return true;
    return isFree(entry) && this.#freeMs > 0 && ![...this.#running].some(isFree);
  }

  /** Whether one of the places for computations of any length is left. */
  #hasPlace(): boolean {
    const { places } = this.#limits;
    const under = this.#under();
    // The first short computation and the first chunk have places of their own.
    const [short, chunk] = [Math.max(0, under.short - 1), Math.max(0, under.chunk - 1)];
    return Math.min(under.long, places) + short + chunk < places;
  }

  /** Number of computations of each kind that are under way. */
  #under(): Record<Kind, number> {
    const under = { long: 0, short: 0, chunk: 0, due: 0 };
    for (const one of this.#running) under[kindOf(one)] += 1;
    return under;
  }

  #isBefore(one: Entry, other: Entry): boolean {
    const priority =
      PRIORITIES.indexOf(one.request.priority) - PRIORITIES.indexOf(other.request.priority);
    if (priority !== 0) return priority < 0;
    const used = this.#usedBy(one.request) - this.#usedBy(other.request);
    return used === 0 ? one.number < other.number : used < 0;
  }

  #usedBy({ priority, account }: QueueRequest): number {
    return this.#priorities[priority].used.get(account) ?? 0;
  }

  /** An account that has used little for a while gets only its turn, and no more. */
  #join({ priority, account }: QueueRequest): void {
    const { ms, used } = this.#priorities[priority];
    used.set(account, Math.max(ms, used.get(account) ?? 0));
  }

  #use({ request: { priority, account }, part, isDue }: Entry, ms: number): void {
    const { used } = this.#priorities[priority];
    used.set(account, (used.get(account) ?? 0) + ms * part);
    if (isDue) this.#freeMs -= ms;
    else if (priority !== 'free') {
      this.#freeMs = Math.min(FREE_SAVED_MS, this.#freeMs + ms * FREE_PER_PAID);
    }
  }
}

/** Which places a computation may use besides those for computations of any length; `due`: that of free ones. */
type Kind = 'long' | 'short' | 'chunk' | 'due';

function kindOf({ isLong, isDue, request }: Entry): Kind {
  if (isDue) return 'due';
  // A paying caller never waits for a free computation, not even for a short one.
  if (isLong || request.priority === 'free') return 'long';
  return request.isPaid ? 'chunk' : 'short';
}

const isFree = ({ request }: Entry): boolean => request.priority === 'free';

function estimateOf({ estimateMs = BEGUN_MS }: QueueRequest): number {
  return estimateMs;
}

/** Owner of processor time. */
export interface ComputeAccount {
  /** Account and mode, as the gate returns them. */
  readonly id: string;
  readonly priority: Priority;
}

/**
 * Limits how much processor time each account may use for computations. An account gets a fixed
 * amount per minute and may save some of it. Used time is taken when a computation has ended,
 * however it ended. So a budget may be overdrawn; the account then waits until its budget is above
 * zero.
 */
export interface ComputeBudget {
  /** Milliseconds until the account may begin a computation; 0 if it may now. Never rejects. */
  waitMs(account: ComputeAccount): Promise<number>;
  /** Takes processor time. Never rejects. */
  take(account: ComputeAccount, usedMs: number): Promise<void>;
}

/** A bucket: its largest level, and how fast it fills. */
export interface BucketSize {
  readonly mostMs: number;
  /** Processor time that comes back in a millisecond. */
  readonly perMs: number;
}

/** Minutes whose processor time an account may save. */
const SAVED_MINUTES = 2;
/** Test keys get one part in so many. */
const TEST_PART = 5;

/**
 * The bucket of an account.
 *
 * @param secondsPerMinute processor time that comes back in a minute to a live account
 */
export function bucketSize(priority: Priority, secondsPerMinute: number): BucketSize {
  const perMinuteMs = (secondsPerMinute * 1000) / (priority === 'live' ? 1 : TEST_PART);
  return { mostMs: perMinuteMs * SAVED_MINUTES, perMs: perMinuteMs / MINUTE_MS };
}

/** Maximum number of remembered budgets. A forgotten account has a full budget. */
const BUDGETS_MAX = 100_000;

interface Bucket {
  levelMs: number;
  /** When the level was that. */
  atMs: number;
}

/** Budgets in the memory of the one process that serves. A restart fills them. */
export class MemoryBudget implements ComputeBudget {
  readonly #secondsPerMinute: number;
  readonly #now: () => number;
  readonly #buckets = new BoundedMap<string, Bucket>(BUDGETS_MAX);

  /**
   * @param secondsPerMinute processor time that comes back in a minute to a live account
   * @param now a clock that never goes back, in milliseconds
   */
  constructor(secondsPerMinute: number, now: () => number = () => performance.now()) {
    this.#secondsPerMinute = secondsPerMinute;
    this.#now = now;
  }

  async waitMs(account: ComputeAccount): Promise<number> {
    const { perMs } = bucketSize(account.priority, this.#secondsPerMinute);
    const levelMs = this.#level(account);
    return levelMs > 0 ? 0 : Math.ceil((1 - levelMs) / perMs);
  }

  async take(account: ComputeAccount, usedMs: number): Promise<void> {
    const levelMs = this.#level(account) - usedMs;
    this.#buckets.set(account.id, { levelMs, atMs: this.#now() });
  }

  #level({ id, priority }: ComputeAccount): number {
    const { mostMs, perMs } = bucketSize(priority, this.#secondsPerMinute);
    const known = this.#buckets.get(id);
    if (known === undefined) return mostMs;
    return Math.min(mostMs, known.levelMs + (this.#now() - known.atMs) * perMs);
  }
}

// The processor time of threads, which other programs on the machine do not change (Linux, proc(5) and
// sched-stats.rst).

/** Number of this thread in the system; 0 outside Linux, where it is unknown. */
export function systemThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * Processor time of a thread of this process so far, in ms; undefined where the system does not tell it.
 *
 * @param threadId its number in the system; this thread by default
 */
export function processorMs(threadId?: number): number | undefined {
  const folder = threadId === undefined ? '/proc/thread-self' : `/proc/self/task/${threadId}`;
  try {
    // The first number is the time on a processor in ns.
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return undefined;
  }
}
