import { predict } from '../src/operations/predict.js';
import type { Load, Target } from './load.js';
import type { BenchServer } from './servers.js';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': REVISION,
  'mcp-method': 'tools/call',
  'mcp-name': predict.name,
};

/** Tool calls with the arguments of REST request bodies. */
function calls(bodies: readonly string[]): string[] {
  return bodies.map((body, id) => {
    const params = { name: predict.name, arguments: JSON.parse(body), _meta: META };
    return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  });
}

/**
 * Compares a tool call with the same REST request: p50 of both under the same load, in alternating rounds.
 *
 * @returns p50 in ms of each round
 * @throws Error when a call is refused, because refusals have the status 200 too and are faster
 */
export async function measureMcp(
  load: Load,
  { address, keys }: BenchServer,
  bodies: readonly string[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ rest: number; mcp: number }[]> {
  const rest: Target = { url: address + predict.path, keys, bodies };
  const mcp: Target = { url: `${address}/mcp`, keys, bodies: calls(bodies), headers: HEADERS };
  for (const body of mcp.bodies) await assertAnswered(mcp.url, keys[0] ?? '', body);
  const p50 = async (target: Target, time = seconds) => {
    const { p50Ms, failures } = await load.send(target, time);
    if (failures > 0) throw new Error(`${failures} requests failed at ${target.url}`);
    return p50Ms;
  };
  await p50(rest, 2);
  await p50(mcp, 2);
  const found: { rest: number; mcp: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    found.push({ rest: await p50(rest), mcp: await p50(mcp) });
  }
  return found;
}

async function assertAnswered(url: string, key: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...HEADERS }, body });
  const text = await response.text();
  if (!text.includes('"structuredContent"')) throw new Error(`a call was refused: ${text}`);
}
