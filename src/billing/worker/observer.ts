/** A batch that has been committed. */
export interface CommittedBatch {
  /** Events booked by it. */
  readonly booked: number;
  /** Events that were in the ledger already. */
  readonly known: number;
  /** Credits forgiven by corrections. */
  readonly forgiven: number;
  /** Events that went to the dead letters. */
  readonly dead: number;
  readonly seconds: number;
}

/** Told what the worker does, for metrics. */
export interface WorkerObserver {
  /** A batch is in the ledger; its events are still in their streams. */
  batchCommitted(batch: CommittedBatch): void;
  /** Redis said something else than ledger and events, and was put right. */
  driftRepaired(kind: string): void;
  /** An attempt at a job failed. */
  jobFailed(job: string): void;
}
