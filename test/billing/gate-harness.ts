import { createAccount, findAccount } from '../../src/accounts/accounts.js';
import { identifyApiKey } from '../../src/accounts/api-key.js';
import {
  rememberClosedAccount,
  succeedClosedAccounts,
} from '../../src/accounts/closed-accounts.js';
import { balanceOf, grantCredits } from '../../src/accounts/credits.js';
import { createKey, revokeKey } from '../../src/accounts/keys.js';
import { createSqliteGate, type SqliteGate } from '../../src/billing/embedded/sqlite-gate.js';
import type { AccountPlace, Gate, GateStep } from '../../src/billing/gate.js';
import type { KeyIdentity, Mode } from '../../src/core/billing-terms.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { bookDebt } from '../../src/ledger/debts.js';
import { type LedgerDrift, verifyLedger } from '../../src/ledger/verify-ledger.js';
import { newSqliteUrl } from '../support/folders.js';

/** A key with which tests can spend. */
export interface TestKey extends KeyIdentity {
  readonly id: string;
}

/** Opens a harness on an empty store. */
export type MakeGate = (options?: GateLimits) => Promise<GateHarness>;

/** Limits of a gate that a test may change. */
export interface GateLimits {
  readonly rateLimitMax?: number;
  readonly answersBytesMax?: number;
}

/** An arbitrary time. It is a round number, so that sums are easy to read. */
export const START_MS = 1_800_000_000_000;

/** A gate and its surroundings. Each implementation of the port gives one to the contract tests. */
export abstract class GateHarness {
  /** The gate in use; a new one after `crash`. */
  abstract readonly gate: Gate;
  /** The database of the ledger. */
  readonly db: Database;
  readonly clock: { ms: number };
  #accounts = 0;
  #reversals = 0;

  constructor(db: Database, clock: { ms: number }) {
    this.db = db;
    this.clock = clock;
  }

  /** Ends the gate as a crash would, and opens another gate on the same store. */
  abstract crash(): Promise<void>;

  abstract close(): Promise<void>;

  /** Moves the clock of the gate. */
  advance(ms: number): void {
    this.clock.ms += ms;
  }

  nowMs(): number {
    return this.clock.ms;
  }

  async newAccount(): Promise<string> {
    this.#accounts++;
    return (await createAccount(this.db, `account ${this.#accounts}`, this.clock.ms)).id;
  }

  place(accountId: string): Promise<AccountPlace> {
    return findAccount(this.db, accountId);
  }

  async newKey(accountId: string, mode: Mode = 'live'): Promise<TestKey> {
    const { id, apiKey } = await createKey(this.db, accountId, mode, 'test', this.clock.ms);
    return { id, ...identityOf(apiKey) };
  }

  async grant(accountId: string, amount: number, mode: Mode = 'live'): Promise<void> {
    await grantCredits(this.db, accountId, mode, amount, { nowMs: this.clock.ms });
  }

  /** Books a purchase of live credits. */
  async purchase(accountId: string, amount: number): Promise<void> {
    await grantCredits(this.db, accountId, 'live', amount, {
      kind: 'purchase',
      nowMs: this.clock.ms,
    });
  }

  /** Books a debt, as the reversal of a payment does. */
  async owe(accountId: string, credits: number): Promise<void> {
    this.#reversals++;
    const reversal = `refund:${this.#reversals}`;
    const entry = { accountId, kind: 'reversed', credits, reversal, atMs: this.clock.ms } as const;
    await this.db.transaction().execute((trx) => bookDebt(trx, { ...entry, cause: reversal }));
  }

  /** Makes an account the successor of a deleted account, like a new sign-up does. */
  async succeed(closedId: string, accountId: string): Promise<void> {
    const email = `${closedId}@example.com`;
    await this.db.transaction().execute(async (trx) => {
      await rememberClosedAccount(trx, closedId, email, this.clock.ms);
      await succeedClosedAccounts(trx, accountId, email, this.clock.ms);
    });
  }

  async revoke(keyId: string): Promise<void> {
    await revokeKey(this.db, keyId, this.clock.ms);
  }

  balance(accountId: string, mode: Mode = 'live'): Promise<number> {
    return balanceOf(this.db, accountId, mode);
  }

  /** Stored figures that differ from the ledger. */
  drifts(): Promise<readonly LedgerDrift[]> {
    return verifyLedger(this.db);
  }
}

/** The SQLite gate on a file in a temporary folder. */
export class SqliteHarness extends GateHarness {
  gate: SqliteGate;
  readonly #limits: GateLimits;

  private constructor(
    readonly url: string,
    db: Database,
    gate: SqliteGate,
    clock: { ms: number },
    limits: GateLimits,
  ) {
    super(db, clock);
    this.gate = gate;
    this.#limits = limits;
  }

  static async open(options: GateLimits = {}): Promise<SqliteHarness> {
    const databaseUrl = newSqliteUrl();
    const clock = { ms: START_MS };
    const limits = { rateLimitMax: 120, ...options };
    const db = await openDatabase(databaseUrl);
    const gate = await createSqliteGate({ databaseUrl, ...limits, clock: () => clock.ms });
    return new SqliteHarness(databaseUrl, db, gate, clock, limits);
  }

  async crash(): Promise<void> {
    const dying = this.gate;
    await dying.killWriter();
    await dying.close();
    this.gate = await createSqliteGate({
      ...{ databaseUrl: this.url, clock: () => this.clock.ms },
      ...this.#limits,
    });
  }

  async close(): Promise<void> {
    await this.gate.close();
    await this.db.destroy();
  }
}

/** Data of a new key for the gate. */
export function identityOf(apiKey: string): KeyIdentity {
  const identity = identifyApiKey(apiKey);
  if (identity === undefined) throw new Error('The key just made is not well-formed.');
  return identity;
}

let requests = 0;

/** A step of `predict` that costs 1, with a fresh request id. */
export function step(key: TestKey, fields: Partial<GateStep> = {}): GateStep {
  requests++;
  return {
    keyHash: key.keyHash,
    partition: key.partition,
    requestId: `r${requests}-${process.pid}`,
    operation: 'predict',
    cost: 1,
    hits: 1,
    ...fields,
  };
}
