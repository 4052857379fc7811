import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { etagOf, isKnown } from '../request/etag.js';

/** A cached text with its compressed copy. */
interface KeptPage {
  readonly text: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** A text that is sent but not cached, because it is incomplete. */
export interface PassingText {
  readonly passing: string;
}

/** Key and media type of a cached text. */
export interface KeptAs {
  /** Key of the text. It is unique among the texts of a version. */
  readonly key: string;
  /** Media type. The default is HTML. */
  readonly type?: string;
}

/**
 * Maximum size of all cached texts with their compressed copies, in bytes: enough for all pages of the
 * documentation twice.
 */
export const KEPT_PAGES_BYTES = 24 * 1024 * 1024;

const HTML = 'text/html; charset=utf-8';
const gzipped = promisify(gzip);

/**
 * Caches texts that depend only on the model, the public address and their key. A text is made at its first
 * request, and again when the version changes. Requests at the same time share one computation.
 */
export class KeptPages {
  readonly #versionOf: () => string;
  readonly #pages = new LRUCache<string, KeptPage>({
    maxSize: KEPT_PAGES_BYTES,
    sizeCalculation: ({ text, gzipped }) => text.length + gzipped.length,
  });
  readonly #underWay = new Map<string, Promise<KeptPage>>();

  /** @param versionOf returns the version of the values that all texts depend on */
  constructor(versionOf: () => string) {
    this.#versionOf = versionOf;
  }

  /** Sends a text, compressed if the client accepts that, or 304 if the client has it. Headers that were set before stay. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, type = HTML }: KeptAs,
    make: () => Promise<string | PassingText>,
  ): Promise<FastifyReply> {
    const { text, gzipped, etag } = await this.#page(`${this.#versionOf()} ${key}`, make);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
    if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding, cookie');
    if (reply.statusCode === 200 && isKnown(request, reply, etag)) return reply.code(304).send();
    const useGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (useGzip) reply.header('content-encoding', 'gzip');
    return reply.type(type).send(useGzip ? gzipped : text);
  }

  async #page(key: string, make: () => Promise<string | PassingText>): Promise<KeptPage> {
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const making = this.#underWay.get(key) ?? this.#made(key, make);
    this.#underWay.set(key, making);
    try {
      return await making;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #made(key: string, make: () => Promise<string | PassingText>): Promise<KeptPage> {
    const made = await make();
    const text = Buffer.from(typeof made === 'string' ? made : made.passing);
    const page = { text, gzipped: await gzipped(text), etag: etagOf(text) };
    if (typeof made === 'string') this.#pages.set(key, page);
    return page;
  }
}
