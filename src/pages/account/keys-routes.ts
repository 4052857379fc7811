import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccountError } from '../../accounts/errors.js';
import { OVERLAPS, type Overlap, rotateKeyWithin } from '../../accounts/key-rotation.js';
import {
  createKeyWithin,
  findKey,
  type KeyRecord,
  listKeys,
  revokeKey,
} from '../../accounts/keys.js';
import { createOnce, earlierUse } from '../../accounts/one-time-forms.js';
import { usageByKey } from '../../ledger/usage.js';
import { sendHtml, sendMessage } from '../../site/responses.js';
import { fieldOf, userOf } from '../user-session.js';
import { KEYS_PATH, type KeysState, keysPage, revokePage, rotatePage } from './keys-page.js';
import { newKeyPage, shownKeyPage } from './new-key-page.js';
import { formUseOf, newOnce, sendStaleForm } from './once.js';
import { type AccountParts, modeOf, pathText, queryText } from './requests.js';

/**
 * Registers the pages of API keys, behind `requireUser`. The answer to the form shows the new key. A redirect
 * would not work, because the service stores no full keys. If a browser sends the form again to reload the
 * page, no second key is created.
 */
export function keysRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { users, publicUrl } = parts;
  const { db, clock } = users;
  app.get(KEYS_PATH, async (request, reply) =>
    sendHtml(reply, keysPage(await stateOf(parts, request))),
  );
  app.post(KEYS_PATH, async (request, reply) => {
    const user = userOf(request);
    const name = fieldOf(request, 'name');
    const form = formUseOf(parts, request, reply);
    if (form === undefined) return sendStaleForm(reply, KEYS_PATH);
    try {
      const mode = modeOf(fieldOf(request, 'mode'));
      const made = await createOnce(db, form, (trx) =>
        createKeyWithin(trx, user.accountId, mode, name, clock()),
      );
      if (made.created === undefined) return await sendShown(parts, request, reply, made.earlierId);
      const { created } = made;
      return sendHtml(reply, newKeyPage({ user, created, origin: publicUrl() }));
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const field = error.reason === 'invalid_name' ? 'name' : undefined;
      const failed = { name, fault: { field, message: error.message } };
      return sendHtml(reply, keysPage({ ...(await stateOf(parts, request)), failed }), 422);
    }
  });
  revokeRoutes(app, parts);
  rotateRoutes(app, parts);
}

function revokeRoutes(app: FastifyInstance, parts: AccountParts): void {
  const path = `${KEYS_PATH}/:key/revoke`;
  app.get(path, async (request, reply) => {
    const key = await ownKey(parts, request);
    if (key === undefined) return sendNoKey(reply);
    return sendHtml(reply, revokePage(userOf(request), key));
  });
  app.post(path, async (request, reply) => {
    const key = await ownKey(parts, request);
    if (key === undefined) return sendNoKey(reply);
    await revokeKey(parts.users.db, key.id, parts.users.clock());
    return reply.redirect(`${KEYS_PATH}?done=revoked`, 303);
  });
}

function rotateRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { users, publicUrl } = parts;
  const { db, clock } = users;
  const path = `${KEYS_PATH}/:key/rotate`;
  app.get(path, async (request, reply) => {
    const key = await ownKey(parts, request);
    if (key === undefined || key.endsAtMs !== null) return sendNoKey(reply);
    return sendHtml(
      reply,
      rotatePage(userOf(request), key, newOnce(parts, userOf(request).csrfToken)),
    );
  });
  app.post(path, async (request, reply) => {
    const user = userOf(request);
    const form = formUseOf(parts, request, reply);
    if (form === undefined) return sendStaleForm(reply, KEYS_PATH);
    // This comes before the look-up of the key, because the first use may have revoked the key.
    const earlierId = await earlierUse(db, form);
    if (earlierId !== undefined) return await sendShown(parts, request, reply, earlierId);
    const key = await ownKey(parts, request);
    if (key === undefined) return sendNoKey(reply);
    const overlap = overlapOf(fieldOf(request, 'ends'));
    try {
      const made = await createOnce(db, form, (trx) =>
        rotateKeyWithin(trx, key.id, OVERLAPS[overlap].ms, clock()),
      );
      if (made.created === undefined) return await sendShown(parts, request, reply, made.earlierId);
      const old = await findKey(db, user.accountId, key.id);
      const { created } = made;
      return sendHtml(reply, newKeyPage({ user, created, origin: publicUrl(), old }));
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return sendMessage(reply, 409, {
        title: 'The key was not rotated',
        text: error.message,
        links: [{ href: KEYS_PATH, label: 'Your keys' }],
      });
    }
  });
}

/** Answers a form that was sent again after it had created a key. */
async function sendShown(
  { users: { db } }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  keyId: string,
): Promise<FastifyReply> {
  const user = userOf(request);
  return sendHtml(reply, shownKeyPage(user, await findKey(db, user.accountId, keyId)));
}

/** The key in the path; undefined if it is revoked or belongs to another account. */
async function ownKey(
  { users: { db } }: AccountParts,
  request: FastifyRequest,
): Promise<KeyRecord | undefined> {
  const key = await findKey(db, userOf(request).accountId, pathText(request, 'key'));
  return key?.revokedAtMs === null ? key : undefined;
}

function sendNoKey(reply: FastifyReply): FastifyReply {
  return sendMessage(reply, 404, {
    title: 'Key not found',
    text: 'You have no such key, or it was already revoked or replaced.',
    links: [{ href: KEYS_PATH, label: 'Your keys' }],
  });
}

function overlapOf(text: string): Overlap {
  return Object.hasOwn(OVERLAPS, text) ? (text as Overlap) : '24h';
}

async function stateOf(parts: AccountParts, request: FastifyRequest): Promise<KeysState> {
  const user = userOf(request);
  const { db } = parts.users;
  const once = newOnce(parts, user.csrfToken);
  const keys = await listKeys(db, user.accountId);
  const usage = await usageByKey(db, user.accountId);
  return { user, keys, usage, once, done: queryText(request, 'done') };
}
