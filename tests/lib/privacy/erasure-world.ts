/**
 * One store that a customer uses to the full, with the table, the ring and the emulated platform of tests that have them;
 * and what erasing and sweeping are over it.
 */
import { expect } from '@jest/globals';
import { openSealedBox } from '../../../lib/credentials/sealed-box.ts';
import type { WebRedirectUri } from '../../../lib/domain/sign-in/web-redirect-uri.ts';
import { eraseCustomer } from '../../../lib/privacy/erase-customer.ts';
import { createReportErasure } from '../../../lib/privacy/report-erasure.ts';
import { sweepErasures } from '../../../lib/privacy/sweep-erasures.ts';
import { createInbox } from '../../../lib/storage/inbox/inbox.ts';
import { createComplianceRequestRepository } from '../../../lib/storage/privacy/compliance-requests.ts';
import { createTombstoneRepository } from '../../../lib/storage/privacy/tombstones.ts';
import type { ScanTable } from '../../../lib/storage/scan.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import type { Item } from '../../../lib/storage/table.ts';
import { tableOf } from '../../rights/guarded-table.ts';
import { createStoreWorld, HOUR_MS } from '../../world/store-world.ts';
import { ADA } from '../sign-in/world/journey.ts';
import { createWorld, SHOP_ID, TOMBSTONE_KEY } from '../sign-in/world/world.ts';

export type ErasureWorld = Awaited<ReturnType<typeof createErasureWorld>>;

export const PERSON = { shopId: SHOP_ID, customerId: ADA };
/** The page that signs the store's customers in. */
export const PAGE = 'https://shop.example.com/account' as WebRedirectUri;

/** `random` returns the bytes of all tokens, codes and keys. */
export async function createErasureWorld(random?: (bytes: number) => Buffer) {
  const signIns = await createWorld(random);
  const { table } = signIns;
  const { scan } = table as typeof table & { readonly scan: ScanTable };
  const store = createStoreWorld(table);
  const { now } = signIns;
  /** The platform's clock stops between requests; the other one advances. */
  const agree = () => signIns.advance((store.now() - now()) / 1000);
  agree();
  const webSignIn = { clientId: 'web-client-1', redirectUris: [PAGE], revision: 1 };
  await signIns.putStore({ installedAtMs: 0, webSignIn });
  const later = (ms: number) => {
    store.later(Math.max(0, now() - store.now()) + ms);
    agree();
  };
  const logs: { message: string; fields: object }[] = [];

  /** Creates an eraser's dependencies; `contracts`: the contracts that the platform returns. */
  const log = (message: string, fields: object = {}) => void logs.push({ message, fields });
  function eraser(contracts: readonly string[] = [], over = table) {
    const own = { table: over, now };
    return {
      ...own,
      scan,
      tombstones: createTombstoneRepository({ ...own, readKey: async () => TOMBSTONE_KEY }),
      complianceRequests: createComplianceRequestRepository(own),
      scheduledTasks: createScheduledTaskRepository(own),
      logger: { info: log, warn: log },
      newId: () => crypto.randomUUID(),
      contractsOf: async () => contracts,
      onErased: createReportErasure({ scheduledTasks: createScheduledTaskRepository(own) }),
      inbox: createInbox({ ...own, newId: () => crypto.randomUUID() }),
    };
  }

  /** The whole table, with what is sealed opened in its place. */
  async function wholeTable(): Promise<Item[]> {
    const { items } = await scan({ filter: 'attribute_exists(pk)' });
    return Promise.all(items.map(unsealed));
  }

  async function unsealed(item: Item): Promise<Item> {
    const { tokenKeys } = signIns.deps;
    const seed = item.seed as
      | { readonly linkTokens?: string; readonly customerId: number; readonly sessionId: string }
      | undefined;
    const place = { shopId: SHOP_ID, pk: item.pk, sk: item.sk };
    const openAt = async (box: unknown, at: typeof place & { readonly attribute: string }) => {
      if (typeof box !== 'string') return undefined;
      const text = await openSealedBox(tokenKeys, at, box);
      if (text === undefined) throw new Error(`${item.pk} has a box that does not open`);
      return withClaims(text);
    };
    const seeds = seed && {
      pk: `SESSIONS#${SHOP_ID}#${seed.customerId}`,
      sk: `SESSION#${seed.sessionId}`,
      shopId: SHOP_ID,
      attribute: 'linkTokens',
    };
    return {
      ...item,
      opened: [
        await openAt(item.linkTokens, { ...place, attribute: 'linkTokens' }),
        await openAt(item.grant, { ...place, attribute: 'grant' }),
        seeds && (await openAt(seed?.linkTokens, seeds)),
      ],
    };
  }

  return {
    ...store,
    signIns,
    table,
    later,
    logs,
    eraser,
    wholeTable,
    erase: (contracts?: readonly string[], over = table) =>
      eraseCustomer(eraser(contracts, tableOf('store-events', over)), PERSON, 'operator'),
    /** Runs like the function, with its rights. */
    sweep: (over = table) => sweepErasures(eraser([], tableOf('store-events', over)), now() + HOUR_MS),
    /** Returns the items that contain one of the texts, each with the text. */
    async found(texts: readonly string[]): Promise<string[]> {
      const items = await wholeTable();
      return items.flatMap((item) => {
        const text = JSON.stringify(item);
        return texts
          .filter((one) => text.includes(JSON.stringify(one).slice(1, -1)))
          .map((one) => `${item.pk} / ${item.sk}: ${one}`);
      });
    },
    close: signIns.close,
  };
}

/** Returns all items of the table. */
export async function everything({ eraser }: ErasureWorld): Promise<readonly Item[]> {
  return (await eraser().scan({ filter: 'attribute_exists(pk)' })).items;
}

/** Makes the table what it was. */
export async function restore(world: ErasureWorld, items: readonly Item[]): Promise<void> {
  for (const { pk, sk } of await everything(world)) await world.table.delete({ pk, sk });
  for (const item of items) await world.table.put(item);
}

/** The claims of tokens in a text are read, too. */
function withClaims(text: string): string {
  const claims = [...text.matchAll(/eyJ[\w-]+\.([\w-]+)\./g)].map(([, body = '']) =>
    Buffer.from(body, 'base64url').toString(),
  );
  expect(claims.length).toBeGreaterThan(0);
  return [text, ...claims].join(' ');
}
