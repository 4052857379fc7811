/** The part of the package `negotiator` that we use. It has no types of its own. */
declare module 'negotiator' {
  import type { IncomingHttpHeaders } from 'node:http';

  class Negotiator {
    constructor(request: { readonly headers: IncomingHttpHeaders });
    /** Those of the offered media types that the client accepts, the preferred one first. */
    mediaTypes(offered: readonly string[]): string[];
  }

  export = Negotiator;
}
