import type { FastifyInstance } from 'fastify';
import { UserError } from '../accounts/errors.js';
import { problemOfError } from '../request/problems.js';
import { sendMessage } from '../site/responses.js';
import { fileDownloadRoutes } from './account/file-download.js';
import { KEYS_PATH } from './account/keys-page.js';
import { keysRoutes } from './account/keys-routes.js';
import { sendRefusal } from './account/refusals.js';
import type { AccountParts } from './account/requests.js';
import { savedPopulationsRoutes } from './account/saved-populations-routes.js';
import { settingsRoutes } from './account/settings-routes.js';
import { signInRoutes } from './account/sign-in-routes.js';
import { signUpRoutes } from './account/sign-up-routes.js';
import { creditsRoutes } from './billing/credits-routes.js';
import { usageRoutes } from './billing/usage-routes.js';
import { requireUser, userScope } from './user-session.js';

/**
 * Registers all pages below `/account`. The pages of a signed-in user read and change only the
 * account of the session. Anything that belongs to another account is answered as missing (404).
 */
export async function accountRoutes(app: FastifyInstance, parts: AccountParts): Promise<void> {
  await userScope(app, parts);
  handleErrors(app, parts);
  signInRoutes(app, parts);
  await signUpRoutes(app, parts);
  await app.register(async (scope) => {
    requireUser(scope);
    scope.get('/account', (_request, reply) => reply.redirect(KEYS_PATH, 303));
    keysRoutes(scope, parts);
    creditsRoutes(scope, parts);
    usageRoutes(scope, parts);
    fileDownloadRoutes(scope, parts);
    settingsRoutes(scope, parts);
    savedPopulationsRoutes(scope, parts);
  });
}

/** Answers with a page when a handler throws an error. */
function handleErrors(app: FastifyInstance, { log }: AccountParts): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof UserError) return sendRefusal(reply, error);
    const { status, message } = problemOfError(error);
    if (status >= 500) {
      log.error({ err: error, request_id: request.id }, 'a page failed');
      const text = `Sorry, something went wrong on our side. Nothing was changed. Please try again. (Request ${request.id})`;
      return sendMessage(reply, status, { title: 'Something went wrong', text });
    }
    const text = status === 429 ? message : 'The form could not be read. Go back and try again.';
    return sendMessage(reply, status, { title: 'The request was not accepted', text });
  });
}
