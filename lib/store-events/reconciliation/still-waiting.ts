/** Retries contracts and charges that had to wait, with the concurrency of their work. */
import { batchesOf } from '../../domain/batches-of.ts';

type Outcome = 'done' | 'wait' | 'gone';
type Work<Of> = {
  readonly concurrency: number;
  /** The outcome of each item, in order. */
  readonly run: (some: readonly Of[]) => Promise<readonly Outcome[]>;
};

/** Those that still have to wait. Errors as of the work, which is begun with nothing more then. */
export async function stillWaiting<Of>(all: readonly Of[], { concurrency, run }: Work<Of>): Promise<Of[]> {
  const waiting: Of[] = [];
  for (const some of batchesOf(all, concurrency)) waiting.push(...thatWait(some, await run(some)));
  return waiting;
}

/** Those whose outcome is to wait. */
export function thatWait<Of>(all: readonly Of[], outcomes: readonly Outcome[]): Of[] {
  return all.filter((_, index) => outcomes[index] === 'wait');
}
