import { expect, test } from '@jest/globals';
import type { KeyId } from '../../../../lib/domain/tokens/key-id.ts';
import type { Item } from '../../../../lib/storage/table.ts';
import { addRefusedTokenKeys } from '../../../../lib/stores/restore/add-refused-token-keys.ts';
import { createMemoryTable } from '../../../memory-table.ts';

const kids = (...texts: string[]) => texts.map((text) => text as KeyId);

test('every store refuses the keys, those it refused before, and keeps all else', async () => {
  const table = createMemoryTable();
  const stores: Item[] = [1, 2, 3].map((shopId) => ({
    ...{ pk: `STORE#${shopId}`, sk: 'STORE', shopId, domain: `s${shopId}.myshopify.com` },
    status: shopId === 3 ? 'uninstalled' : 'installed',
  }));
  for (const store of stores) await table.put(store);
  const scan = async () => ({ items: (await table.batchGet(stores)) as Item[], nextKey: undefined });
  const deps = { table, scan };
  await addRefusedTokenKeys(deps, kids('0'));
  await addRefusedTokenKeys(deps, kids('0', 'second'));
  await table.delete({ pk: 'STORE#2', sk: 'STORE' });
  const purged = await addRefusedTokenKeys(
    { ...deps, scan: async () => ({ items: stores, nextKey: undefined }) },
    kids('x'),
  );
  expect(purged).toBe(2);
  expect(await table.batchGet(stores)).toEqual([
    { ...stores[0], refusedKids: ['0', 'second', 'x'] },
    undefined,
    { ...stores[2], refusedKids: ['0', 'second', 'x'] },
  ]);
});
