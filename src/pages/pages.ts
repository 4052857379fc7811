import type { FastifyInstance } from 'fastify';
import {
  type FreeParts,
  freeAnswers,
  freeComputations,
} from '../screens/shared/free-computations.js';
import { assetRoutes } from '../site/assets.js';
import { addPageHeaders } from '../site/headers.js';
import { markRoute } from '../site/mark.js';
import type { AccountParts } from './account/requests.js';
import { accountRoutes } from './account-routes.js';

/** Parts of the pages of users. */
export type UserPageParts = FreeParts & Omit<AccountParts, 'free'>;

/** Registers the pages of users, and the scripts and styles of all pages. */
export async function userPages(app: FastifyInstance, parts: UserPageParts): Promise<void> {
  addPageHeaders(app);
  await assetRoutes(app);
  markRoute(app);
  const free = freeComputations(app, freeAnswers(parts));
  await app.register((scope) => accountRoutes(scope, { ...parts, free }));
}
