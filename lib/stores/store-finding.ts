/** One line of `store check`. */
export type StoreFinding = {
  readonly name: string;
  /** `optional`: absent, and the store works without it; `unknown`: could not be told, and why. */
  readonly state: 'ok' | 'missing' | 'optional' | 'unknown';
  /** What was found. */
  readonly found: string;
  /** How to mend it. */
  readonly mend?: string;
};
