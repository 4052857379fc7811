import { type Logger, pino } from 'pino';
import type { Config } from './config.js';

const REDACTED = [
  'req.headers',
  'headers',
  '*.authorization',
  'authorization',
  'apiKey',
  '*.apiKey',
  'cookie',
  '*.cookie',
  // Redis' client hangs the command that failed on its errors: a password, a key's hash, an answer.
  'err.command',
  'err.*.command',
  'err.aggregateErrors[*].command',
];

/**
 * Structured logs, a JSON object a line; what could hold a key is cut out of them.
 *
 * @param fd standard output (1) or standard error (2)
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, fd: 1 | 2): Logger {
  const destination = pino.destination({ fd, sync: true });
  return pino({ level: logLevel, redact: REDACTED }, destination);
}
