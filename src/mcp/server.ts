import {
  type CacheHint,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { IDEMPOTENCY_TTL_HOURS } from '../core/billing-terms.js';
import { COUNTRIES } from '../core/countries.js';
import { problemBody } from '../core/errors.js';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENTS } from '../core/measurements.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import { body } from '../operations/body.js';
import type { Operation } from '../operations/operation.js';
import type { EarlierRequest } from '../request/caller.js';
import { earlierRequest, isNamed } from './body-links.js';
import { invalidParams, ProtocolServer } from './protocol-server.js';
import {
  complete,
  isResource,
  listResources,
  listResourceTemplates,
  readResource,
} from './resources.js';
import {
  callTool,
  FREE_TOOLS,
  IDEMPOTENCY_META,
  TOOLS,
  type ToolExchange,
  type ToolParts,
} from './tools.js';

/** Name and version of the MCP server. */
export const INFO = { name: 'vitruvia', title: SERVICE_NAME, version: SERVICE_VERSION };

/** Instructions that a client gets when it connects. */
const FIND_AND_CALL = `Vitruvia predicts body measurements (${MEASUREMENTS.length} dimensions, both genders, ages ${AGE_LIMITS.minimum} to ${AGE_LIMITS.maximum}, ${COUNTRIES.length} countries). Find exact measurement names and country codes with get_catalog and its filters first; then call the tool that asks for all you need at once: predict_range for several percentiles, predict_compare for several countries.`;
const EVIDENCE = 'evidence says how far a number can be trusted.';
const INSTRUCTIONS = `${FIND_AND_CALL} Every successful prediction is billed; refused calls, get_catalog and evidence are not. ${EVIDENCE} A call repeated with the same _meta["${IDEMPOTENCY_META}"] within ${IDEMPOTENCY_TTL_HOURS} hours is answered again uncharged.`;
/** The instructions if nothing is charged. */
const FREE_INSTRUCTIONS = `${FIND_AND_CALL} Everything is free. ${EVIDENCE}`;

/** Lists and resources are the same for all clients. They change only with a release. */
const FOR_AN_HOUR: CacheHint = { ttlMs: 3_600_000, cacheScope: 'public' };

const OPTIONS: ServerOptions = {
  capabilities: { tools: {}, resources: {}, completions: {} },
  instructions: INSTRUCTIONS,
  // All requests share the validator, because creating one takes longer than answering.
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
  cacheHints: {
    'tools/list': FOR_AN_HOUR,
    'resources/list': FOR_AN_HOUR,
    'resources/templates/list': FOR_AN_HOUR,
    'resources/read': FOR_AN_HOUR,
    'server/discover': FOR_AN_HOUR,
  },
};

const FREE_OPTIONS: ServerOptions = { ...OPTIONS, instructions: FREE_INSTRUCTIONS };

/** Caching of a file, which only its account may read. */
const FOR_THE_CALLER = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/**
 * Reads the file of a body that the account has paid for.
 *
 * @throws ResourceNotFoundError if the account has not paid, or paid more than a day ago
 */
async function readBody(uri: string, earlier: EarlierRequest, exchange: ToolExchange) {
  const operation = body as unknown as Operation;
  const found = await exchange.file(operation, earlier);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  if ('kind' in found) {
    const data = problemBody(found.problem, exchange.requestId);
    throw new ProtocolError(ProtocolErrorCode.InternalError, found.problem.message, data);
  }
  const { bytes, contentType } = found;
  if (!isNamed(operation, uri, contentType)) throw new ResourceNotFoundError(uri);
  const blob = Buffer.from(bytes).toString('base64');
  return { contents: [{ uri, mimeType: contentType, blob }], ...FOR_THE_CALLER };
}

/**
 * Creates the SDK's server for one exchange; do not use it for another. `Server` is the SDK's low-level class. The
 * high-level class would register all tools and resources for every request, which takes most of its time. It also
 * would not use the validator that all transports share.
 */
export function createServer(exchange: ToolExchange, parts: ToolParts): Server {
  const { isFree = false } = parts;
  const server = new ProtocolServer(INFO, isFree ? FREE_OPTIONS : OPTIONS);
  const tools = isFree ? FREE_TOOLS : TOOLS;
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = { name: params.name, arguments: params.arguments, meta: context.mcpReq._meta };
    const result = await callTool(call, exchange, parts);
    if (result !== undefined) return result;
    const known = TOOLS.map(({ name }) => name).join(', ');
    throw invalidParams(`Unknown tool ${params.name}; there are ${known}.`);
  });
  server.setRequestHandler('resources/list', ({ params }) => {
    const page = listResources(params?.cursor);
    if (page === undefined) throw invalidParams('Unknown cursor; begin again without one.');
    return page;
  });
  server.setRequestHandler('resources/templates/list', listResourceTemplates);
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const earlier = earlierRequest(uri);
    return earlier === undefined
      ? readResource(uri, parts.catalog.text)
      : readBody(uri, earlier, exchange);
  });
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    if (ref.type !== 'ref/resource' || !isResource(ref.uri)) {
      throw invalidParams('Unknown resource; the lists name them.');
    }
    return complete(argument.name, argument.value);
  });
  return server;
}
