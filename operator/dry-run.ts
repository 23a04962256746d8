/**
 * A dry run executes the command up to its first write, so it fails wherever the command would fail. The writing
 * functions of the operator are replaced before the command starts.
 */

import type { OneTimeLinks } from '../lib/storage/one-time-links.ts';
import type { Secrets } from '../lib/storage/secrets.ts';
import type { Table } from '../lib/storage/table.ts';
import { dryRun, type Outcome } from './outcome.ts';

/** Thrown at the first write: everything before it was read and checked. */
class WouldWrite extends Error {
  override readonly name = 'WouldWrite';
}

/** Replaces a function that writes. */
export const stopWrite = async (): Promise<never> => {
  throw new WouldWrite();
};

export const tableWithoutWrites = (table: Table): Table => ({
  ...table,
  put: stopWrite,
  update: stopWrite,
  delete: stopWrite,
});

export const secretsWithoutWrites = (secrets: Secrets): Secrets => ({
  ...secrets,
  addPending: stopWrite,
  moveCurrent: stopWrite,
});

/** A link is written before its key is checked and may be removed again, so it does not end the dry run. */
export const linksWithoutWrites = (links: OneTimeLinks): OneTimeLinks => ({
  ...links,
  put: async () => 'done',
  remove: async () => undefined,
});

/** Runs a command's writes, or in a dry run only returns its message. `message` starts with "Would". */
export type ApplyChange = (message: string, work: () => Promise<Outcome>) => Promise<Outcome>;

export function createChange(isDryRun: boolean): ApplyChange {
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
