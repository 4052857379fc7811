import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { Refusal } from '../failure.js';
import { reloadServices } from './control-socket.js';
import { JSON_OPTION, type JsonOption, print } from './output.js';

const NOTES = `
Makes the services that this user runs on this machine, and that serve from ARTIFACTS_DIR, switch to the
current artifacts, as SIGHUP does. It also reaches a service that was started by npm start, which does
not pass SIGHUP on. Exit code 1 says that there is no such service, or that one refused the artifacts and
keeps the old ones; its log says why.

Example:
  npx vitruvia artifacts use 2022.0123456789ab && npx vitruvia reload
`;

/** Adds the options of `reload`. */
export function reloadCommand(command: Command): void {
  command
    .option(...JSON_OPTION)
    .addHelpText('after', NOTES)
    .action(reload);
}

async function reload(options: JsonOption): Promise<void> {
  const { artifactsDir } = readConfig(process.env);
  const services = await reloadServices(artifactsDir);
  if (services.length === 0) {
    const message = `No service of this user on this machine serves from ${artifactsDir}. Set ARTIFACTS_DIR as the service has it, or send SIGHUP to its process.`;
    throw new Refusal('no_service', message);
  }
  const lines = services.map(({ pid, outcome }) => `process ${pid}: ${outcome}`).join('\n');
  if (services.some(({ outcome }) => outcome === 'refused')) {
    const message = `A service refused the current artifacts and keeps the old ones; its log says why.\n${lines}`;
    throw new Refusal('artifacts_refused', message, 1, { services });
  }
  print(options, { services }, lines);
}
