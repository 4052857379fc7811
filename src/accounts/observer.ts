/** Is told what users attempt, to count it; never whose attempt it was. */
export interface UserObserver {
  /** Somebody tried to sign in with a password, within the limits. */
  signedIn(outcome: 'succeeded' | 'failed'): void;
  /** An attempt was refused by the limit of this name. */
  throttled(limit: string): void;
}
