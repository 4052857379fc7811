import { userInfo } from 'node:os';
import { createLog } from '../log.js';

/** The option of commands that the log names with their user. */
export interface ByOption {
  readonly by?: string;
}

/** Flag and description of that option. */
export const BY_OPTION = [
  '--by <name>',
  'who does this, for the log; by default the user of the system',
] as const;

/** Logs what an operator did to an account, with name and time, to standard error, at every LOG_LEVEL. */
export function logOperator(
  { by }: ByOption,
  action: string,
  what: Readonly<Record<string, unknown>>,
): void {
  createLog({ logLevel: 'info' }, 2).info(
    { by: by ?? systemUser(), action, ...what },
    'done by an operator',
  );
}

/** Name of the user of the system; in a container, the number may have no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
