import type { FastifyReply } from 'fastify';

/** The error object of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Sends a JSON-RPC error that does not belong to a single message, with an HTTP status. */
export function sendRpcError(reply: FastifyReply, status: number, error: RpcError): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}
