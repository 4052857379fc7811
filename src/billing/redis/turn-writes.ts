import { Cluster, type Redis } from 'ioredis';

/**
 * Gathers what is asked of Redis in one turn of the event loop into one write to the socket. ioredis'
 * own auto-pipelining does too, but keeps one batch under way at a time and hands its replies on
 * only once all have come: Redis and this process then wait for each other. A cluster's nodes are
 * left to it.
 */
export class TurnWrites {
  readonly #redis: Redis | Cluster;
  #corked = false;

  constructor(redis: Redis | Cluster) {
    this.#redis = redis;
  }

  /** To be called before a command; what is written from now on leaves at the end of the turn. */
  gather(): void {
    if (this.#corked || this.#redis instanceof Cluster || this.#redis.status !== 'ready') return;
    const { stream } = this.#redis;
    this.#corked = true;
    stream.cork();
    setImmediate(() => {
      this.#corked = false;
      stream.uncork();
    });
  }
}
