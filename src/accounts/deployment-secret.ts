import { randomBytes } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../core/time.js';
import type { Database } from '../database/schema.js';

const BYTES = 32;

/**
 * A secret that all processes of a deployment share. The first process that asks creates it. It is never
 * shown, and a backup of the database holds it.
 */
export async function deploymentSecret(db: Database, name: string): Promise<string> {
  const value = randomBytes(BYTES).toString('hex');
  await db
    .insertInto('deployment_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = db.selectFrom('deployment_secrets').select('value').where('name', '=', name);
  return (await stored.executeTakeFirstOrThrow()).value;
}

/** The secret that signs the addresses of pictures. */
export const PICTURE_SECRET = 'pictures';
/** A process looks for a new secret at this interval. */
const LOOK_EVERY_MS = MINUTE_MS / 2;
/** A new secret counts at once, and signs after this time: then every process knows it. */
const SIGNS_AFTER_MS = 2 * MINUTE_MS;
/** How long the secret before it still counts: pages stay open for some hours. */
const OLD_COUNTS_MS = DAY_MS;

/** Values of one secret with the time from which each signs, the oldest first. */
type Values = readonly { readonly fromMs: number; readonly value: string }[];

/** A secret that operators can change while pages that were signed with it are open. */
export class SigningSecret {
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #values: Values;

  private constructor(values: Values, look: () => Promise<Values>, now: () => number) {
    this.#values = values;
    this.#now = now;
    const again = async () => {
      // If the database cannot be read, the known values stay in use.
      this.#values = await look().catch(() => this.#values);
    };
    this.#timer = setInterval(() => void again(), LOOK_EVERY_MS).unref();
  }

  /** Opens a secret; the first process creates it. */
  static async open(db: Database, name: string, now = Date.now): Promise<SigningSecret> {
    await deploymentSecret(db, name);
    const look = () => valuesOf(db, name);
    return new SigningSecret(await look(), look, now);
  }

  /** The values that count now. The first one signs. */
  inUse(): string[] {
    const nowMs = this.#now();
    const signing = this.#values.findLast(({ fromMs }) => fromMs <= nowMs);
    const counting = this.#values.filter((one, index) => {
      const next = this.#values[index + 1];
      return one !== signing && (next === undefined || nowMs < next.fromMs + OLD_COUNTS_MS);
    });
    return [signing, ...counting].flatMap((one) => (one === undefined ? [] : [one.value]));
  }

  /** Looks for new values no more. */
  close(): void {
    clearInterval(this.#timer);
  }
}

/**
 * Adds a new value of a secret.
 *
 * @returns the times from which the new value signs, and from which the old one counts no more
 */
export async function renewSecret(db: Database, name: string, nowMs = Date.now()) {
  await deploymentSecret(db, name);
  const fromMs = nowMs + SIGNS_AFTER_MS;
  await deploymentSecret(db, `${name} ${new Date(fromMs).toISOString()}`);
  return { fromMs, oldUntilMs: fromMs + OLD_COUNTS_MS };
}

/** The first value has the plain name, and each later one the time from which it signs behind the name. */
async function valuesOf(db: Database, name: string): Promise<Values> {
  const rows = await db
    .selectFrom('deployment_secrets')
    .select(['name', 'value'])
    .where((row) => row.or([row('name', '=', name), row('name', 'like', `${name} %`)]))
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    fromMs: row.name === name ? 0 : Date.parse(row.name.slice(name.length + 1)),
    value: row.value,
  }));
}
