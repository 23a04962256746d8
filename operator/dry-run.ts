/**
 * A dry run is the run itself, up to its first write: so it refuses what the run refuses. The parts that write are
 * taken from the operator before the verb begins.
 */

import type { OneTimeLinks } from '../lib/storage/one-time-links.ts';
import type { Secrets } from '../lib/storage/secrets.ts';
import type { Table } from '../lib/storage/table.ts';
import { dryRun, type Outcome } from './outcome.ts';

/** Everything was read and checked, and this would be written now. */
class WouldWrite extends Error {
  override readonly name = 'WouldWrite';
}

/** In place of what writes. */
export const stop = async (): Promise<never> => {
  throw new WouldWrite();
};

export const tableWithoutWrites = (table: Table): Table => ({
  ...table,
  put: stop,
  update: stop,
  delete: stop,
});

export const secretsWithoutWrites = (secrets: Secrets): Secrets => ({
  ...secrets,
  addPending: stop,
  moveCurrent: stop,
});

/** A link is written before its key is checked, and taken back: that decides nothing. */
export const linksWithoutWrites = (links: OneTimeLinks): OneTimeLinks => ({
  ...links,
  put: async () => 'done',
  remove: async () => undefined,
});

/** What a verb changes: the work itself, or of a dry run what it comes to. `words` begin with "Would". */
export type Change = (message: string, work: () => Promise<Outcome>) => Promise<Outcome>;

export function createChange(isDryRun: boolean): Change {
  return async (message, work) => {
    if (!isDryRun) return work();
    try {
      await work();
      return dryRun('Would change nothing.');
    } catch (error) {
      if (error instanceof WouldWrite) return dryRun(message);
      throw error;
    }
  };
}
