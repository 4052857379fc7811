/** What is looked up in the ledger's database when it is missing in Redis. */
export type Loaded = 'generation' | 'key' | 'account' | 'answer';

/** Counts what the Redis gate does. */
export interface RedisGateObserver {
  /** A step ended with this kind of outcome or with this reason of failure. */
  stepped(outcome: string, seconds: number): void;
  /** Something was looked up in the ledger's database. */
  loaded(what: Loaded): void;
}
