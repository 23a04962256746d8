/** One finding, shown as a line of `store check`. */
export type StoreFinding = {
  readonly name: string;
  /**
   * `ok`: works. `missing`: required, but absent. `optional`: absent, but the store works without it. `unseen`: the
   * store has no data yet that would show it. `unknown`: the check itself failed.
   */
  readonly state: 'ok' | 'missing' | 'optional' | 'unseen' | 'unknown';
  /** The result of the check, for people. */
  readonly found: string;
  /** How to fix it, for people. */
  readonly fix?: string;
  /** The fields that the platform denies, as paths from the root of the probe query. */
  readonly paths?: readonly string[];
};
