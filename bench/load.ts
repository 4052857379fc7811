import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { childrenMicros } from './cpu.js';

const run = promisify(execFile);

/** Result of a load generator for one server. */
export interface LoadResult {
  /** Number of answers, with any status. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of answers with another status than 200. */
  readonly failures: number;
  /** Processor time that the load generator itself used per request, in µs. */
  readonly generatorMicros: number;
}

/** Target of a load; every server gets the same requests. */
export interface Target {
  readonly url: string;
  readonly keys: readonly string[];
  readonly bodies: readonly string[];
  /** Headers besides the content type and the key. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A load generator: wrk where it is installed (it uses little CPU), else autocannon. */
export interface Load {
  readonly name: 'wrk' | 'autocannon';
  /** @param connections connections open at once, 64 by default */
  readonly send: (target: Target, seconds: number, connections?: number) => Promise<LoadResult>;
}

/** Connections of a run unless it says otherwise. */
export const CONNECTIONS = 64;

export const AUTOCANNON: Load = { name: 'autocannon', send: sendWithAutocannon };

/** Finds a load generator on this machine. */
export async function findLoad(): Promise<Load> {
  try {
    await run('wrk', ['-v']).catch((error: { code?: unknown }) => {
      if (error.code === 'ENOENT') throw error; // wrk -v exits with 1.
    });
    return { name: 'wrk', send: sendWithWrk };
  } catch {
    return AUTOCANNON;
  }
}

/** Lua for wrk: sends the keys and bodies in turn, and counts answers other than 200. */
function wrkScript({ keys, bodies, headers = {} }: Target): string {
  const list = (values: readonly string[]) =>
    values.map((value) => JSON.stringify(value)).join(',');
  const extra = Object.entries(headers)
    .map(([name, value]) => `, [${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    .join('');
  return `
local keys, bodies, i = { ${list(keys)} }, { ${list(bodies)} }, 0
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init(args) failures = 0; requests = {}
  for k = 1, #keys do for b = 1, #bodies do
    local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. keys[k]${extra} }
    table.insert(requests, wrk.format("POST", nil, headers, bodies[b]))
  end end
end
function request() i = i % #requests + 1; return requests[i] end
function response(status) if status ~= 200 then failures = failures + 1 end end
function done(summary, latency)
  local failed = 0
  for _, thread in ipairs(threads) do failed = failed + thread:get("failures") end
  local errors = summary.errors
  failed = failed + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("RESULT %d %f %f %f %d\\n", summary.requests,
    summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
end`;
}

async function sendWithWrk(
  target: Target,
  seconds: number,
  connections = CONNECTIONS,
): Promise<LoadResult> {
  const script = join(mkdtempSync(join(tmpdir(), 'vitruvia-bench-')), 'load.lua');
  writeFileSync(script, wrkScript(target));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, target.url];
  const begunMicros = childrenMicros();
  const { stdout } = await run('wrk', args);
  const usedMicros = childrenMicros() - begunMicros;
  const [, requests, rate, p50, p99, failures] =
    /RESULT (\d+) (\S+) (\S+) (\S+) (\d+)/.exec(stdout) ?? [];
  if (failures === undefined) throw new Error(`wrk gave no result:\n${stdout}`);
  return {
    requests: Number(requests),
    requestsPerSecond: Number(rate),
    p50Ms: Number(p50),
    p99Ms: Number(p99),
    failures: Number(failures),
    generatorMicros: usedMicros / Number(requests),
  };
}

async function sendWithAutocannon(
  target: Target,
  seconds: number,
  connections = CONNECTIONS,
): Promise<LoadResult> {
  const requestsOf = (keys: readonly string[]) =>
    keys.flatMap((key) =>
      target.bodies.map((body) => ({
        method: 'POST' as const,
        body,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
          ...target.headers,
        },
      })),
    );
  // Every connection begins its list at once, so that equal lists would send one key at a time.
  let client = 0;
  const { keys } = target;
  const setupClient = (one: autocannon.Client): void => {
    const own = keys.filter((_, k) => k % connections === client % keys.length);
    one.setRequests(requestsOf(own.length > 0 ? own : [keys[client % keys.length] as string]));
    client++;
  };
  const begun = process.cpuUsage();
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    setupClient,
  });
  const { user, system } = process.cpuUsage(begun);
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
    generatorMicros: (user + system) / result.requests.total,
  };
}
