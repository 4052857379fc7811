import {
  type CacheHint,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import type { Exchange } from './exchange.js';
import { complete, getPrompt, PROMPTS } from './prompts.js';
import { listResources, listResourceTemplates, readResource } from './resources.js';
import { INSTRUCTIONS } from './tool-descriptions.js';
import { callTool, TOOLS, type ToolParts } from './tools.js';

/** Who answers. */
export const INFO = { name: 'vitruvia', title: SERVICE_NAME, version: SERVICE_VERSION };

/** Lists and resources are the same for everybody and change with a release only. */
const FOR_AN_HOUR: CacheHint = { ttlMs: 3_600_000, cacheScope: 'public' };

const OPTIONS: ServerOptions = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  instructions: INSTRUCTIONS,
  // One for all requests: to make one costs more than to answer.
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
  cacheHints: {
    'tools/list': FOR_AN_HOUR,
    'prompts/list': FOR_AN_HOUR,
    'resources/list': FOR_AN_HOUR,
    'resources/templates/list': FOR_AN_HOUR,
    'resources/read': FOR_AN_HOUR,
    'server/discover': FOR_AN_HOUR,
  },
};

/**
 * The protocol's server for one exchange; it must not serve another. The low-level class, because
 * registering tools and resources anew for each request is most of what the other would cost, and
 * because arguments are judged by the one validator of all transports.
 */
export function createServer(exchange: Exchange, parts: ToolParts): Server {
  const server = new Server(INFO, OPTIONS);
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOLS] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = { name: params.name, arguments: params.arguments, meta: context.mcpReq._meta };
    const result = await callTool(call, exchange, parts);
    if (result !== undefined) return result;
    const known = TOOLS.map(({ name }) => name).join(', ');
    throw invalid(`Unknown tool ${params.name}; there are ${known}.`);
  });
  server.setRequestHandler('resources/list', ({ params }) => {
    const page = listResources(params?.cursor);
    if (page === undefined) throw invalid('Unknown cursor; begin again without one.');
    return page;
  });
  server.setRequestHandler('resources/templates/list', listResourceTemplates);
  server.setRequestHandler('resources/read', ({ params }) =>
    readResource(params.uri, parts.catalog.text),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = getPrompt(params.name, params.arguments ?? {});
    if (typeof prompt === 'string') throw invalid(prompt);
    return prompt;
  });
  server.setRequestHandler('completion/complete', ({ params: { argument } }) =>
    complete(argument.name, argument.value),
  );
  return server;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
