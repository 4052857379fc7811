/** What is looked up in the ledger's database when Redis does not know it. */
export type Loaded = 'generation' | 'key' | 'account' | 'answer';

/** Told of what the Redis gate does; counting is all it may do. */
export interface RedisGateObserver {
  /** A step ended: with the outcome's kind, or with the reason it failed for. */
  stepped(outcome: string, seconds: number): void;
  /** Something was looked up in the ledger's database. */
  loaded(what: Loaded): void;
}
