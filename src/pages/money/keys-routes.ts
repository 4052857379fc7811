import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccountError } from '../../accounts/errors.js';
import { createKey, findKey, type KeyRecord, listKeys, revokeKey } from '../../accounts/keys.js';
import { OVERLAPS, type Overlap } from '../../accounts/overlaps.js';
import { rotateKey } from '../../accounts/rotate-key.js';
import { usageByKey } from '../../ledger/usage.js';
import { sendMessage } from '../message-page.js';
import { sendHtml } from '../send-html.js';
import { fieldOf, visitorOf } from '../visitors.js';
import {
  KEYS_PATH,
  type KeysState,
  keysPage,
  newKeyPage,
  revokePage,
  rotatePage,
} from './keys-page.js';
import { type MoneyParts, modeOf, pathText, queryText } from './parts.js';

/**
 * Registers the keys, behind `requirePerson`. A new key is shown in the answer to its form and not
 * after a redirect: in between it would have to be kept somewhere.
 */
export function keysRoutes(app: FastifyInstance, parts: MoneyParts): void {
  const { db, clock, publicUrl } = parts;
  app.get(KEYS_PATH, async (request, reply) =>
    sendHtml(reply, keysPage(await stateOf(parts, request))),
  );
  app.post(KEYS_PATH, async (request, reply) => {
    const visitor = visitorOf(request);
    const name = fieldOf(request, 'name');
    try {
      const mode = modeOf(fieldOf(request, 'mode'));
      const made = await createKey(db, visitor.accountId, mode, name, clock());
      return sendHtml(reply, newKeyPage(visitor, made, publicUrl()));
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

function revokeRoutes(app: FastifyInstance, parts: MoneyParts): void {
  const path = `${KEYS_PATH}/:key/revoke`;
  app.get(path, async (request, reply) => {
    const key = await ownKey(parts, request);
    if (key === undefined) return sendNoKey(reply);
    return sendHtml(reply, revokePage(visitorOf(request), key));
  });
  app.post(path, async (request, reply) => {
    const key = await ownKey(parts, request);
    if (key === undefined) return sendNoKey(reply);
    await revokeKey(parts.db, key.id, parts.clock());
    return reply.redirect(`${KEYS_PATH}?done=revoked`, 303);
  });
}

function rotateRoutes(app: FastifyInstance, parts: MoneyParts): void {
  const { db, clock, publicUrl } = parts;
  const path = `${KEYS_PATH}/:key/rotate`;
  app.get(path, async (request, reply) => {
    const key = await ownKey(parts, request);
    if (key === undefined || key.endsAtMs !== null) return sendNoKey(reply);
    return sendHtml(reply, rotatePage(visitorOf(request), key));
  });
  app.post(path, async (request, reply) => {
    const visitor = visitorOf(request);
    const key = await ownKey(parts, request);
    if (key === undefined) return sendNoKey(reply);
    const overlap = overlapOf(fieldOf(request, 'ends'));
    try {
      const made = await rotateKey(db, key.id, OVERLAPS[overlap].ms, clock());
      const old = await findKey(db, visitor.accountId, key.id);
      return sendHtml(reply, newKeyPage(visitor, made, publicUrl(), old));
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return sendMessage(reply, 409, {
        title: 'The key cannot be rotated',
        text: error.message,
        links: [{ href: KEYS_PATH, label: 'Your keys' }],
      });
    }
  });
}

/** The key a path names; undefined where it is revoked, or not one of the visitor's account. */
async function ownKey({ db }: MoneyParts, request: FastifyRequest): Promise<KeyRecord | undefined> {
  const key = await findKey(db, visitorOf(request).accountId, pathText(request, 'key'));
  return key?.revokedAtMs === null ? key : undefined;
}

function sendNoKey(reply: FastifyReply): FastifyReply {
  return sendMessage(reply, 404, {
    title: 'No such key',
    text: 'You have no such key, or it is revoked or replaced already.',
    links: [{ href: KEYS_PATH, label: 'Your keys' }],
  });
}

function overlapOf(text: string): Overlap {
  return Object.hasOwn(OVERLAPS, text) ? (text as Overlap) : '24h';
}

async function stateOf({ db }: MoneyParts, request: FastifyRequest): Promise<KeysState> {
  const visitor = visitorOf(request);
  const keys = await listKeys(db, visitor.accountId);
  const usage = await usageByKey(db, visitor.accountId);
  return { visitor, keys, usage, done: queryText(request, 'done') };
}
