/** How far a store's nightly pass has come, so that the next run goes on there. The first pass makes the snapshots. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Table } from '../../storage/table.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';

export type PassRecord = {
  readonly shopId: ShopId;
  /** When the first pass began: contracts that were made since are new. */
  readonly baselineAtMs: number;
  /** When this one began. */
  readonly beganAtMs: number;
  /** The day whose night it is, in the store's zone. */
  readonly night: string;
  /** Charges created since then are read, epoch milliseconds. */
  readonly chargesSinceMs: number;
  /** Where the last page ended; null: before the first. */
  readonly after: string | null;
  /** `pages`: there are more contracts; `charges`: there are more charges; `waiting`: only what waits is left. */
  readonly state: 'pages' | 'charges' | 'waiting' | 'done';
  /** Contracts that could not be compared yet. */
  readonly waiting: readonly ContractNumber[];
  /** Numbers of billing attempts that could not be recorded yet. */
  readonly waitingCharges: readonly string[];
};

type Deps = { readonly table: Pick<Table, 'get' | 'put'> };

/** TEMPORARILY_UNAVAILABLE. */
export async function readPass({ table }: Deps, shopId: ShopId): Promise<PassRecord | undefined> {
  const item = await table.get(passKey(shopId));
  if (item === undefined) return undefined;
  const { pk: _pk, sk: _sk, ...record } = item;
  // A pass that was written before charges were read lacks these.
  const ofCharges = { beganAtMs: item.baselineAtMs, chargesSinceMs: item.baselineAtMs, waitingCharges: [] };
  return { ...ofCharges, ...record } as unknown as PassRecord;
}

/**
 * Stores the record; only the holder of the store's lease may call it.
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function writePass({ table }: Deps, record: PassRecord): Promise<void> {
  await table.put({ ...passKey(record.shopId), ...record });
}

/**
 * Returns when the store's first reconciliation started.
 * @returns undefined when there was none
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function readBaseline(deps: Deps, shopId: ShopId): Promise<number | undefined> {
  return (await readPass(deps, shopId))?.baselineAtMs;
}

function passKey(shopId: ShopId) {
  return { pk: `SNAPSHOT#${shopId}`, sk: 'PASS' };
}
