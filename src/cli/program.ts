import { Command } from 'commander';
import { SERVICE_VERSION } from '../core/version.js';

/**
 * A top-level command: its summary, and the module whose function `<name>Command` adds the rest. The module is loaded
 * only if the user runs the command.
 */
type Entry = readonly [summary: string, load: () => Promise<object>];

const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: ['run the service', () => import('./serve.js')],
  worker: [
    'run a worker: usage to the ledger, credits to Redis (many nodes)',
    () => import('./worker.js'),
  ],
  reconcile: [
    'compare Redis with the ledger and put it right (many nodes)',
    () => import('./reconcile.js'),
  ],
  reload: [
    'make the running services of this machine switch to the current artifacts',
    () => import('./reload.js'),
  ],
  pipeline: ['build the artifacts from the survey tables', () => import('./child.js')],
  import: ['import a survey into data/raw', () => import('./child.js')],
  study: ['add a survey of printed figures or persons', () => import('./child.js')],
  artifacts: ['list, verify, install or choose artifacts', () => import('./artifacts.js')],
  accounts: ['create, list or delete accounts', () => import('./accounts.js')],
  keys: ['create, list, rotate or revoke API keys', () => import('./keys.js')],
  credits: ['grant, correct or show credits', () => import('./credits.js')],
  secrets: ['change the secret that signs the addresses of pictures', () => import('./secrets.js')],
  ledger: ['verify the ledger, or export that of an account', () => import('./ledger.js')],
  backup: [
    'write a checked copy of the database to a file, while everything runs',
    () => import('./backup.js'),
  ],
  restore: ['put a backup in the place of the database', () => import('./backup.js')],
  catalog: [
    'list the measurements and everything else a request may name',
    () => import('./catalog.js'),
  ],
  products: ['list the products of product-fit, sizes and reach', () => import('./products.js')],
  table: [
    'a table of predictions for many measurements and countries, without a server',
    () => import('./table.js'),
  ],
  fill: ['complete a CSV file of people, without a server or with one', () => import('./fill.js')],
  mcp: [
    'serve the tools to an MCP client on this machine, without a server',
    () => import('./mcp.js'),
  ],
};

/** The commands of the operations. Their schemas are slow to load, so `serve` does not load them. */
async function operationCommands(): Promise<Readonly<Record<string, Entry>>> {
  const { OPERATIONS } = await import('../operations/index.js');
  return Object.fromEntries(
    OPERATIONS.map((operation) => {
      const { name, summary } = operation.command;
      const load = async () => ({
        [`${name}Command`]: (await import('./operations.js')).operationCommand(operation),
      });
      return [name, [`${summary}, without a server`, load]];
    }),
  );
}

const NOTES = `
Each command has --help, with examples, and --json. With --json a command prints exactly one JSON
document on standard output: the result, or {"code": …, "message": …} if the exit code is above 0.
The commands read the same environment variables as the service: DATABASE_URL, ARTIFACTS_DIR, PORT
and so on.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage or configuration.

Examples:
  npx vitruvia serve
  npx vitruvia accounts create --name acme
  npx vitruvia predict --measurement Stature --gender Female --age 30 --percentile 95
`;

/**
 * Builds the program with the command that the command line names. Other commands have only their summaries.
 *
 * @param json whether the caller prints messages of wrong usage
 */
export async function buildProgram(argv: readonly string[], json: boolean): Promise<Command> {
  const program = new Command('npx vitruvia')
    .description('Vitruvia predicts body measurements.')
    .version(SERVICE_VERSION)
    .showHelpAfterError('(--help lists the options)')
    .configureOutput(json ? { writeErr: () => undefined } : {})
    .addHelpText('after', NOTES)
    .exitOverride();
  const [first, second] = argv.filter((argument) => !argument.startsWith('-'));
  const wanted = first === 'help' ? second : first;
  const known = wanted !== undefined && Object.hasOwn(COMMANDS, wanted);
  const entries = known ? COMMANDS : { ...COMMANDS, ...(await operationCommands()) };
  for (const [name, [summary, load]] of Object.entries(entries)) {
    const command = program.command(name).description(summary).summary(summary);
    if (name !== wanted) continue;
    const module = (await load()) as Record<string, unknown>;
    (module[`${name}Command`] as (command: Command) => void)(command);
  }
  return program;
}
