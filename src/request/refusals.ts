import { GateError, type GateOutcome, type GateStep } from '../billing/gate.js';
import { priceText, RATE_WINDOW_SECONDS, type RateState } from '../core/billing-terms.js';
import { BUSY_RETRY_SECONDS, internalError, Problem } from '../core/errors.js';
import type { GuessesLimited } from './key-guesses.js';

// How the metered path refuses: from the outcome of a step to the text that the caller reads.

/** A refusal or failure; nothing was charged. */
export interface MeteredRefusal {
  readonly kind: 'refusal';
  readonly problem: Problem;
  /** The rate state of the key; unknown if the key is not valid or the gate failed. */
  readonly rate?: RateState;
  readonly retryAfterSeconds?: number;
}

/** Outcome of a step. */
export type StepOutcome =
  | GateOutcome
  | GuessesLimited
  /** The gate itself has failed. */
  | { readonly kind: 'failed'; readonly charge: ChargeAfterFault };

/** State of the charge after a step failed. */
export type ChargeAfterFault = 'none' | 'unknown' | 'unknown, with a key';

/** Whether a step that failed may have charged the caller. */
export function chargeAfter(error: unknown, { cost, idempotency }: GateStep): ChargeAfterFault {
  const refused =
    error instanceof GateError &&
    ['overloaded', 'unavailable', 'not_committed'].includes(error.reason);
  if (cost === 0 || refused) return 'none';
  return idempotency === undefined ? 'unknown' : 'unknown, with a key';
}

const CHARGE_TEXTS: Readonly<Record<ChargeAfterFault, string>> = {
  none: 'Nothing was charged.',
  unknown:
    'It is not known whether the request was charged. Without an Idempotency-Key a retry may be charged again; with one, a request is charged at most once.',
  'unknown, with a key':
    'It is not known whether the request was charged. Retry with the same Idempotency-Key: the request is charged at most once.',
};

/**
 * The refusal for a step that did not pay.
 *
 * @param reserved price of the account's computations under way
 */
export function refusalOf(outcome: StepOutcome, cost = 0, reserved = 0): MeteredRefusal {
  switch (outcome.kind) {
    case 'failed':
      return { kind: 'refusal', problem: internalError(CHARGE_TEXTS[outcome.charge]) };
    case 'guesses_limited': {
      const { max, retryAfterSeconds } = outcome;
      const message = `Too many requests with unknown API keys from this address: at most ${max} a minute. Check the key. Retry in ${retryAfterSeconds} s.`;
      return refusal('rate_limited', message, undefined, retryAfterSeconds);
    }
    case 'unauthorized':
      return { kind: 'refusal', problem: unauthorized() };
    case 'rate_limited': {
      const { rate, retryAfterSeconds } = outcome;
      const message = `Too many requests: this key may make ${rate.limit} in ${RATE_WINDOW_SECONDS} seconds. Retry in ${retryAfterSeconds} s.`;
      return refusal('rate_limited', message, rate, retryAfterSeconds);
    }
    case 'answers_full': {
      const { rate, retryAfterSeconds } = outcome;
      const message = `This account has no room for further answers under an Idempotency-Key. Nothing was charged. Retry in ${retryAfterSeconds} s, when older answers have expired, or send the request without the key.`;
      return refusal('rate_limited', message, rate, retryAfterSeconds);
    }
    default:
      return {
        kind: 'refusal',
        problem: fundsProblem(outcome, cost, reserved),
        rate: outcome.rate,
      };
  }
}

function refusal(
  code: 'rate_limited' | 'service_busy',
  message: string,
  rate: RateState | undefined,
  retryAfterSeconds: number,
): MeteredRefusal {
  const known = rate === undefined ? {} : { rate };
  return { kind: 'refusal', problem: new Problem(code, message), ...known, retryAfterSeconds };
}

/** How to get credits, for live keys and for test keys. */
const MORE_CREDITS =
  'get credits on the Credits page of your account; test credits for test keys are free there. For an account without a login, its operator books them: npx vitruvia credits grant';

function fundsProblem(outcome: GateOutcome, cost: number, reserved: number): Problem {
  if (outcome.kind === 'idempotency_conflict') {
    const message =
      'This Idempotency-Key was used for another request body. Use a new key for a new request.';
    return new Problem('idempotency_conflict', message);
  }
  const calls = priceText(cost);
  if (outcome.kind === 'insufficient_credits' && reserved > 0) {
    const message = `This request costs ${calls}, more than is left beside the computations under way (${reserved}). Wait for them to end, buy credits or ask for less.`;
    return new Problem('insufficient_credits', message);
  }
  if (outcome.kind === 'insufficient_credits') {
    const message = `This request costs ${calls}, more than is left. Ask for less, or ${MORE_CREDITS}.`;
    return new Problem('insufficient_credits', message);
  }
  if (outcome.kind === 'in_debt') {
    const owed = outcome.debtCredits === 1 ? '1 credit' : `${outcome.debtCredits} credits`;
    const message = `This account owes ${owed}: a payment was reversed after its credits had been spent. Live keys are refused until the debt is paid. The next purchase pays it first.`;
    return new Problem('insufficient_credits', message);
  }
  if (outcome.kind === 'free_tier_exhausted') {
    const resets = new Date(outcome.resetsAtMs).toISOString();
    const message = `The free tier is used up and there are no credits. It covers this request (${calls}) again at ${resets}. To go on now, ${MORE_CREDITS}.`;
    return new Problem('free_tier_exhausted', message, { resets_at: resets });
  }
  return internalError();
}

/** The refusal of an account's third computation at once. */
export function accountBusy(rate: RateState): MeteredRefusal {
  const message =
    'Two computations of this account are under way. Nothing was charged. Wait for one to end.';
  return refusal('rate_limited', message, rate, 1);
}

/** Refuses a large body because its account has the maximum number of large bodies under way. */
export function bodiesBusy(rate: RateState, max: number): MeteredRefusal {
  const message = `${max} large requests of this account are under way. Nothing was charged. Wait for one to end.`;
  return refusal('rate_limited', message, rate, 1);
}

/** The refusal of a computation whose account has used its processor time. */
export function processorTimeSpent(rate: RateState, retryAfterSeconds: number): MeteredRefusal {
  const message = `The computations of this account have used its processor time. Nothing was charged. Retry in ${retryAfterSeconds} s, or ask for less: fewer countries, ages, measurements, sizes or people.`;
  return refusal('rate_limited', message, rate, retryAfterSeconds);
}

/** The refusal of a computation for which the service has no place, or none in time. */
export function serviceBusy(rate: RateState): MeteredRefusal {
  const message = `Too many requests wait for their turn. Nothing was charged. Retry in ${BUSY_RETRY_SECONDS} s.`;
  return refusal('service_busy', message, rate, BUSY_RETRY_SECONDS);
}

const TOO_LONG_RETRY_SECONDS = 60;

/** Refuses a computation that has used the maximum processor time, whatever its estimate was. */
export function tookTooLong(rate: RateState, seconds: number): MeteredRefusal {
  const message = `The computation needed more than ${seconds} s of computing and was ended. Nothing was charged. Ask for less, or retry in ${TOO_LONG_RETRY_SECONDS} s.`;
  return refusal('service_busy', message, rate, TOO_LONG_RETRY_SECONDS);
}

/** The meter needs a refusal here, but the client has gone, so nobody reads it. */
export function clientLeft(): Problem {
  return new Problem('inference_error', 'The client has hung up. Nothing was charged.');
}

/** The refusal of an answer that is too long for a tool. */
export function answerTooLong(answerBytesMax: number | undefined): Problem {
  const message = `The answer is longer than the ${answerBytesMax} bytes that a tool may return. Nothing was charged. Ask for less: fewer measurements, percentiles, people, cases or groups. Or send the request to the REST route, which has no such limit.`;
  return new Problem('validation_error', message);
}

/** The refusal of a repeated request whose answer cannot be made again. */
export function replayExpired(version: string): Problem {
  const message = `This request was answered from artifact ${version}, which is not available any more, and its answer was too long to be stored. Nothing was charged. Send the request with a new Idempotency-Key.`;
  return new Problem('replay_expired', message);
}

/** The refusal of a request without a valid API key. */
export function unauthorized(): Problem {
  const message =
    'A valid API key is required: send the header Authorization: Bearer <API_KEY>, with a key from the dashboard.';
  return new Problem('unauthorized', message);
}
