import type { Command } from 'commander';
import { PICTURE_SECRET, renewSecret } from '../accounts/deployment-secret.js';
import { isoTime, JSON_OPTION, type JsonOption, print } from './output.js';
import { withDatabase } from './with-database.js';

/** Adds `secrets renew`. */
export function secretsCommand(command: Command): void {
  command
    .command('renew')
    .description('change the secret that signs the addresses of pictures; open pages stay whole')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia secrets renew\n')
    .action(renew);
}

async function renew(options: JsonOption): Promise<void> {
  const { fromMs, oldUntilMs } = await withDatabase((db) => renewSecret(db, PICTURE_SECRET));
  const times = { signsFrom: isoTime(fromMs), oldUntil: isoTime(oldUntilMs) };
  const text = `All nodes sign with the new secret from ${times.signsFrom}. Pages that were signed before show their pictures until ${times.oldUntil}.`;
  print(options, times, text);
}
