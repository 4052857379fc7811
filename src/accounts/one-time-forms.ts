import { createHmac } from 'node:crypto';
import type { Transaction } from 'kysely';
import { DAY_MS } from '../core/time.js';
import type { Database, Schema } from '../database/schema.js';
import { hashToken, newToken, sameText } from './secret-token.js';

/** How long a form can create something after its page was opened. */
export const FORM_LIFE_MS = DAY_MS;
/** How far the clock of another node may be ahead. */
const CLOCK_AHEAD_MS = 60_000;
const FORM_TOKEN = /^([0-9a-z]{1,11})\.([\w-]{43})\.([\w-]{43})$/;

/** The token of a form that creates something, after its check. */
export interface FormUse {
  readonly tokenHash: string;
  readonly expiresAtMs: number;
}

/** The thing that a form created now, or the id of the thing that it created when it was sent before. */
export type Creation<Created> =
  | { readonly created: Created }
  | { readonly created?: undefined; readonly earlierId: string };

/**
 * Makes a token for a form that creates something. The token is tied to the session. It is stored
 * only when the form is used, so opening a page writes nothing and a restart changes nothing.
 *
 * @param csrfToken the CSRF token of the session, or of the browser if nobody is signed in
 */
export function newFormToken(csrfToken: string, nowMs: number): string {
  const start = `${nowMs.toString(36)}.${newToken()}`;
  return `${start}.${sign(csrfToken, start)}`;
}

/**
 * Checks the token of a form.
 *
 * @param csrfToken as given to `newFormToken`
 * @returns undefined if the token is malformed, expired or of another session
 */
export function readFormToken(
  csrfToken: string,
  token: string,
  nowMs: number,
): FormUse | undefined {
  const [, issued = '', random = '', signature = ''] = FORM_TOKEN.exec(token) ?? [];
  if (issued === '' || !sameText(signature, sign(csrfToken, `${issued}.${random}`)))
    return undefined;
  const issuedAtMs = Number.parseInt(issued, 36);
  const expiresAtMs = issuedAtMs + FORM_LIFE_MS;
  if (expiresAtMs <= nowMs || issuedAtMs > nowMs + CLOCK_AHEAD_MS) return undefined;
  return { tokenHash: hashToken(token), expiresAtMs };
}

/**
 * Creates something for a form, unless the form has created something before. The use of the form
 * is stored in the same transaction, so a refused form can be sent again. Of two concurrent uses,
 * one creates something and the other gets its id.
 *
 * @param form undefined if the caller is not a form; such a caller always creates something
 * @param create runs in the transaction
 * @throws what `create` throws; nothing is stored then
 */
export async function createOnce<Created extends { readonly id: string }>(
  db: Database,
  form: FormUse | undefined,
  create: (trx: Transaction<Schema>) => Promise<Created>,
): Promise<Creation<Created>> {
  return await db.transaction().execute(async (trx) => {
    if (form === undefined) return { created: await create(trx) };
    const { tokenHash: token_hash, expiresAtMs: expires_at_ms } = form;
    const claimed = await trx
      .insertInto('used_forms')
      .values({ token_hash, made_id: '', expires_at_ms })
      .onConflict((conflict) => conflict.column('token_hash').doNothing())
      .returning('token_hash')
      .executeTakeFirst();
    if (claimed === undefined) return { earlierId: await madeBy(trx, form) };
    const created = await create(trx);
    await trx
      .updateTable('used_forms')
      .set({ made_id: created.id })
      .where('token_hash', '=', token_hash)
      .execute();
    return { created };
  });
}

/** Id of what a form created; undefined if the form has created nothing yet. */
export async function earlierUse(db: Database, form: FormUse): Promise<string | undefined> {
  const used = await db
    .selectFrom('used_forms')
    .select('made_id')
    .where('token_hash', '=', form.tokenHash)
    .executeTakeFirst();
  return used?.made_id;
}

/** Deletes the uses of forms that have expired. */
export async function forgetUsedForms(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('used_forms').where('expires_at_ms', '<=', nowMs).execute();
}

async function madeBy(trx: Transaction<Schema>, { tokenHash }: FormUse): Promise<string> {
  const { made_id } = await trx
    .selectFrom('used_forms')
    .select('made_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow();
  return made_id;
}

function sign(csrfToken: string, text: string): string {
  return createHmac('sha256', csrfToken).update(`form:${text}`).digest('base64url');
}
