/** One line of `store check`. */
export type StoreFinding = {
  readonly name: string;
  /**
   * `optional`: absent, and the store works without it; `unseen`: the store has nothing yet that would show it;
   * `unknown`: could not be told, and why.
   */
  readonly state: 'ok' | 'missing' | 'optional' | 'unseen' | 'unknown';
  /** The words for what was found. */
  readonly found: string;
  /** The words for how to mend it. */
  readonly mend?: string;
  /** Fields that the platform keeps closed, from the root of the doctor's question. */
  readonly paths?: readonly string[];
};
