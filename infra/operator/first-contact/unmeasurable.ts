/** A measurement ends without an answer. */

/** What stands between the question and its answer, in a sentence. */
export class Unmeasurable extends Error {
  override readonly name = 'Unmeasurable';
  readonly observed: readonly string[];

  constructor(message: string, observed: readonly string[] = []) {
    super(message);
    this.observed = observed;
  }
}
