import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { currentVersion, listVersions, verifyVersion } from '../lookup/open-artifact.js';
import { Refusal } from './failure.js';
import { JSON_OPTION, type JsonOption, print } from './output.js';

/** Adds `artifacts list` and `artifacts verify`. */
export function artifactsCommand(command: Command): void {
  command
    .command('list')
    .description('list the versions in ARTIFACTS_DIR')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia artifacts list --json\n')
    .action(list);
  command
    .command('verify')
    .description('verify a version in full: checksums and every number')
    .argument('[version]', 'the version (default: ARTIFACT_VERSION, else the current one)')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia artifacts verify\n')
    .action(verify);
}

function list(options: JsonOption): void {
  const { artifactsDir } = readConfig(process.env);
  const current = currentVersion(artifactsDir);
  const versions = listVersions(artifactsDir).map((version) => ({
    version,
    current: version === current,
  }));
  const lines = versions.map((entry) => `${entry.current ? '*' : ' '} ${entry.version}`);
  const none = `No artifacts in ${artifactsDir}; build them with npx vitruvia pipeline.`;
  print(options, versions, versions.length === 0 ? none : lines.join('\n'));
}

function verify(wanted: string | undefined, options: JsonOption): void {
  const { artifactsDir, artifactVersion } = readConfig(process.env);
  const version = wanted ?? artifactVersion ?? currentVersion(artifactsDir);
  const versions = listVersions(artifactsDir);
  if (version === undefined || !versions.includes(version)) {
    const known = versions.length === 0 ? 'none' : versions.join(', ');
    const name = version === undefined ? 'current version' : `version ${version}`;
    throw new Refusal('unknown_version', `No ${name} in ${artifactsDir}; there are: ${known}.`);
  }
  verifyVersion(join(artifactsDir, version));
  print(options, { version, verified: true }, `${version} is whole and sound.`);
}
