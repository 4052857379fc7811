/** The part of the package `negotiator` that we use. It has no types of its own. */
declare module 'negotiator' {
  import type { IncomingHttpHeaders } from 'node:http';

  class Negotiator {
    constructor(request: { readonly headers: IncomingHttpHeaders });
    /** The offered media types that the client accepts, the preferred type first. */
    mediaTypes(offered: readonly string[]): string[];
  }

  export = Negotiator;
}
