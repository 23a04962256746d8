/**
 * A dry run executes the command up to its first write, so it fails wherever the command would fail. The writing
 * functions of the operator are replaced before the command starts.
 */

import type { OneTimeLinks } from '../lib/storage/one-time-links.ts';
import type { Secrets } from '../lib/storage/secrets.ts';
import type { Table } from '../lib/storage/table.ts';
import { type CommandOutcome, createDryRunOutcome } from './outcome.ts';

/** Thrown at the first write: everything before it was read and checked. */
class DryRunWrite extends Error {
  override readonly name = 'DryRunWrite';
}

/** Replaces a function that writes, in a dry run: fails, because a dry run must not reach it. */
export const rejectWrite = async (): Promise<never> => {
  throw new DryRunWrite();
};

export const createReadOnlyTable = (table: Table): Table => ({
  ...table,
  put: rejectWrite,
  update: rejectWrite,
  delete: rejectWrite,
});

export const createReadOnlySecrets = (secrets: Secrets): Secrets => ({
  ...secrets,
  addPending: rejectWrite,
  moveCurrent: rejectWrite,
});

/** A link is written before its key is checked and may be removed again, so it does not end the dry run. */
export const createReadOnlyLinks = (links: OneTimeLinks): OneTimeLinks => ({
  ...links,
  put: async () => 'done',
  remove: async () => undefined,
});

/** Runs a command's writes, or in a dry run only returns its message. `message` starts with "Would". */
export type RunChange = (message: string, work: () => Promise<CommandOutcome>) => Promise<CommandOutcome>;

export function createRunChange(isDryRun: boolean): RunChange {
  return async (message, work) => {
    if (!isDryRun) return work();
    try {
      await work();
      return createDryRunOutcome('Would change nothing.');
    } catch (error) {
      if (error instanceof DryRunWrite) return createDryRunOutcome(message);
      throw error;
    }
  };
}
