import { Cluster, type Redis } from 'ioredis';

/**
 * Combines the commands of one turn of the event loop into one write to the socket. The
 * auto-pipelining of ioredis does this too, but it keeps one batch under way at a time and delivers
 * its replies only when all have come, so Redis and this process wait for each other. For a
 * cluster, ioredis' auto-pipelining is used.
 */
export class CoalescedWrites {
  readonly #redis: Redis | Cluster;
  #corked = false;

  constructor(redis: Redis | Cluster) {
    this.#redis = redis;
  }

  /** Call this before a command: from now on, writes are sent at the end of the turn. */
  coalesce(): void {
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
