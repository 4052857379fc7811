import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { seemsSignedIn } from '../headers.js';

/** A rendered page. */
interface CachedPage {
  /** Identifies the values that the page was rendered with. */
  readonly version: string;
  readonly html: Buffer;
  readonly gzipped: Buffer;
}

/**
 * Keeps pages that depend only on the model, the public address and whether the browser seems to be
 * signed in. Each page is rendered at its first request and again when the version changes.
 */
export class PageCache {
  readonly #versionOf: () => string;
  readonly #pages = new Map<string, CachedPage>();

  /** @param versionOf identifies the values that all pages depend on */
  constructor(versionOf: () => string) {
    this.#versionOf = versionOf;
  }

  /**
   * Sends a page, compressed if the browser accepts that.
   *
   * @param path identifies the page
   * @param render writes the page as HTML text
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    render: (signedIn: boolean) => Promise<string>,
  ): Promise<FastifyReply> {
    const { html, gzipped } = await this.#page(path, seemsSignedIn(request), render);
    const useGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (useGzip) reply.header('content-encoding', 'gzip');
    return reply
      .headers({ 'cache-control': 'no-cache', vary: 'accept-encoding, cookie' })
      .type('text/html; charset=utf-8')
      .send(useGzip ? gzipped : html);
  }

  async #page(
    path: string,
    signedIn: boolean,
    render: (signedIn: boolean) => Promise<string>,
  ): Promise<CachedPage> {
    const version = this.#versionOf();
    const key = `${path} ${signedIn}`;
    const known = this.#pages.get(key);
    if (known?.version === version) return known;
    const html = Buffer.from(await render(signedIn));
    const fresh = { version, html, gzipped: gzipSync(html) };
    this.#pages.set(key, fresh);
    return fresh;
  }
}
