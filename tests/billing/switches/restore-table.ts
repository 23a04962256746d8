/** A restore of the table to an earlier moment, with what `restore-complete` does after it. */
import { replaySettings } from '../../../lib/billing/settings/replay-settings.ts';
import type { Item } from '../../../lib/storage/table.ts';
import { completeRestore } from '../../../lib/stores/restore/complete-restore.ts';
import { parseLoggedChanges } from '../../../lib/stores/restore/logged-change.ts';
import type { World } from '../run/simulate.ts';

/** All items of the table at a moment. */
export type TableCopy = { readonly atMs: number; readonly items: readonly Item[] };

export async function copyTable({ base, service }: World): Promise<TableCopy> {
  const { items } = await base.scan({ filter: 'attribute_exists(pk)' });
  return { atMs: service.deps.now(), items };
}

/** Ends the processes that are under way, puts the copy in place of the table, and completes the restore from the log. */
export async function restoreTable(world: World, copy: TableCopy): Promise<void> {
  const { base, logs, service, crashProcesses } = world;
  const { now } = service.deps;
  crashProcesses();
  for (const { pk, sk } of (await copyTable(world)).items) await base.delete({ pk, sk });
  for (const item of copy.items) await base.put(item);
  const lines = logs.map(({ message, fields, atMs }) =>
    JSON.stringify({ message, timestamp: new Date(atMs).toISOString(), ...fields }),
  );
  const deps = {
    ...{ table: base, scan: base.scan, now, secretsPrefix: 'test', secrets: UNCHANGED_SECRETS },
    // These stores have no sessions, and no customer of them is erased.
    sessions: undefined as never,
    eraseAgain: async () => 0,
    replayBilling: (changes: Parameters<typeof replaySettings>[1]) =>
      replaySettings({ table: base, now }, changes),
  };
  await completeRestore(deps, parseLoggedChanges(lines.join('\n'), copy.atMs));
}

const never = () => Promise.reject(new Error('Nothing is written to secrets.'));
const UNCHANGED_SECRETS = {
  ...{ read: async () => undefined, currentVersionId: never, addPending: never, moveCurrent: never },
  versionIdByLabel: async (name: string): Promise<Readonly<Record<string, string>>> =>
    name.endsWith('admin-keys') ? {} : { AWSCURRENT: 'v1' },
};
