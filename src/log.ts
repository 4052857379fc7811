import pino, { type Logger } from 'pino';
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
  // Errors of the Redis client contain the failed command, with a password, the hash of a key, or an answer.
  'err.command',
  'err.*.command',
  'err.aggregateErrors[*].command',
];

/**
 * Creates the log. It has one JSON object per line, and nothing that could contain a key.
 *
 * @param fd standard output (1) or standard error (2)
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, fd: 1 | 2): Logger {
  const destination = pino.destination({ fd, sync: true });
  return pino({ level: logLevel, redact: REDACTED }, destination);
}
