import type { Mapping, SharedMapping } from '../lookup/map-file.js';
import type { PublicPageParts } from '../pages/public-pages.js';
import type { ComputeFailure } from '../request/pool.js';
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

/** A message to the thread of the pages. `left` says that the client of a request has gone. */
export type ToThread =
  | {
      readonly kind: 'request';
      readonly job: number;
      readonly request: PageRequest;
      readonly context: PageContext;
      /** The files of the version that are already mapped, with their places. */
      readonly mapped: readonly SharedMapping[];
    }
  | { readonly kind: 'left'; readonly job: number }
  | { readonly kind: 'computed'; readonly computation: number; readonly result: ComputeResult }
  | {
      readonly kind: 'not computed';
      readonly computation: number;
      /** The reason, if the pool refused or ended the computation. */
      readonly reason?: ComputeFailure;
      readonly message: string;
    }
  | { readonly kind: 'close' };

/** A message from the thread of the pages. `compute` asks the pool of the service for a computation. */
export type FromThread =
  | { readonly kind: 'answer'; readonly job: number; readonly answer: PageAnswer }
  | { readonly kind: 'failed'; readonly job: number; readonly message: string }
  | { readonly kind: 'compute'; readonly computation: number; readonly task: ComputeTask }
  | { readonly kind: 'leave'; readonly computation: number }
  | { readonly kind: 'fault'; readonly details: object; readonly message: string }
  | { readonly kind: 'mapped'; readonly mapping: Mapping };
