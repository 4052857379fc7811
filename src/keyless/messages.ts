import type { Mapping, SharedMapping } from '../lookup/map-file.js';
import type { PublicPageParts } from '../pages/public-pages.js';
import type { ComputeResult, ComputeTask } from '../request/tasks.js';
import type { StoreOptions } from '../site/pictures/file-store.js';

// Messages between the event loop and the thread of the pages.

/** The parts of a request that its page can depend on. */
export interface PageRequest {
  /** Id of the request. Its answer repeats the id. */
  readonly id: string;
  /** Path and query. */
  readonly url: string;
  /** Address of the client. */
  readonly ip: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a request for a page. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** State of the service that its pages depend on. It can change while the service runs. */
export interface PageContext {
  readonly artifactVersion: string;
  /** Public URL of the service. */
  readonly origin: string;
  /** The values of the secret that sign addresses of pictures and count now; the first one signs. */
  readonly pictureSecrets: readonly string[];
  /** The packs of credits for sale, as last known. */
  readonly offers?: ReturnType<NonNullable<PublicPageParts['offers']>>;
}

/** Options of the page thread. */
export interface PageThreadOptions {
  readonly artifactsDir: string;
  readonly env: string;
  /** Requests that a key may make in 60 seconds. */
  readonly rateLimitMax: number;
  readonly store?: StoreOptions | undefined;
}

/** A request for the thread of the pages. */
export interface PageJob {
  readonly request: PageRequest;
  readonly context: PageContext;
  /** The files of the version that are already mapped, with their places. */
  readonly mapped: readonly SharedMapping[];
}

/** Functions of the thread of the pages. */
export type OfPages = {
  answer(job: PageJob, left: AbortSignal): Promise<PageAnswer>;
  close(input: null): void;
};

/** Functions of the service for the thread of the pages. */
export type OfService = {
  /** Asks the pool of the service for a computation. */
  compute(task: ComputeTask, left: AbortSignal): Promise<ComputeResult>;
  fault(fault: { readonly details: object; readonly message: string }): void;
  mapped(mapping: Mapping): void;
};
