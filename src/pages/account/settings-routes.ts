import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidLink } from '../../accounts/email-tokens.js';
import {
  changePassword,
  confirmNewEmail,
  deletePerson,
  requestNewEmail,
} from '../../accounts/person-changes.js';
import { endSession, endSessions, listSessions } from '../../accounts/sessions.js';
import * as letters from '../../email/letters.js';
import { sendHtml } from '../send-html.js';
import { dropSession, fieldOf, giveSession, SIGN_IN_PATH, visitorOf } from '../visitors.js';
import { originOf, refuse, sendInvalidLink } from './answers.js';
import type { AccountParts } from './routes.js';
import { confirmEmailPage, type SettingsForm, settingsPage } from './settings-page.js';
import { linkTokenOf } from './stranger-routes.js';

const SETTINGS_PATH = '/account/settings';

/** Registers the settings, behind `requirePerson`. */
export function settingsRoutes(app: FastifyInstance, parts: AccountParts): void {
  app.get(SETTINGS_PATH, async (request, reply) => {
    const { done } = request.query as { done?: unknown };
    const sessions = await sessionsOf(parts, request);
    const visitor = visitorOf(request);
    return sendHtml(reply, settingsPage({ visitor, sessions, done: String(done ?? '') }));
  });
  passwordRoute(app, parts);
  emailRoutes(app, parts);
  sessionsRoute(app, parts);
  deleteRoute(app, parts);
}

function passwordRoute(app: FastifyInstance, parts: AccountParts): void {
  const { people, post, publicUrl } = parts;
  app.post('/account/settings/password', async (request, reply) => {
    const visitor = visitorOf(request);
    const input = {
      password: fieldOf(request, 'password'),
      newPassword: fieldOf(request, 'new_password'),
    };
    try {
      const token = await changePassword(people, visitor, input, originOf(request));
      giveSession(request, reply, token);
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'password', error);
    }
    const forgotLink = `${publicUrl()}/account/forgot`;
    const what = 'Your password was changed';
    post.send(async () => letters.noticeLetter(visitor.email, what, forgotLink));
    return reply.redirect(`${SETTINGS_PATH}?done=password`, 303);
  });
}

function emailRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { people, post, publicUrl } = parts;
  app.post('/account/settings/email', async (request, reply) => {
    const input = { email: fieldOf(request, 'email'), password: fieldOf(request, 'password') };
    try {
      const found = await requestNewEmail(people, visitorOf(request), input);
      post.send(async () => {
        if (found === undefined) return undefined;
        const { email, token } = found;
        if (token === undefined) return letters.knownLetter(email, publicUrl() + SIGN_IN_PATH);
        return letters.newEmailLetter(email, `${publicUrl()}/account/confirm-email?token=${token}`);
      });
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'email', error);
    }
    return reply.redirect(`${SETTINGS_PATH}?done=mail`, 303);
  });
  app.get('/account/confirm-email', (request, reply) => {
    const token = linkTokenOf(request);
    if (token === undefined) return sendInvalidLink(reply, invalidLink().message);
    return sendHtml(reply, confirmEmailPage(visitorOf(request), token));
  });
  app.post('/account/confirm-email', async (request, reply) => {
    const visitor = visitorOf(request);
    try {
      await confirmNewEmail(people, visitor, fieldOf(request, 'token'));
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'email', error);
    }
    const forgotLink = `${publicUrl()}/account/forgot`;
    const what = 'Your e-mail address was changed';
    post.send(async () => letters.noticeLetter(visitor.email, what, forgotLink));
    return reply.redirect(`${SETTINGS_PATH}?done=email`, 303);
  });
}

function sessionsRoute(app: FastifyInstance, { people }: AccountParts): void {
  app.post('/account/settings/sessions', async (request, reply) => {
    const { personId, sessionId } = visitorOf(request);
    const wanted = fieldOf(request, 'session');
    if (wanted === 'others') await endSessions(people.db, personId, sessionId);
    else await endSession(people.db, personId, wanted);
    const done = wanted === 'others' ? 'sessions' : 'session';
    return reply.redirect(`${SETTINGS_PATH}?done=${done}`, 303);
  });
}

function deleteRoute(app: FastifyInstance, parts: AccountParts): void {
  app.post('/account/settings/delete', async (request, reply) => {
    try {
      await deletePerson(parts.people, visitorOf(request), fieldOf(request, 'password'));
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'delete', error);
    }
    dropSession(request, reply);
    return reply.redirect(`${SIGN_IN_PATH}?done=deleted`, 303);
  });
}

async function refuseSettings(
  parts: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
  form: SettingsForm,
  error: unknown,
): Promise<FastifyReply> {
  const visitor = visitorOf(request);
  const sessions = await sessionsOf(parts, request);
  const page = (fault: { field?: string | undefined; message: string }) =>
    settingsPage({ visitor, sessions, failed: { form, fault } });
  return refuse(reply, error, page);
}

function sessionsOf({ people }: AccountParts, request: FastifyRequest) {
  return listSessions(people.db, visitorOf(request).personId, people.clock());
}
