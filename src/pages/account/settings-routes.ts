import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidLink } from '../../accounts/email-tokens.js';
import { endSession, endSessions, listSessions } from '../../accounts/sessions.js';
import {
  changePassword,
  confirmNewEmail,
  deleteUser,
  requestNewEmail,
} from '../../accounts/user-changes.js';
import * as emails from '../../email/emails.js';
import { sendHtml } from '../../site/responses.js';
import { clearSession, fieldOf, SIGN_IN_PATH, setSession, userOf } from '../user-session.js';
import type { FormFault } from './forms.js';
import { refuse, sendInvalidLink } from './refusals.js';
import { type AccountParts, linkTokenOf, requestOriginOf, sendChangeNotice } from './requests.js';
import { confirmEmailPage, type SettingsForm, settingsPage } from './settings-page.js';

const SETTINGS_PATH = '/account/settings';

/** Registers the settings, behind `requireUser`. */
export function settingsRoutes(app: FastifyInstance, parts: AccountParts): void {
  app.get(SETTINGS_PATH, async (request, reply) => {
    const { done } = request.query as { done?: unknown };
    const sessions = await sessionsOf(parts, request);
    const user = userOf(request);
    return sendHtml(reply, settingsPage({ user, sessions, done: String(done ?? '') }));
  });
  // The address of a refused form, opened again.
  app.get(`${SETTINGS_PATH}/:form`, (_request, reply) => reply.redirect(SETTINGS_PATH, 303));
  passwordRoute(app, parts);
  emailRoutes(app, parts);
  sessionsRoute(app, parts);
  deleteRoute(app, parts);
}

function passwordRoute(app: FastifyInstance, parts: AccountParts): void {
  const { users } = parts;
  app.post('/account/settings/password', async (request, reply) => {
    const user = userOf(request);
    const input = {
      password: fieldOf(request, 'password'),
      newPassword: fieldOf(request, 'new_password'),
    };
    try {
      const token = await changePassword(users, user, input, requestOriginOf(request));
      setSession(request, reply, token);
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'password', error);
    }
    sendChangeNotice(parts, request, user.email, 'Your password was changed');
    return reply.redirect(`${SETTINGS_PATH}?done=password`, 303);
  });
}

function emailRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { users, emailQueue, publicUrl } = parts;
  app.post('/account/settings/email', async (request, reply) => {
    const input = { email: fieldOf(request, 'email'), password: fieldOf(request, 'password') };
    try {
      const wanted = await requestNewEmail(users, userOf(request), input);
      emailQueue.send(async () => {
        if (wanted === undefined) return undefined;
        const { email, token } = wanted;
        if (token === undefined)
          return emails.existingAccountEmail(email, publicUrl() + SIGN_IN_PATH);
        return emails.newAddressEmail(email, `${publicUrl()}/account/confirm-email?token=${token}`);
      }, request.id);
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'email', error);
    }
    return reply.redirect(`${SETTINGS_PATH}?done=mail`, 303);
  });
  app.get('/account/confirm-email', (request, reply) => {
    const token = linkTokenOf(request);
    if (token === undefined) return sendInvalidLink(reply, invalidLink().message);
    return sendHtml(reply, confirmEmailPage(userOf(request), token));
  });
  app.post('/account/confirm-email', async (request, reply) => {
    const user = userOf(request);
    try {
      await confirmNewEmail(users, user, fieldOf(request, 'token'));
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'email', error);
    }
    sendChangeNotice(parts, request, user.email, 'Your e-mail address was changed');
    return reply.redirect(`${SETTINGS_PATH}?done=email`, 303);
  });
}

function sessionsRoute(app: FastifyInstance, { users }: AccountParts): void {
  app.post('/account/settings/sessions', async (request, reply) => {
    const { userId, sessionId } = userOf(request);
    const wanted = fieldOf(request, 'session');
    if (wanted === 'others') await endSessions(users.db, userId, sessionId);
    else await endSession(users.db, userId, wanted);
    const done = wanted === 'others' ? 'sessions' : 'session';
    return reply.redirect(`${SETTINGS_PATH}?done=${done}`, 303);
  });
}

function deleteRoute(app: FastifyInstance, parts: AccountParts): void {
  app.post('/account/settings/delete', async (request, reply) => {
    try {
      await deleteUser(parts.users, userOf(request), fieldOf(request, 'password'));
    } catch (error) {
      return await refuseSettings(parts, request, reply, 'delete', error);
    }
    clearSession(request, reply);
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
  const user = userOf(request);
  const sessions = await sessionsOf(parts, request);
  const page = (fault: FormFault) => settingsPage({ user, sessions, failed: { form, fault } });
  return refuse(reply, error, page);
}

function sessionsOf({ users }: AccountParts, request: FastifyRequest) {
  return listSessions(users.db, userOf(request).userId, users.clock());
}
