import { type GateOutcome, modeOfAccount } from '../billing/gate.js';
import type { RateState } from '../core/billing-terms.js';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { STORED_ANSWER_CHARS_MAX } from '../core/limits.js';
import { CONTENT_TYPES, isInParts, PART_MS } from '../operations/answer-formats.js';
import { type Operation, randomSeed } from '../operations/operation.js';
import { estimatedWorkMs } from '../operations/work.js';
import { AnswerCache, type Part, type PartsEnd, partsInOrder } from './answer-parts.js';
import type {
  Caller,
  EarlierRequest,
  MeteredParts,
  MeteredResult,
  PerformOptions,
} from './caller.js';
import { type Charging, type Replayed, stepOf } from './charging.js';
import { type Recipe, recipeOf, recipeText, seedOf } from './idempotency.js';
import { ComputeError, type Computer } from './pool.js';
import type { Spender } from './queue.js';
import {
  accountBusy,
  clientLeft,
  type MeteredRefusal,
  processorTimeSpent,
  refusalOf,
  type StepOutcome,
  serviceBusy,
  tookTooLong,
} from './refusals.js';
import type { AnswerPart, ComputeResult } from './tasks.js';

/** Answers that are sent part by part at once in this process: each holds about two parts, 2 MB. */
const OPEN_MAX = 64;
/** A longer first part counts as several answers. */
const OPEN_BYTES = 2 * 1024 * 1024;
/** With so many, answers of test keys are refused, so that slow readers of these leave places to others. */
const TEST_OPEN_MAX = 32;

/** Outcomes that more funds would have changed. */
const SHORT_OF_FUNDS: readonly string[] = ['insufficient_credits', 'free_tier_exhausted'];

type Counted = Extract<GateOutcome, { kind: 'counted' }>;
type Charged = Extract<GateOutcome, { kind: 'charged' }>;

/** An answer, or the first part of one, before its charge. */
type Computed = Extract<ComputeResult, { kind: 'answer' }>;
type ComputedPart = Extract<ComputeResult, { kind: 'part' }>;

/** What the computed path needs. */
export interface ComputedPathParts {
  readonly charging: Charging;
  readonly computer: Computer;
  /** Version of the artifact that new answers are computed from. */
  readonly artifactVersion: () => string;
  /** Secret of the deployment; see `seedOf`. */
  readonly seedSecret: string;
}

/** A validated request of a computed operation. */
interface ComputedRequest {
  readonly operation: Operation;
  readonly input: object;
  readonly cost: number;
  readonly caller: Caller;
  readonly options: PerformOptions;
  /** Aborted when the client has hung up. */
  readonly left: AbortSignal | undefined;
  /** Whose processor time it uses. */
  readonly spender: Spender;
}

/** A request that the gate has admitted. */
interface Admission {
  readonly reservation: Reservation | undefined;
  /** Price of the other computations under way. */
  readonly reserved: number;
  readonly outcome: StepOutcome;
}

/**
 * The path of the operations that compute for long (decision 0035). A first step of cost 0 finds an
 * earlier answer and checks the funds. Then the answer is computed beside the event loop. The last step charges. The price is reserved in memory meanwhile.
 */
export class ComputedPath {
  readonly #charging: Charging;
  readonly #computer: Computer;
  readonly #artifactVersion: () => string;
  readonly #seedSecret: string;
  readonly #reservations = new Reservations();
  readonly #kept = new AnswerCache();
  /** Answers that are being sent part by part. */
  #open = 0;

  constructor({ charging, computer, artifactVersion, seedSecret }: ComputedPathParts) {
    this.#charging = charging;
    this.#computer = computer;
    this.#artifactVersion = artifactVersion;
    this.#seedSecret = seedSecret;
  }

  /** Whether the account of a key has as many computations under way as it may, as far as this process knows. */
  isBusy({ keyHash }: Caller): boolean {
    return this.#reservations.isFull(keyHash);
  }

  /**
   * Answers a validated request that has been counted, or refuses it uncharged. Never rejects.
   *
   * @param caller its hits are those that the request has besides; the last step counts them
   */
  async perform(
    operation: Operation,
    input: object,
    cost: number,
    caller: Caller,
    options: PerformOptions,
  ): Promise<MeteredResult> {
    const validated = { operation, input, cost, caller, options, left: caller.left?.() };
    const { reservation, reserved, outcome } = await this.#admit(validated);
    const account = reservation?.owner ?? caller.keyHash;
    const request = { ...validated, spender: { account, rank: modeOfAccount(account) } };
    try {
      const result = await this.#answer(request, { reservation, reserved, outcome });
      // An answer in parts releases its reservation after its last part.
      if (result.kind !== 'parts') reservation?.release();
      return result;
    } catch (error) {
      reservation?.release();
      throw error;
    }
  }

  /**
   * The file of an earlier request of the same account, without charge; undefined where there is none.
   *
   * @param earlier what that request was charged under
   */
  async file(
    operation: Operation,
    earlier: EarlierRequest,
    caller: Caller,
  ): Promise<MeteredParts | MeteredRefusal | undefined> {
    const reservation = this.#reservations.take(caller.keyHash, 0);
    try {
      const result = await this.#file(operation, earlier, caller, reservation);
      if (result?.kind !== 'parts') reservation?.release();
      return result?.kind === 'answer' ? undefined : result;
    } catch (error) {
      reservation?.release();
      throw error;
    }
  }

  async #file(
    operation: Operation,
    { key, fingerprint: hash }: EarlierRequest,
    caller: Caller,
    reservation: Reservation | undefined,
  ): Promise<MeteredResult | undefined> {
    const { keyHash, partition, requestId } = caller;
    const plain = { keyHash, partition, requestId, operation: operation.name };
    const idempotency = { key, fingerprint: hash, answerJson: '' };
    const outcome = await this.#charging.step(
      { ...plain, cost: 0, affords: 0, hits: 0, idempotency },
      caller,
    );
    if (outcome.kind === 'counted' || outcome.kind === 'idempotency_conflict') return undefined;
    if (outcome.kind !== 'replayed') {
      return this.#charging.refused(operation.name, refusalOf(outcome));
    }
    const account = outcome.account ?? keyHash;
    reservation?.moveTo(account);
    const recipe = recipeOf(outcome.answerJson);
    if (recipe?.input === undefined) return undefined;
    const request: ComputedRequest = {
      ...{ operation, input: recipe.input, cost: 0, caller, options: {}, left: caller.left?.() },
      spender: { account, rank: modeOfAccount(account) },
    };
    if (!isBytes(request)) return undefined;
    if (reservation === undefined || reservation.count > COMPUTATIONS_MAX) {
      return this.#refused(request, accountBusy(outcome.rate));
    }
    return this.#inParts(request, recipe, outcome, reservation);
  }

  async #answer(
    request: ComputedRequest,
    { reservation, reserved, outcome }: Admission,
  ): Promise<MeteredResult> {
    if (outcome.kind === 'replayed') return this.#replay(request, outcome, reservation);
    if (outcome.kind !== 'counted') {
      return this.#refused(request, refusalOf(outcome, request.cost, reserved));
    }
    if (reservation === undefined) {
      return this.#refused(request, accountBusy(outcome.rate));
    }
    const { operation, input } = request;
    const drawn = operation.draw?.(input as never, this.#seed(request)) ?? {};
    const kept = operation.file === undefined ? undefined : input;
    const recipe: Recipe = { artifactVersion: this.#artifactVersion(), drawn, input: kept };
    return isBytes(request)
      ? this.#inParts(request, recipe, outcome, reservation)
      : this.#whole(request, recipe, outcome.rate, reservation);
  }

  /** Two requests at once under one idempotency key get the same seed, on any node. */
  #seed({ operation, input, caller, spender }: ComputedRequest): number {
    const { idempotencyKey: key } = caller;
    if (key === undefined) return randomSeed();
    const { account } = spender;
    const scope = { account, path: operation.path, key, fingerprint: fingerprint(input) };
    return seedOf(this.#seedSecret, scope);
  }

  /** The first step. Without a reservation it only finds an earlier answer. */
  async #admit({
    operation,
    input,
    cost,
    caller,
  }: Omit<ComputedRequest, 'spender'>): Promise<Admission> {
    const reservation = this.#reservations.take(caller.keyHash, cost);
    const plain = { ...stepOf(operation, input, caller, 0), hits: 0 };
    const ask = (affords: number) => this.#charging.step({ ...plain, affords }, caller);
    if (reservation === undefined) return { reservation, reserved: 0, outcome: await ask(0) };
    const { total, outcome } = await this.#afford(reservation, cost, ask);
    const isAdmitted = outcome.kind === 'counted' || outcome.kind === 'replayed';
    if (!isAdmitted || outcome.account === undefined) {
      return { reservation, reserved: total - cost, outcome };
    }
    reservation.moveTo(outcome.account);
    if (reservation.count > COMPUTATIONS_MAX) {
      reservation.release();
      return { reservation: undefined, reserved: 0, outcome };
    }
    if (outcome.kind === 'replayed' || reservation.total <= total) {
      return { reservation, reserved: total - cost, outcome };
    }
    // Other keys of the account have computations under way, too.
    const other = await this.#afford(reservation, cost, ask);
    return { reservation, reserved: other.total - cost, outcome: other.outcome };
  }

  /**
   * Asks whether the account can pay for this computation and for all that were reserved before it. While
   * one of those is being charged, its price counts twice: the balance is already lower, and the price is
   * still reserved. A refusal for lack of funds may then be wrong. So this waits until those charges have
   * ended, and asks again if less is reserved now.
   */
  async #afford(
    reservation: Reservation,
    cost: number,
    ask: (affords: number) => Promise<StepOutcome>,
  ): Promise<{ total: number; outcome: StepOutcome }> {
    let { total } = reservation;
    let outcome = await ask(total);
    while (total > cost && SHORT_OF_FUNDS.includes(outcome.kind)) {
      await reservation.chargesEnded();
      if (reservation.total >= total) break;
      ({ total } = reservation);
      outcome = await ask(total);
    }
    return { total, outcome };
  }

  async #whole(
    request: ComputedRequest,
    recipe: Recipe,
    rate: RateState,
    reservation: Reservation,
  ): Promise<MeteredResult> {
    const { operation, caller } = request;
    const computed = await this.#run(request, recipe, rate);
    if (computed.kind === 'refusal') return this.#refused(request, computed);
    const { json, cost = request.cost } = computed;
    // A file may be asked for later under this key.
    const isLong = json.length > STORED_ANSWER_CHARS_MAX;
    const stored = isLong || operation.file !== undefined ? recipeText(recipe) : json;
    const step = stepOf(operation, request.input, caller, cost, stored);
    const outcome = await reservation.charging(this.#charging.step(step, caller));
    if (outcome.kind === 'replayed') return this.#replay(request, outcome, reservation);
    return this.#charging.settled(operation.name, outcome, json, cost);
  }

  /** Answers part by part. The first part is computed before the charge. */
  async #inParts(
    request: ComputedRequest,
    recipe: Recipe,
    admitted: Replayed | Counted,
    reservation: Reservation,
  ): Promise<MeteredResult> {
    const { operation, input, caller } = request;
    const { rate } = admitted;
    const openMax = request.spender.rank === 'live' ? OPEN_MAX : TEST_OPEN_MAX;
    if (this.#open >= openMax) return this.#refused(request, serviceBusy(rate));
    const replays = admitted.kind === 'replayed';
    const first = await this.#run(request, recipe, rate, replays, 0);
    if (first.kind === 'refusal') return this.#refused(request, first);
    const { contentType, headers, cost = request.cost } = first;
    const outcome: StepOutcome = replays
      ? admitted
      : await reservation.charging(
          this.#charging.step(stepOf(operation, input, caller, cost, recipeText(recipe)), caller),
        );
    if (outcome.kind === 'replayed' && !replays) return this.#replay(request, outcome, reservation);
    const result = this.#charging.settled(operation.name, outcome, '{}', cost);
    if (result.kind !== 'answer') return result;
    reservation.paid();
    const { remainingFreeCalls } = outcome as Charged;
    const sent = (part: Part): Part =>
      contentType === CONTENT_TYPES.json && part.last
        ? withFreeCalls(part, remainingFreeCalls)
        : part;
    const compute = async (index: number) => {
      const part = await this.#computed(request, recipe, index);
      if (part.kind !== 'part') throw new Error(`part ${index} is a ${part.kind}`);
      return sent(part);
    };
    // Nothing was paid for a replay, and free calls come back by themselves.
    const paid = admitted.kind === 'counted' && remainingFreeCalls === undefined;
    const account = paid ? admitted.account : undefined;
    const places = Math.max(1, Math.ceil(first.bytes.length / OPEN_BYTES));
    this.#open += places;
    const parts = partsInOrder(sent(first), compute, (end) => {
      this.#open -= places;
      reservation.release();
      this.#ended({ ...request, cost }, end, account);
    });
    const { replayed } = result;
    return {
      kind: 'parts',
      contentType,
      headers,
      parts,
      remainingFreeCalls,
      rate: result.rate,
      replayed,
    };
  }

  /** Returns the charge if the answer broke off and the client was still there. */
  #ended(
    { caller, cost, left }: ComputedRequest,
    end: PartsEnd,
    account: string | undefined,
  ): void {
    if (end.kind !== 'failed' || left?.aborted === true) return;
    this.#charging.inferenceError(end.error, caller);
    if (account !== undefined && cost > 0) this.#charging.giveBack(account, cost, caller);
  }

  /** Answers as an earlier request with this idempotency key was answered. */
  async #replay(
    request: ComputedRequest,
    outcome: Replayed,
    reservation: Reservation | undefined,
  ): Promise<MeteredResult> {
    const { operation, cost, caller, options } = request;
    const recipe = recipeOf(outcome.answerJson);
    if (caller.hits > 0) {
      const counted = await this.#charging.count(caller);
      if (counted.kind === 'refusal') return this.#refused(request, counted);
    }
    let json = outcome.answerJson;
    if (recipe !== undefined) {
      if (reservation === undefined) {
        return this.#refused(request, accountBusy(outcome.rate));
      }
      if (isBytes(request)) return this.#inParts(request, recipe, outcome, reservation);
      const computed = await this.#run(request, recipe, outcome.rate, true);
      if (computed.kind === 'refusal') return this.#refused(request, computed);
      json = computed.json;
    }
    if (isTooLong(json, options)) {
      return this.#refused(request, refusal(tooLong(options), outcome.rate));
    }
    return this.#charging.replay(operation.name, { ...outcome, answerJson: json }, cost);
  }

  /** Computes an answer or a part of one; the answer, or why there is none. */
  async #run(
    request: ComputedRequest,
    recipe: Recipe,
    rate: RateState,
    replays?: boolean,
  ): Promise<Computed | MeteredRefusal>;
  async #run(
    request: ComputedRequest,
    recipe: Recipe,
    rate: RateState,
    replays: boolean,
    part: number,
  ): Promise<ComputedPart | MeteredRefusal>;
  async #run(
    request: ComputedRequest,
    recipe: Recipe,
    rate: RateState,
    replays = false,
    part?: number,
  ): Promise<Computed | ComputedPart | MeteredRefusal> {
    const { caller, options } = request;
    try {
      const result = await this.#computed(request, recipe, part);
      if (result.kind === 'no_such_version') {
        const { artifactVersion } = recipe;
        if (replays) return refusal(replayExpired(artifactVersion), rate);
        throw new Error(`artifact ${artifactVersion} is not there`);
      }
      if (result.kind === 'problem') {
        return refusal(new Problem(result.code, result.message, result.extras), rate);
      }
      if (result.kind === 'part') return result;
      return isTooLong(result.json, options) ? refusal(tooLong(options), rate) : result;
    } catch (error) {
      if (!(error instanceof ComputeError)) {
        return refusal(this.#charging.inferenceError(error, caller), rate);
      }
      if (error.reason === 'full' || error.reason === 'waited') return serviceBusy(rate);
      if (error.reason === 'spent') return processorTimeSpent(rate, error.retryAfterSeconds ?? 1);
      if (error.reason === 'left') return refusal(clientLeft(), rate);
      // An operator should know: its estimate was within the limits.
      this.#charging.inferenceError(error, caller);
      return tookTooLong(rate, this.#computer.timeLimitSeconds);
    }
  }

  async #computed(
    { operation, input, left, spender }: ComputedRequest,
    { artifactVersion, drawn }: Recipe,
    index?: number,
  ): Promise<ComputeResult> {
    // Two requests for the same answer get parts of the same one.
    const answer = () =>
      [operation.name, artifactVersion, fingerprint(input), JSON.stringify(drawn)].join(' ');
    const part: AnswerPart | undefined =
      index === undefined ? undefined : { answer: answer(), index };
    const task = {
      ...{ operation: operation.name, input: { ...input, ...drawn }, artifactVersion, spender },
      // The first part decides whether the whole answer can be made.
      estimateMs: (index ?? 0) === 0 ? estimatedWorkMs(operation, input) : PART_MS,
    };
    const asked = part === undefined ? task : { ...task, part };
    const key = operation.cached === true ? `${index ?? 'whole'} ${answer()}` : undefined;
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (kept !== undefined) return kept;
    const result = await this.#computer.compute(asked, left);
    if (left?.aborted === true) throw new ComputeError('left');
    if (key !== undefined) this.#kept.keep(key, result);
    return result;
  }

  #refused({ operation, left }: ComputedRequest, why: MeteredRefusal): MeteredRefusal {
    return left?.aborted === true ? why : this.#charging.refused(operation.name, why);
  }
}

/** Whether bytes answer a request, and not one JSON text. */
function isBytes({ operation, input, options }: ComputedRequest): boolean {
  if ((operation.rows ?? operation.file) === undefined) return false;
  return options.inJson !== true && isInParts(operation, input);
}

function refusal(problem: Problem, rate: RateState): MeteredRefusal {
  return { kind: 'refusal', problem, rate };
}

/** The last part of a JSON answer with the number of free calls left. */
function withFreeCalls(part: Part, remainingFreeCalls: number | undefined): Part {
  if (remainingFreeCalls === undefined) return part;
  const end = Buffer.from(`,"remaining_free_calls":${remainingFreeCalls}}`);
  return { ...part, bytes: Buffer.concat([part.bytes.subarray(0, -1), end]) };
}

function isTooLong(json: string, { answerBytesMax }: PerformOptions): boolean {
  return answerBytesMax !== undefined && Buffer.byteLength(json) > answerBytesMax;
}

function tooLong({ answerBytesMax }: PerformOptions): Problem {
  const message = `The answer is longer than the ${answerBytesMax} bytes that a tool may return. Nothing was charged. Ask for less: fewer measurements, percentiles, people, cases or groups. Or send the request to the REST route, which has no such limit.`;
  return new Problem('validation_error', message);
}

function replayExpired(version: string): Problem {
  const message = `This request was answered from artifact ${version}, which is not available any more, and its answer was too long to be stored. Nothing was charged. Send the request with a new Idempotency-Key.`;
  return new Problem('replay_expired', message);
}

/** Computations that an account may have under way at once, in each mode. */
export const COMPUTATIONS_MAX = 2;
/** Keys whose account is remembered. */
const OWNERS_MAX = 10_000;

/** A computation under way. */
interface Entry {
  /** Rises with each computation. */
  readonly number: number;
  cost: number;
  /** Its charging step while that is under way. */
  charge?: Promise<unknown> | undefined;
}

/** The price of a computation under way. */
export interface Reservation {
  /** Account and mode; the hash of the key until the account is known. */
  readonly owner: string;
  /** What the computations of the owner up to this one cost together: later ones do not count. */
  readonly total: number;
  /** How many the owner has under way up to this one. */
  readonly count: number;
  /** Counts the computation for the account of its key, once that is known. */
  moveTo(account: string): void;
  /** Charges the computation. The price is reserved until the step has ended, however it ends. */
  charging<Outcome>(step: Promise<Outcome>): Promise<Outcome>;
  /** Waits for the charging steps of the owner's computations up to this one. */
  chargesEnded(): Promise<void>;
  /** Gives the price free, because it is charged; the computation still counts. */
  paid(): void;
  /** Gives the price and the place free; further calls do nothing. */
  release(): void;
}

/**
 * The prices of the computations under way, in memory: no computation begins unless the account can
 * pay for all of them. A key is its own owner until the gate has told its account.
 */
export class Reservations {
  readonly #owners = new Map<string, Set<Entry>>();
  readonly #accounts = new BoundedMap<string, string>(OWNERS_MAX);
  #last = 0;

  /** Whether the owner has as many computations as it may. */
  isFull(keyHash: string): boolean {
    return (this.#owners.get(this.#ownerOf(keyHash))?.size ?? 0) >= COMPUTATIONS_MAX;
  }

  /** Reserves a price; undefined when the owner has as many computations as it may. */
  take(keyHash: string, cost: number): Reservation | undefined {
    if (this.isFull(keyHash)) return undefined;
    let owner = this.#ownerOf(keyHash);
    const entry: Entry = { number: ++this.#last, cost };
    this.#add(owner, entry);
    let released = false;
    const upToThis = () =>
      [...(this.#owners.get(owner) ?? [])].filter(({ number }) => number <= entry.number);
    return {
      get owner() {
        return owner;
      },
      get total() {
        return upToThis().reduce((sum, one) => sum + one.cost, 0);
      },
      get count() {
        return upToThis().length;
      },
      moveTo: (account) => {
        this.#accounts.set(keyHash, account);
        if (released || owner === account) return;
        this.#remove(owner, entry);
        owner = account;
        this.#add(owner, entry);
      },
      charging: (step) => {
        entry.charge = step;
        const ended = () => {
          entry.charge = undefined;
          entry.cost = 0;
        };
        step.then(ended, ended);
        return step;
      },
      async chargesEnded() {
        await Promise.allSettled(upToThis().map(({ charge }) => charge));
      },
      paid: () => {
        entry.cost = 0;
      },
      release: () => {
        released = true;
        this.#remove(owner, entry);
      },
    };
  }

  #ownerOf(keyHash: string): string {
    return this.#accounts.get(keyHash) ?? keyHash;
  }

  #add(owner: string, entry: Entry): void {
    const entries = this.#owners.get(owner);
    if (entries === undefined) this.#owners.set(owner, new Set([entry]));
    else entries.add(entry);
  }

  #remove(owner: string, entry: Entry): void {
    const entries = this.#owners.get(owner);
    entries?.delete(entry);
    if (entries?.size === 0) this.#owners.delete(owner);
  }
}
