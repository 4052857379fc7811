import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command, CommanderError } from 'commander';
import { projectDir } from '../src/core/project-dir.js';
import { ArtifactError } from '../src/lookup/errors.js';
import { ensureFolder, optionalSources, PipelineRefusal, runPipeline } from './run.js';
import { SourceError } from './sources.js';

/** Progress as a bar on a terminal, as a line per stage elsewhere; nothing on stdout. */
function reporter(): { update: (share: number, stage: string) => void; stop: () => void } {
  if (!process.stderr.isTTY) {
    let last = '';
    const update = (_: number, stage: string) => {
      if (stage !== last) process.stderr.write(`artifacts: ${stage}\n`);
      last = stage;
    };
    return { update, stop: () => undefined };
  }
  const bar = new SingleBar({
    format: 'artifacts {bar} {percentage} % | {stage}',
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(100, 0, { stage: '' });
  const update = (share: number, stage: string) => bar.update(Math.round(share * 100), { stage });
  return { update, stop: () => bar.stop() };
}

const RAW_DIR = join(projectDir(), 'data/raw');

const command = new Command('pipeline')
  .description('Builds the artifacts from the survey tables under data/raw.')
  .option('--raw <folder>', 'folder of the survey tables', RAW_DIR)
  .option(
    '--artifacts <folder>',
    'folder the versions are built in',
    process.env.ARTIFACTS_DIR || join(projectDir(), 'data/artifacts'),
  )
  .option(
    '--without <source...>',
    `leave sources out whose terms do not suit: ${optionalSources(RAW_DIR).join(', ')}`,
    [] as string[],
  )
  .option('--json', 'print the result as JSON')
  .showHelpAfterError('(--help lists the options)')
  .exitOverride();

interface Options {
  readonly raw: string;
  readonly artifacts: string;
  readonly without: string[];
  readonly json?: true;
}

/** The options, or the exit code where the words are a call for help or wrong (2). */
function readOptions(): Options | number {
  const json = process.argv.includes('--json');
  if (json) command.configureOutput({ writeErr: () => undefined });
  try {
    return command.parse().opts<Options>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const document = { code: 'wrong_usage', message: error.message.replace(/^error: /, '') };
    if (json) process.stdout.write(`${JSON.stringify(document)}\n`);
    return 2;
  }
}

/** The error, if it is one that its message explains; others are faults of the program. */
function refusal(error: unknown): Error {
  const explained = [PipelineRefusal, ArtifactError, SourceError];
  if (error instanceof Error && explained.some((kind) => error instanceof kind)) return error;
  throw error;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'number') return options;
  const report = reporter();
  try {
    ensureFolder(options.artifacts);
    const { version, losses } = await runPipeline({
      rawDir: options.raw,
      artifactsDir: options.artifacts,
      without: options.without,
      progress: report.update,
    });
    report.stop();
    if (options.json) {
      process.stdout.write(`${JSON.stringify({ version, losses })}\n`);
    } else {
      for (const loss of losses) process.stdout.write(`left out: ${loss}\n`);
      process.stdout.write(`artifacts ${version} are built, verified and current\n`);
    }
    return 0;
  } catch (error) {
    report.stop();
    const { message } = refusal(error);
    if (options.json) process.stdout.write(`${JSON.stringify({ code: 'refused', message })}\n`);
    else process.stderr.write(`${message}\n`);
    return 1;
  }
}

process.exitCode = await main();
