import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { BoundedMap } from '../core/bounded-map.js';
import { isObject } from '../core/json-text.js';
import type { HttpRequest } from './http-request.js';
import { IDEMPOTENCY_META, operationOf, type ToolCall } from './tools.js';

/** The revision without sessions. */
export const STATELESS_REVISION = '2026-07-28';

/** A paid call whose message is completely valid. */
export interface DirectCall {
  readonly id: string | number;
  readonly call: ToolCall;
  /** Whether the call uses the revision without sessions. */
  readonly stateless: boolean;
}

/** Envelopes remembered. */
const REMEMBERED_MAX = 1000;
/** Maximum length of a remembered envelope. */
const ENVELOPE_MAX_CHARS = 2000;

/**
 * Recognises paid calls that can be answered without the code of the MCP SDK, which takes several times as long as the
 * answer. Only messages in exactly the expected form pass. The SDK handles all other messages, and the first call with
 * each envelope.
 */
export class DirectCalls {
  readonly #envelopes = new BoundedMap<string, true>(REMEMBERED_MAX);

  /** The call that a request makes, or undefined if the SDK must handle the request. */
  recognise(request: HttpRequest): DirectCall | undefined {
    const { body } = request;
    if (request.method !== 'POST' || !isObject(body) || Object.keys(body).length !== 4) return;
    const { jsonrpc, id, method, params } = body;
    if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id) || !isObject(params)) return;
    const { name, arguments: input, _meta: meta, ...others } = params;
    if (typeof name !== 'string' || operationOf(name) === undefined) return;
    if (Object.keys(others).length > 0 || (input !== undefined && !isObject(input))) return;
    if (meta !== undefined && !isObject(meta)) return;
    const call: ToolCall = { name, arguments: input, meta };
    const stateless = request.header('mcp-protocol-version') === STATELESS_REVISION;
    const framed = stateless ? this.#isStateless(request, call) : isWithSession(request, call);
    return framed ? { id, call, stateless } : undefined;
  }

  /** Remembers the envelope of a request whose call the SDK has accepted. */
  accepted({ body }: HttpRequest): void {
    const params = isObject(body) ? body.params : undefined;
    const meta = isObject(params) ? params._meta : undefined;
    if (!isObject(meta) || 'progressToken' in meta) return;
    const envelope = envelopeOf(meta);
    if (envelope.length > ENVELOPE_MAX_CHARS) return;
    this.#envelopes.set(envelope, true);
  }

  #isStateless(request: HttpRequest, { name, meta }: ToolCall): boolean {
    return (
      meta !== undefined &&
      request.header('mcp-method') === 'tools/call' &&
      request.header('mcp-name') === name &&
      meta[PROTOCOL_VERSION_META_KEY] === STATELESS_REVISION &&
      CLIENT_CAPABILITIES_META_KEY in meta &&
      this.#envelopes.has(envelopeOf(meta))
    );
  }
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** The data that a client sends about itself in every request, as text. */
function envelopeOf(meta: Readonly<Record<string, unknown>>): string {
  const { [IDEMPOTENCY_META]: _, ...envelope } = meta;
  return JSON.stringify(envelope);
}

function isWithSession(request: HttpRequest, { meta }: ToolCall): boolean {
  const revision = request.header('mcp-protocol-version');
  const accept = request.header('accept') ?? '';
  return (
    (revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) &&
    request.header('mcp-method') === null &&
    request.header('mcp-name') === null &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (meta === undefined || Object.keys(meta).every((key) => key === IDEMPOTENCY_META))
  );
}
