import { CommanderError } from 'commander';
import { buildProgram } from './program.js';

/** Runs a command. Resolves to the exit code; `serve` keeps the process alive after that. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  // The parser is not asked, because a command line that it cannot parse is reported as JSON too.
  const json = argv.includes('--json');
  // These parse their own options, including `--help`.
  if (argv[0] === 'pipeline' || argv[0] === 'import' || argv[0] === 'study') {
    const { runScript } = await import('./child.js');
    return await runScript(argv[0], argv.slice(1));
  }
  try {
    await (await buildProgram(argv, json)).parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error, json);
    return await reportFailure(error, json);
  }
}

/**
 * Prints what went wrong. The stack is printed only for a fault of the program.
 *
 * @returns the exit code
 */
async function reportFailure(error: unknown, json: boolean): Promise<number> {
  // It knows the errors of stores and accounts, which most commands do not load.
  const failure = (await import('../failure.js')).describeFailure(error);
  if (json) process.stdout.write(`${JSON.stringify(failure.document)}\n`);
  else process.stderr.write(`${failure.text}\n`);
  return failure.exitCode;
}

/**
 * Converts the error with which Commander ends into an exit code. Commander has printed its text unless `json` is set.
 *
 * @returns 0 after a help text or the version, otherwise 2
 */
function reportUsage(error: CommanderError, json: boolean): number {
  if (error.exitCode === 0) return 0;
  if (json) {
    const noCommand = error.code === 'commander.help';
    const message = noCommand ? 'A command is needed; --help lists them.' : error.message;
    const document = { code: 'wrong_usage', message: message.replace(/^error: /, '') };
    process.stdout.write(`${JSON.stringify(document)}\n`);
  }
  return 2;
}
