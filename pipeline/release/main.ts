import { join } from 'node:path';
import { Command } from 'commander';
import { projectDir } from '../../src/core/project-dir.js';
import { ArtifactError } from '../../src/lookup/errors.js';
import { CompareRefusal } from '../compare/comparison.js';
import { PipelineRefusal } from '../run.js';
import { runProgram } from '../run-program.js';
import { SourceError } from '../sources.js';
import { release } from './release.js';

const NOTES = `
The archive contains the version, its checksums, accuracy.json (npm run evaluate), and compare.md and
compare.json with the changes since the previous version. Install it with
npx vitruvia artifacts install <archive>. Exit codes: 0 done, 1 refused, 2 wrong usage.

Examples:
  npm run release:artifacts
  npm run release:artifacts -- 2022.0123456789ab --previous 2022.ba9876543210 --to /srv/releases
`;

interface Options {
  readonly previous?: string | boolean;
  readonly to: string;
  readonly raw: string;
  readonly artifacts: string;
  readonly json?: true;
}

const command = new Command('release:artifacts')
  .description('Packs a built version into an archive for a release.')
  .argument('[version]', 'the version (default: the current one)')
  .option('--previous <version>', 'version to compare with (default: the newest other one)')
  .option('--no-previous', 'do not compare (for a first release)')
  .option('--to <folder>', 'folder of the archive', join(projectDir(), 'data/releases'))
  .option('--raw <folder>', 'folder of the survey tables', join(projectDir(), 'data/raw'))
  .option(
    '--artifacts <folder>',
    'folder of the versions',
    process.env.ARTIFACTS_DIR || join(projectDir(), 'data/artifacts'),
  )
  .option('--json', 'print the result as JSON')
  .addHelpText('after', NOTES)
  .showHelpAfterError('(--help lists the options)')
  .action(async (wanted: string | undefined, { previous, to, raw, artifacts, json }: Options) => {
    const { version, archive, sha256, bytes, comparison } = await release({
      rawDir: raw,
      artifactsDir: artifacts,
      version: wanted,
      previous: previous === true ? undefined : previous,
      to,
      progress: (stage) => void process.stderr.write(`release: ${stage}\n`),
    });
    const since = comparison?.before.version ?? null;
    const jumps = comparison?.jumps.length ?? 0;
    const lines = [
      `${archive} (${(bytes / 1e6).toFixed(0)} MB)`,
      `SHA-256 ${sha256}`,
      since === null ? 'not compared' : `compared with ${since}: ${jumps} jumps`,
    ];
    const document = { version, archive, bytes, sha256, since, jumps };
    process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${lines.join('\n')}\n`);
  });

const EXPLAINED = [PipelineRefusal, ArtifactError, SourceError, CompareRefusal];
process.exitCode = await runProgram(command, EXPLAINED);
