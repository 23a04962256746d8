/** A limit of AWS, of the platform or of our own, beside the most that a month asked of it. */

export type Limit = {
  readonly name: string;
  readonly unit: string;
  /** The most that was asked for. */
  readonly peak: number;
  readonly limit: number;
  /** When that was: a minute of the month, UTC. */
  readonly minute: number | undefined;
  /** The source of the number. */
  readonly source: string;
  readonly toDo: string;
  /** Set: it has a part that is there without any load, so it does not grow with it. */
  readonly isDelay?: true;
  /** What that part is, as a sentence. */
  readonly withoutLoad?: string;
};

/** The most that was asked for, of the limit. */
export function shareOf({ peak, limit }: Limit): number {
  return peak / limit;
}
