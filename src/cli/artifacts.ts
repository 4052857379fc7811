import { join } from 'node:path';
import type { Command } from 'commander';
import { installArchive } from '../artifacts/install.js';
import { pointCurrent } from '../artifacts/place.js';
import { readConfig } from '../config.js';
import { Refusal } from '../failure.js';
import { currentVersion, listVersions, verifyAndStamp } from '../lookup/open-artifact.js';
import { CONTENT_NAME, contentName, stampHolds } from '../lookup/version.js';
import { JSON_OPTION, type JsonOption, print, table } from './output.js';

const SERVER_NOTE =
  'A running service keeps the version it serves until npx vitruvia reload, or a SIGHUP.';

/** Adds `artifacts list`, `verify`, `install` and `use`. */
export function artifactsCommand(command: Command): void {
  command
    .command('list')
    .description('list the versions in ARTIFACTS_DIR; * marks the current one')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia artifacts list --json\n')
    .action(list);
  command
    .command('verify')
    .description('verify a version in full: checksums and every number')
    .argument('[version]', 'the version (default: ARTIFACT_VERSION or else the current one)')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia artifacts verify\n')
    .action(verify);
  command
    .command('install')
    .description(
      'unpack and verify an archive of a version into ARTIFACTS_DIR; does not switch to it',
    )
    .argument('<archive>', 'file made by npm run release:artifacts')
    .option('--sha256 <hex>', 'SHA-256 that the archive must have, from its announcement')
    .option(...JSON_OPTION)
    .addHelpText('after', INSTALL_NOTES)
    .action(install);
  command
    .command('use')
    .description('verify a version in full and make it the current one')
    .argument('<version>', 'one of npx vitruvia artifacts list')
    .option(...JSON_OPTION)
    .addHelpText('after', USE_NOTES)
    .action(use);
}

const INSTALL_NOTES = `
An archive is refused if it is damaged, if it is not a release, or if its numbers are not valid.
Nothing changes then. Its own checksums detect accidental damage; --sha256 also detects an archive
from someone else.

Example:
  npx vitruvia artifacts install vitruvia-artifacts-2022.0123456789ab.tar.gz
  npx vitruvia artifacts use 2022.0123456789ab
`;

const USE_NOTES = `
${SERVER_NOTE} It then verifies the version again and refuses a bad one.
If ARTIFACT_VERSION is set, it takes precedence over the current version.

Example:
  npx vitruvia artifacts use 2022.0123456789ab && npx vitruvia reload
`;

function list(options: JsonOption): void {
  const { artifactsDir } = readConfig(process.env);
  const current = currentVersion(artifactsDir);
  const versions = listVersions(artifactsDir).map((version) => ({
    version,
    current: version === current,
    verified: stampHolds(join(artifactsDir, version)),
  }));
  const rows = versions.map((entry) => [
    `${entry.current ? '*' : ' '} ${entry.version}`,
    entry.verified ? 'verified' : 'not verified yet',
  ]);
  const none = `No artifacts in ${artifactsDir}; build them with npx vitruvia pipeline.`;
  print(options, versions, versions.length === 0 ? none : table(rows));
}

/** The folder of an existing version. */
function folderOf(artifactsDir: string, version: string | undefined): string {
  const versions = listVersions(artifactsDir);
  if (version !== undefined && versions.includes(version)) return join(artifactsDir, version);
  const known = versions.length === 0 ? 'none' : versions.join(', ');
  const name = version === undefined ? 'current version' : `version ${version}`;
  throw new Refusal(
    'unknown_version',
    `There is no ${name} in ${artifactsDir}. Versions there: ${known}.`,
  );
}

function verify(wanted: string | undefined, options: JsonOption): void {
  const { artifactsDir, artifactVersion } = readConfig(process.env);
  const version = wanted ?? artifactVersion ?? currentVersion(artifactsDir);
  verifyAndStamp(folderOf(artifactsDir, version));
  print(options, { version, verified: true }, `${version} is complete and valid.`);
}

async function install(archive: string, options: JsonOption & { sha256?: string }): Promise<void> {
  const { artifactsDir } = readConfig(process.env);
  const { version, sha256, fresh } = await installArchive(archive, artifactsDir, options.sha256);
  const what = fresh ? 'is installed and verified' : 'was already installed; nothing changed';
  const next = `To serve it: npx vitruvia artifacts use ${version}`;
  print(options, { version, sha256, installed: fresh }, `${version} ${what}.\n${next}`);
}

function use(version: string, options: JsonOption): void {
  const { artifactsDir, artifactVersion } = readConfig(process.env);
  const before = currentVersion(artifactsDir);
  const { manifest } = verifyAndStamp(folderOf(artifactsDir, version));
  const named = CONTENT_NAME.test(version) ? contentName(manifest) : manifest.artifactVersion;
  if (named !== version || manifest.artifactVersion !== version) {
    const message = `The folder ${version} holds the version ${named}. Give the folder that name, or install the version again.`;
    throw new Refusal('wrong_name', message);
  }
  pointCurrent(artifactsDir, version);
  const lines = [`${version} is verified and current.`, SERVER_NOTE];
  if (artifactVersion !== undefined) {
    lines.push(
      `ARTIFACT_VERSION is set to ${artifactVersion} here; it takes precedence over the current version.`,
    );
  }
  print(options, { version, before: before ?? null }, lines.join('\n'));
}
