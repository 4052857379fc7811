import type { FastifyInstance } from 'fastify';
import { PersonError } from '../../accounts/person-error.js';
import { endSessionOf } from '../../accounts/sessions.js';
import type { Gate } from '../../billing/gate.js';
import type { Post } from '../../email/post.js';
import { problemOfError } from '../../http/problems.js';
import type { FaultLog } from '../../metering/observer.js';
import type { Payments } from '../../payments/payments.js';
import { sendMessage } from '../message-page.js';
import { KEYS_PATH } from '../money/keys-page.js';
import { moneyRoutes } from '../money/routes.js';
import {
  dropSession,
  requirePerson,
  SIGN_IN_PATH,
  sessionTokenOf,
  type VisitorParts,
  visitorScope,
} from '../visitors.js';
import { statusOf } from './forms.js';
import { settingsRoutes } from './settings-routes.js';
import { strangerRoutes } from './stranger-routes.js';

/** Parts of the pages about people. */
export interface AccountParts extends VisitorParts {
  readonly post: Post;
  readonly gate: Pick<Gate, 'funds'>;
  readonly payments: Payments;
  readonly log: FaultLog;
}

/** Registers everything under `/account`: a scope that knows its visitor. */
export async function accountRoutes(app: FastifyInstance, parts: AccountParts): Promise<void> {
  await visitorScope(app, parts);
  answerFaults(app, parts);
  strangerRoutes(app, parts);
  app.post('/account/sign-out', async (request, reply) => {
    const token = sessionTokenOf(request);
    if (token !== undefined) await endSessionOf(parts.people.db, token);
    dropSession(request, reply);
    return reply.redirect(`${SIGN_IN_PATH}?done=out`, 303);
  });
  await app.register(async (scope) => {
    requirePerson(scope);
    scope.get('/account', (_request, reply) => reply.redirect(KEYS_PATH, 303));
    moneyRoutes(scope, { ...parts, db: parts.people.db, clock: parts.people.clock });
    settingsRoutes(scope, parts);
  });
}

/** What handlers throw, as a page. */
function answerFaults(app: FastifyInstance, { log }: AccountParts): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof PersonError) {
      if (error.retryAfterSeconds !== undefined) {
        reply.header('retry-after', error.retryAfterSeconds);
      }
      return sendMessage(reply, statusOf(error), { title: 'Not now', text: error.message });
    }
    const { status, message } = problemOfError(error);
    if (status >= 500) {
      log.error({ err: error, request_id: request.id }, 'a page failed');
      const text = `Something failed on our side; nothing was changed. Please try again. (${request.id})`;
      return sendMessage(reply, status, { title: 'Something failed', text });
    }
    const text = status === 429 ? message : 'The form could not be read. Go back and try again.';
    return sendMessage(reply, status, { title: 'This was not taken', text });
  });
}
