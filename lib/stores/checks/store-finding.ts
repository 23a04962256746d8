/** One line of `store check`. */
export type StoreFinding = {
  readonly name: string;
  /**
   * `optional`: absent, and the store works without it; `unseen`: the store has no data yet that would show it;
   * `unknown`: the check failed, with the reason.
   */
  readonly state: 'ok' | 'missing' | 'optional' | 'unseen' | 'unknown';
  /** The text of the result. */
  readonly found: string;
  /** The text of the fix. */
  readonly fix?: string;
  /** Fields that the platform denies, from the root of the probe query. */
  readonly paths?: readonly string[];
};
