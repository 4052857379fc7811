import { Command } from 'commander';
import { SERVICE_VERSION } from '../core/version.js';

/** A top-level command. Its module is loaded only if the user runs the command. */
interface Entry {
  readonly summary: string;
  readonly load: () => Promise<(command: Command) => void>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'run the service',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  worker: {
    summary: 'run a worker: usage to the ledger, credits to Redis (many nodes)',
    load: async () => (await import('./worker.js')).workerCommand,
  },
  reconcile: {
    summary: 'compare Redis with the ledger and put it right (many nodes)',
    load: async () => (await import('./reconcile.js')).reconcileCommand,
  },
  reload: {
    summary: 'make the running services of this machine switch to the current artifacts',
    load: async () => (await import('./reload.js')).reloadCommand,
  },
  pipeline: {
    summary: 'build the artifacts from the survey tables',
    load: async () => (await import('./child.js')).pipelineCommand,
  },
  import: {
    summary: 'import a survey into data/raw',
    load: async () => (await import('./child.js')).importCommand,
  },
  study: {
    summary: 'add a survey with printed figures: new, import, check',
    load: async () => (await import('./child.js')).studyCommand,
  },
  artifacts: {
    summary: 'list, verify, install or choose artifacts',
    load: async () => (await import('./artifacts.js')).artifactsCommand,
  },
  accounts: {
    summary: 'create or list accounts',
    load: async () => (await import('./accounts.js')).accountsCommand,
  },
  keys: {
    summary: 'create, list, rotate or revoke API keys',
    load: async () => (await import('./keys.js')).keysCommand,
  },
  credits: {
    summary: 'grant or show credits',
    load: async () => (await import('./credits.js')).creditsCommand,
  },
  ledger: {
    summary: 'verify the ledger',
    load: async () => (await import('./ledger.js')).ledgerCommand,
  },
  backup: {
    summary: 'write a checked copy of the database to a file, while everything runs',
    load: async () => (await import('./backup.js')).backupCommand,
  },
  restore: {
    summary: 'put a backup in the place of the database',
    load: async () => (await import('./backup.js')).restoreCommand,
  },
  catalog: {
    summary: 'list the measurements and everything else a request may name',
    load: async () => (await import('./catalog.js')).catalogCommand,
  },
  table: {
    summary: 'a table of predictions for many measurements and countries, without a server',
    load: async () => (await import('./table.js')).tableCommand,
  },
  fill: {
    summary: 'complete a CSV file of people, without a server or with one',
    load: async () => (await import('./fill.js')).fillCommand,
  },
  mcp: {
    summary: 'serve the tools to an MCP client on this machine, without a server',
    load: async () => (await import('./mcp.js')).mcpCommand,
  },
};

/** The commands of the operations. Their schemas are slow to load, so `serve` does not load them. */
async function operationCommands(): Promise<Readonly<Record<string, Entry>>> {
  const { OPERATIONS } = await import('../operations/index.js');
  return Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation.command.name,
      {
        summary: `${operation.command.summary}, without a server`,
        load: async () => (await import('./operations.js')).operationCommand(operation),
      },
    ]),
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
  for (const [name, { summary, load }] of Object.entries(entries)) {
    const command = program.command(name).description(summary).summary(summary);
    if (name === wanted) (await load())(command);
  }
  return program;
}
