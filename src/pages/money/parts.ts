import type { FastifyRequest } from 'fastify';
import type { Gate } from '../../billing/gate.js';
import type { Mode } from '../../core/billing-terms.js';
import type { Database } from '../../database/schema.js';
import type { Payments } from '../../payments/payments.js';

/** What the pages about keys and credits need. */
export interface MoneyParts {
  readonly db: Database;
  readonly gate: Pick<Gate, 'funds'>;
  readonly payments: Payments;
  readonly clock: () => number;
  /** Where people reach the service, as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
}

/** A text in a request's query; undefined where it is missing or there several times. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** A text in a request's path. */
export function pathText(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string | undefined>)[name] ?? '';
}

/** The mode somebody asked for; live where they said none. */
export function modeOf(text: string | undefined): Mode {
  return text === 'test' ? 'test' : 'live';
}
