import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, problemBody } from '../core/errors.js';
import { requestIdMaker } from '../request/http.js';
import { PROBLEM_TYPE } from '../request/problems.js';

const nextId = requestIdMaker();

const STATUS_OF: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
};

/** Answers bytes that Node cannot read as an HTTP request. The answer has the form of all other refusals. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = STATUS_OF[error.code ?? ''] ?? [400, 'This is not an HTTP request.'];
  const problem = new Problem('validation_error', message, { status });
  const body = JSON.stringify(problemBody(problem, nextId()));
  if (socket.writable) {
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n`;
    const type = `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    socket.write(`${head}${type}\r\n${body}`);
  }
  socket.destroySoon();
}
