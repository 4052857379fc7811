/** Variable with the command that the user typed, for a program of the pipeline. */
const VARIABLE = 'VITRUVIA_COMMAND';

/** The environment of a program of the pipeline that the command line starts. */
export function typedAs(command: string): NodeJS.ProcessEnv {
  return { ...process.env, [VARIABLE]: command };
}

/**
 * How the user called this program, for its help.
 *
 * @param script the npm script that runs it otherwise
 */
export function typedCommand(script: string): string {
  return process.env[VARIABLE] ?? `npm run ${script} --`;
}
