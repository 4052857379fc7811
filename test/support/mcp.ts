import { fileURLToPath } from 'node:url';
import type { Reply, TestService } from './service.js';

/** Revisions of the protocol under test. The first has no sessions; the others are older. */
export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Facts about the client in every request of the revision without sessions. */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Headers of a message's HTTP request. */
export function mcpHeaders(revision: Revision, message: object): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  // 2025-03-26 does not have this header.
  if (revision !== '2025-03-26') headers['mcp-protocol-version'] = revision;
  const { method, params } = message as { method?: string; params?: Record<string, unknown> };
  if (revision !== '2026-07-28' || method === undefined) return headers;
  headers['mcp-method'] = method;
  const name = params?.name ?? params?.uri;
  if (typeof name === 'string') headers['mcp-name'] = name;
  return headers;
}

/** A request of a revision. */
export function rpc(
  revision: Revision,
  method: string,
  params: Record<string, unknown> = {},
  id: number | string = 1,
) {
  if (revision !== '2026-07-28') return { jsonrpc: '2.0', id, method, params };
  const meta = { ...(params._meta as object | undefined), ...ENVELOPE };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
}

/** Sends a request to a service's /mcp. */
export function callMcp(
  service: TestService,
  revision: Revision,
  message: object,
  headers: Record<string, string>,
): Promise<Reply> {
  return service.post('/mcp', message, { ...mcpHeaders(revision, message), ...headers });
}

/** Calls a tool. */
export function callTool(
  service: TestService,
  revision: Revision,
  params: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Reply> {
  return callMcp(service, revision, rpc(revision, 'tools/call', params), headers);
}

/** The list of tools as a client gets it. */
export async function toolsOf(service: TestService) {
  const { headers } = await service.customer();
  const revision = '2026-07-28';
  return (await callMcp(service, revision, rpc(revision, 'tools/list'), headers)).body.result.tools;
}

const BIN = fileURLToPath(new URL('../../bin/vitruvia.js', import.meta.url));

/** The process of `npx vitruvia mcp`, which uses stdin and stdout. */
export const stdioCommand = (artifacts: string, ...words: readonly string[]) => ({
  command: process.execPath,
  args: [BIN, 'mcp', ...words],
  env: { ARTIFACTS_DIR: artifacts },
  stderr: 'pipe' as const,
});
