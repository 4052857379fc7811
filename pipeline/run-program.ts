import { type Command, CommanderError, InvalidArgumentError } from 'commander';

type Refusal = abstract new (...args: never[]) => Error;

/** The option `--date` of an import, for `Command.option`. */
export const DATE_OPTION = [
  '--date <day>',
  'day of the import',
  (day: string): string => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
    throw new InvalidArgumentError('Write a date like 2026-11-21.');
  },
  new Date().toISOString().slice(0, 10),
] as const;

/**
 * Runs the command line of the process. With `--json`, stdout gets one JSON document, also for a refusal.
 *
 * @param refusals errors whose messages explain a refusal; any other error is a fault of the program and is thrown
 * @returns the exit code: 0 done, 1 refused, 2 wrong usage
 */
export async function runProgram(program: Command, refusals: readonly Refusal[]): Promise<number> {
  const json = process.argv.includes('--json');
  for (const one of [program, ...program.commands]) {
    one.exitOverride();
    if (json) one.configureOutput({ writeErr: () => undefined });
  }
  const refuse = (code: 'refused' | 'wrong_usage', message: string): number => {
    if (json) process.stdout.write(`${JSON.stringify({ code, message })}\n`);
    // The parser has already printed what is wrong with the usage.
    else if (code === 'refused') process.stderr.write(`${message}\n`);
    return code === 'refused' ? 1 : 2;
  };
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      return refuse('wrong_usage', error.message.replace(/^error: /, ''));
    }
    if (!(error instanceof Error) || !refusals.some((kind) => error instanceof kind)) throw error;
    return refuse('refused', error.message);
  }
}
