import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { projectDir } from '../src/core/project-dir.js';
import { typedCommand } from '../src/core/typed-command.js';
import { ArtifactError } from '../src/lookup/errors.js';
import { currentVersion, openArtifact } from '../src/lookup/open-artifact.js';
import { type Comparison, compareArtifacts } from './compare/compare.js';
import { CompareRefusal } from './compare/comparison.js';
import { openToCompare } from './compare/open.js';
import { compareMarkdown } from './compare/report.js';
import { BuildFault } from './plans/build-fault.js';
import { StudyFaults } from './raw-tables/study-faults.js';
import { optionalSources, type PipelineOptions, PipelineRefusal, runPipeline } from './run.js';
import { runProgram } from './run-program.js';
import { SourceError } from './sources.js';

/** Shows progress on stderr: a bar on a terminal, else a line for each stage and each tenth of the work. */
function reporter(): { update: (share: number, stage: string) => void; stop: () => void } {
  if (!process.stderr.isTTY) {
    let last = '';
    const update = (share: number, stage: string) => {
      const step = `${stage} ${Math.floor(10 * share)}`;
      if (step !== last) {
        process.stderr.write(`artifacts: ${Math.round(100 * share)} %, ${stage}\n`);
      }
      last = step;
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

/** Exit code with `--fail-on-jump` when the comparison finds a jump. */
const JUMP_EXIT_CODE = 3;
const RAW_DIR = join(projectDir(), 'data/raw');

const TYPED = typedCommand('pipeline');

const NOTES = `
Exit codes: 0 done (also with jumps), 1 refused, 2 wrong usage, 3 a jump (only with --fail-on-jump).

Examples:
  ${TYPED} --stage --compare 2022.0123456789ab
  ${TYPED} --compare 2022.0123456789ab
  ${TYPED} --no-build --compare 2022.0123456789ab --report moved.md --fail-on-jump
`;

const command = new Command(TYPED)
  .description('Builds the artifacts from the survey tables under data/raw.')
  .option('--raw <folder>', 'folder of the survey tables', RAW_DIR)
  .option(
    '--artifacts <folder>',
    'folder of the versions',
    process.env.ARTIFACTS_DIR || join(projectDir(), 'data/artifacts'),
  )
  .option(
    '--without <source...>',
    `leave out sources whose terms do not suit you: ${optionalSources(RAW_DIR).join(', ')}`,
    [] as string[],
  )
  .option('--compare <version>', 'show the changes since an older version (its name or its folder)')
  .option('--stage', 'build a version without making it current')
  .option('--no-build', 'build nothing; compare the current version')
  .option('--report <file>', 'write the comparison to a file, as Markdown')
  .option('--fail-on-jump', 'end with exit code 3 when the comparison finds a jump')
  .option('--json', 'print the result as JSON')
  .addHelpText('after', NOTES)
  .showHelpAfterError('(--help lists the options)');

interface Options {
  readonly raw: string;
  readonly artifacts: string;
  readonly without: string[];
  readonly compare?: string;
  readonly stage?: true;
  readonly build: boolean;
  readonly report?: string;
  readonly failOnJump?: true;
  readonly json?: true;
}

/** Errors whose messages explain the refusal of a build. */
const EXPLAINED = [
  ...[PipelineRefusal, ArtifactError, SourceError, CompareRefusal, StudyFaults, BuildFault],
];

/** Refuses options that need or exclude each other. */
function checkOptions({ build, compare, stage, report, failOnJump }: Options): void {
  const needing = build ? [report, failOnJump] : [true];
  if (compare === undefined && needing.some((value) => value !== undefined)) {
    command.error('error: --no-build, --report and --fail-on-jump need --compare <version>');
  }
  if (stage && !build) {
    command.error('error: --stage builds a version; it cannot be used with --no-build');
  }
}

interface Outcome {
  readonly version?: string;
  /** Whether `current` names this version; undefined if nothing was built. */
  readonly current?: boolean | undefined;
  readonly losses?: readonly string[];
  readonly warnings?: readonly string[];
  readonly comparison?: Comparison;
}

/** Parts of a build that a test can replace. */
export type BuildChanges = Pick<PipelineOptions, 'onlyCountries'>;

async function work(
  options: Options,
  report: ReturnType<typeof reporter>,
  changes: BuildChanges,
): Promise<Outcome> {
  const { artifacts: artifactsDir, compare } = options;
  // The older version is opened before the build, so that a missing version is refused at once.
  const older = compare === undefined ? undefined : openToCompare(artifactsDir, compare);
  const built = options.build
    ? await runPipeline({
        rawDir: options.raw,
        artifactsDir,
        without: options.without,
        stage: options.stage === true,
        progress: report.update,
        ...changes,
      })
    : undefined;
  report.stop();
  const current = built && currentVersion(artifactsDir) === built.version;
  if (older === undefined) return { ...built, current };
  const comparison = compareArtifacts(older, openArtifact(artifactsDir, built?.version));
  if (options.report !== undefined) writeFileSync(options.report, compareMarkdown(comparison));
  return { ...built, current, comparison };
}

/** Says what was built. For a staged version, the text also says how to make the version current. */
function builtText(version: string, current: boolean, artifactsDir: string): string {
  if (current) return `artifacts ${version} are built, verified and current\n`;
  const before = currentVersion(artifactsDir);
  const stays = before === undefined ? 'no version is current' : `${before} stays current`;
  // `artifacts use` looks in ARTIFACTS_DIR. The option --artifacts may name another folder.
  const usual = resolve(process.env.ARTIFACTS_DIR || join(projectDir(), 'data/artifacts'));
  const folder = resolve(artifactsDir) === usual ? '' : `ARTIFACTS_DIR=${resolve(artifactsDir)} `;
  return `artifacts ${version} are built and verified; ${stays}
To make it current: ${folder}npx vitruvia artifacts use ${version}\n`;
}

function show(outcome: Outcome, artifactsDir: string): void {
  const { version, current = false, losses = [], warnings = [], comparison } = outcome;
  for (const warning of warnings) process.stdout.write(`warning: ${warning}\n`);
  for (const loss of losses) process.stdout.write(`left out: ${loss}\n`);
  if (version !== undefined) process.stdout.write(builtText(version, current, artifactsDir));
  if (comparison !== undefined) process.stdout.write(`\n${compareMarkdown(comparison)}`);
}

/**
 * Runs the command with the arguments of the process.
 *
 * @param changes changes for tests. The command has no options for them, so that nobody builds numbers of a
 * few countries by mistake.
 * @returns the exit code
 */
export async function runCommand(changes: BuildChanges = {}): Promise<number> {
  let failed = false;
  command.action(async (options: Options) => {
    checkOptions(options);
    const report = reporter();
    try {
      mkdirSync(options.artifacts, { recursive: true });
      const outcome = await work(options, report, changes);
      if (options.json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
      else show(outcome, options.artifacts);
      failed = options.failOnJump === true && (outcome.comparison?.jumps.length ?? 0) > 0;
    } finally {
      report.stop();
    }
  });
  const code = await runProgram(command, EXPLAINED);
  return failed ? JUMP_EXIT_CODE : code;
}
