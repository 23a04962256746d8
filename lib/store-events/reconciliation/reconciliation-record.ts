/** The progress of a store's reconciliation, from which the next run continues. */
import type { PreviewCounts } from '../../billing/preview/count-orders.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Table } from '../../storage/table.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';

export type ReconciliationRecord = {
  readonly shopId: ShopId;
  /** The start of the first reconciliation: contracts that were created later are new. */
  readonly baselineAtMs: number;
  /** When this reconciliation began, epoch milliseconds. */
  readonly beganAtMs: number;
  /** The date of the reconciliation in the store's time zone, such as `2026-11-21`. */
  readonly night: string;
  /** The reconciliation reads the charges that were created at this time or later, epoch milliseconds. */
  readonly chargesSinceMs: number;
  /** The cursor of the next page of contracts or of charges, by `state`; null before the first page. */
  readonly after: string | null;
  /** `pages`: more contracts follow; `charges`: more charges follow; `waiting`: only items that had to wait are left. */
  readonly state: 'pages' | 'charges' | 'waiting' | 'done';
  /** The numbers of contracts that could not be compared yet. */
  readonly waiting: readonly ContractNumber[];
  /** The numbers of billing attempts that could not be recorded yet. */
  readonly waitingCharges: readonly string[];
  /** The orders of the next days, counted so far; absent when the service did not bill the store at the start. */
  readonly preview?:
    | { readonly startsOn: string; readonly firstDate: string; readonly counts: PreviewCounts }
    | undefined;
};

type Deps = { readonly table: Pick<Table, 'get' | 'put'> };

/**
 * Reads the record; undefined before the store's first reconciliation.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readReconciliation(
  { table }: Deps,
  shopId: ShopId,
): Promise<ReconciliationRecord | undefined> {
  const item = await table.get(reconciliationKey(shopId));
  if (item === undefined) return undefined;
  const { pk: _pk, sk: _sk, ...record } = item;
  // Records of earlier versions lack these attributes.
  const chargeDefaults = {
    beganAtMs: item.baselineAtMs,
    chargesSinceMs: item.baselineAtMs,
    waitingCharges: [],
  };
  return { ...chargeDefaults, ...record } as unknown as ReconciliationRecord;
}

/**
 * Whether a nightly reconciliation has read all contracts of the store.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function isFirstReconciliationComplete(
  { table }: { readonly table: Pick<Table, 'batchGet'> },
  shopId: ShopId,
): Promise<boolean> {
  const [item] = await table.batchGet([reconciliationKey(shopId)]);
  return item !== undefined && (item.state !== 'pages' || Number(item.beganAtMs) > Number(item.baselineAtMs));
}

/**
 * Stores the record. Only the worker that has the store's lease may call it.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function writeReconciliation({ table }: Deps, record: ReconciliationRecord): Promise<void> {
  await table.put({ ...reconciliationKey(record.shopId), ...record });
}

function reconciliationKey(shopId: ShopId) {
  return { pk: `SNAPSHOT#${shopId}`, sk: 'PASS' };
}
