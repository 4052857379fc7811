import {
  createMcpHandler,
  isLegacyRequest,
  SERVER_INFO_META_KEY,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type DirectCall, DirectCalls } from './direct-call.js';
import type { Exchange } from './exchange.js';
import type { HttpRequest } from './http-request.js';
import { progressTokenFault } from './messages.js';
import { createServer, INFO } from './server.js';
import { callTool, type ToolParts } from './tools.js';

/** Answers authenticated requests. Tests use a server of their own. */
export interface McpEndpoint {
  /**
   * Answers one request with a response, or with the JSON text of a plain 200. It never rejects because of a caller's
   * fault. It does not apply the refusal of the exchange.
   */
  serve(request: HttpRequest, exchange: Exchange): Promise<Response | string>;
}

/**
 * The service's own endpoint. It keeps no sessions in any revision of the protocol. It answers each request with one
 * JSON document.
 */
export function createEndpoint(parts: ToolParts): McpEndpoint {
  const exchanges = new WeakMap<object, Exchange>();
  const direct = new DirectCalls();
  const stateless = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = exchanges.get(requestInfo ?? {});
      if (exchange === undefined) throw new Error('the SDK asked for a server outside an exchange');
      return createServer(exchange, parts);
    },
    { legacy: 'reject' },
  );

  async function withSession(request: HttpRequest, exchange: Exchange): Promise<Response> {
    if (request.method !== 'POST') return methodNotAllowed();
    const parsedBody = withoutNotifications(request.body);
    if (parsedBody === undefined) return new Response(null, { status: 202 });
    const server = createServer(exchange, parts);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request.asWebRequest(), { parsedBody });
    } finally {
      await server.close();
    }
  }

  return {
    async serve(request, exchange) {
      const known = direct.recognise(request);
      if (known !== undefined) return answerDirectly(known, exchange, parts);
      const refused = progressTokenFault(request.body);
      if (refused !== undefined) return refused;
      const web = request.asWebRequest();
      if (await isLegacyRequest(web, request.body)) return withSession(request, exchange);
      exchanges.set(web, exchange);
      const response = await stateless.fetch(web, { parsedBody: request.body });
      if (exchange.performed) direct.accepted(request);
      return response;
    },
  };
}

/** Members that the revision without sessions adds to every result. */
const STATELESS_RESULT = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: INFO } };

async function answerDirectly(
  { id, call, stateless }: DirectCall,
  exchange: Exchange,
  parts: ToolParts,
): Promise<string> {
  const plain = await callTool(call, exchange, parts);
  const result = stateless
    ? { ...plain, ...STATELESS_RESULT, _meta: { ...plain?._meta, ...STATELESS_RESULT._meta } }
    : plain;
  return JSON.stringify({ result, jsonrpc: '2.0', id });
}

/**
 * The answer to a method that this endpoint does not have. Revisions with sessions require it from a server without
 * streams.
 */
function methodNotAllowed(): Response {
  const error = { code: -32_000, message: 'Method not allowed: this endpoint opens no streams.' };
  const body = { jsonrpc: '2.0', error, id: null };
  return Response.json(body, { status: 405, headers: { allow: 'POST' } });
}

/**
 * A batch without its notifications, or undefined if it contains nothing else. A server without sessions does not need
 * notifications. If a notification cancelled a call of the same batch, the whole batch would never be answered.
 */
function withoutNotifications(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const kept = body.filter((message) => !isNotification(message));
  return kept.length === 0 && body.length > 0 ? undefined : kept;
}

function isNotification(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && !('id' in message)
  );
}
