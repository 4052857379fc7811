import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../core/errors.js';
import { sendProblem } from './problems.js';

const SLASH = '/'.charCodeAt(0);
const HOST = 'host';

/**
 * Refuses requests whose host is ambiguous (RFC 9112, 3.2): without a `Host` header in HTTP/1.1, or
 * with several. Otherwise a proxy and the service could disagree about the host. The host of an
 * absolute request target (`GET http://host/path`) replaces that of the header (RFC 9112, 3.2.2).
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const fault = hostFault(request);
    if (fault === undefined) done();
    else sendProblem(reply, new Problem('validation_error', fault, { status: 400 }));
  });
}

function hostFault({ raw }: FastifyRequest): string | undefined {
  const { headers, rawHeaders, url = '/' } = raw;
  if (headers.host === undefined) {
    return raw.httpVersion === '1.0' ? undefined : 'The Host header is missing.';
  }
  if (countHosts(rawHeaders) > 1) return 'There is more than one Host header.';
  if (url.charCodeAt(0) !== SLASH && URL.canParse(url)) headers.host = new URL(url).host;
  return undefined;
}

/** Node keeps only the first of several `Host` headers, except in the raw list of names and values. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    // The length is compared first, because this runs for each header of each request.
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count;
}
