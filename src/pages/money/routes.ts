import type { FastifyInstance } from 'fastify';
import { creditsRoutes } from './credits-routes.js';
import { keysRoutes } from './keys-routes.js';
import type { MoneyParts } from './parts.js';
import { usageRoutes } from './usage-routes.js';

/**
 * Registers keys, credits, usage and ledger, behind `requirePerson`. All they show and change is
 * found by the account of the session; what belongs to another is not there (404).
 */
export function moneyRoutes(app: FastifyInstance, parts: MoneyParts): void {
  keysRoutes(app, parts);
  creditsRoutes(app, parts);
  usageRoutes(app, parts);
}
