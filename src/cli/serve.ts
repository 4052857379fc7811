import { availableParallelism, constants } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, checkStores, readConfig } from '../config.js';
import { Refusal } from '../failure.js';
import { currentVersion } from '../lookup/open-artifact.js';
import type { RunningServer } from '../server.js';
import { awaitStores } from './await-stores.js';
import { runScript } from './child.js';
import { takeReloads } from './control-socket.js';
import type { FirstSteps } from './first-account.js';
import { JSON_OPTION, type JsonOption, print } from './output.js';

const NOTES = `
The command first builds the artifacts if there are none. In preview, which is the default, it creates
a first account with a test key if the database has no account, and prints the key once. It writes the
log to standard error, one JSON object per line. On SIGTERM and SIGINT it finishes the requests in
flight and ends with exit code 0. On SIGHUP, and by npx vitruvia reload, it switches to the current
artifacts (npx vitruvia artifacts use); it refuses invalid ones and keeps the old ones. npm start does not
pass SIGHUP on: use reload then.

With --workers, several processes serve on one address and share the mapped artifacts. A process that
ends, or does not answer for PROCESS_TIMEOUT_SECONDS (15), is replaced. This needs REDIS_URL and PostgreSQL. Send signals only to the first process.

With REDIS_URL it waits for Redis and PostgreSQL for ten seconds at most. If one of them cannot be used
then, it says which one and why, and ends with exit code 1.

Environment: HOST, PORT, METRICS_PORT, DATABASE_URL, REDIS_URL, ARTIFACTS_DIR, ARTIFACT_VERSION, SERVICE_ENV
(preview or production), RATE_LIMIT_MAX, LOG_LEVEL, TRUST_PROXY, MCP_ALLOWED_HOSTS,
MCP_ALLOWED_ORIGINS, CORS_ORIGINS, PUBLIC_URL, SMTP_URL, MAIL_FROM,
STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_100, _500 and _1000.

Examples:
  npx vitruvia serve
  SERVICE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_PORT=9090 npx vitruvia serve
`;

const WORKERS_MAX = 256;

interface ServeOptions extends JsonOption {
  readonly workers: number;
}

/** Adds the options of `serve`. */
export function serveCommand(command: Command): void {
  command
    .option('--workers <n>', 'number of serving processes; auto: one per CPU', workerCount, 1)
    .option('--json', `${JSON_OPTION[1]} once it listens`)
    .addHelpText('after', NOTES)
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig(process.env);
  checkStores(config);
  const { workers } = options;
  refuseWorkers(config, workers);
  const { catchHangups, closeOnSignals } = await import('../signals.js');
  const hangups = catchHangups();
  await awaitStores(config);
  if (config.artifactVersion === undefined) await buildMissingArtifacts(config, options);
  // Standard output is for the address and the key, so the log goes to standard error.
  const server =
    workers === 1
      ? await (await import('../server.js')).startServer(config, 2)
      : await (await import('../cluster/primary.js')).startCluster(config, workers, 2);
  try {
    await closeOnSignals(server);
    hangups.obey(server);
    takeReloads(config.artifactsDir, server);
    // This step is last, because nothing can fail after it: the key is shown only once.
    const { firstSteps } = await import('./first-account.js');
    announce(config, server, await firstSteps(config), options);
  } catch (error) {
    await server.close();
    throw error;
  }
}

function workerCount(text: string): number {
  if (text === 'auto') return Math.min(WORKERS_MAX, availableParallelism());
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count;
  throw new InvalidArgumentError(`It must be auto or a whole number from 1 to ${WORKERS_MAX}.`);
}

/** The embedded gate counts the rate limit in one process. With several processes, the limit would be multiplied. */
function refuseWorkers({ redisUrl }: Config, workers: number): void {
  if (workers === 1 || redisUrl !== undefined) return;
  const need = `serve --workers ${workers} needs REDIS_URL and DATABASE_URL=postgres://…`;
  const why = 'without them each process would count its own rate limit';
  const remedy = 'Set both, or leave --workers out.';
  throw new Refusal('workers_need_redis', `${need}: ${why}. ${remedy}`, 2);
}

async function buildMissingArtifacts({ artifactsDir }: Config, { json }: JsonOption) {
  if (currentVersion(artifactsDir) !== undefined) return;
  process.stderr.write(
    `There are no artifacts in ${artifactsDir} yet. Building them now; this happens only once.\n`,
  );
  const code = await runScript('pipeline', ['--artifacts', artifactsDir], json ? 2 : 1);
  if (code === 0) return;
  if (code === 128 + constants.signals.SIGINT || code === 128 + constants.signals.SIGTERM) {
    throw new Refusal('interrupted', 'Interrupted while building the artifacts.');
  }
  const remedy = 'see above. To build them separately, run npx vitruvia pipeline.';
  throw new Refusal('artifacts_not_built', `The artifacts could not be built: ${remedy}`);
}

function announce(
  { serviceEnv }: Config,
  { address, metricsAddress }: RunningServer,
  steps: FirstSteps,
  options: JsonOption,
): void {
  const url = reachable(address);
  const curl = steps.key === undefined ? undefined : curlLine(url, steps.key);
  const { account, key } = steps;
  const document = { address: url, metricsAddress, env: serviceEnv, account, key, curl };
  const lines = [`Vitruvia (${serviceEnv}) is listening on ${url}  (documentation: ${url}/docs)`];
  lines.push(`Sign up: ${url}/account/sign-up`);
  if (metricsAddress !== undefined) lines.push(`Metrics: ${reachable(metricsAddress)}/metrics`);
  if (curl !== undefined) {
    lines.push('', `A first account, "${account}", was created. Its test key is shown only now:`);
    lines.push(`  ${key}`, '', 'Try it:', `  ${curl}`);
  }
  lines.push('', ...steps.hints, '');
  print(options, document, lines.join('\n'));
}

/** Returns a reachable address for a server that listens on all addresses. */
function reachable(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function curlLine(url: string, key: string): string {
  const body = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50, country: 'NL' };
  const headers = `-H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`;
  return `curl ${url}/v1/predict ${headers} -d '${JSON.stringify(body)}'`;
}
