/**
 * The orders that the service would charge on a day, as the nightly reconciliation counted them: the counts
 * (`PREVIEW#{shop}`, sort key: the day), and an entry for each order (`PREVIEW#{shop}#{date}`, sort key: contract and
 * cycle). Both expire three days after the day.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, Table } from '../../storage/table.ts';
import type { Money } from '../../subscriptions/order-content.ts';
import type { OrderRef } from '../records/charge-record.ts';
import type { BillingSettings } from '../records/settings-record.ts';

/** METHOD_EXPIRES: the card's last month ends before the order is due. ORDER_EDITED: the order has its own content. */
export type BillingWarning = 'METHOD_MISSING' | 'METHOD_EXPIRES' | 'ORDER_EDITED';

export type BillingPreview = {
  /** The day in the store's zone: 2026-12-01. */
  readonly date: string;
  /** When the count began, epoch milliseconds: it may lack later changes. */
  readonly preparedAtMs: number;
  /** Orders of active contracts that are not skipped. */
  readonly orderCount: number;
  /** The sum of the orders' amounts, by currency, without orders whose amount is unknown. */
  readonly totals: readonly Money[];
};

export type BillingPreviewEntry = OrderRef & {
  readonly date: string;
  readonly expectedAtMs: number;
  /** Absent when the amount is unknown: beyond 20 lines, of an edited order, or where access is denied. */
  readonly amount?: Money;
  readonly warnings: readonly BillingWarning[];
};

/**
 * Whether the preview exists, is of a day that the service charges, and was made after billing was last switched on: the
 * merchant may not have seen an earlier preview.
 */
export function isValidPreview(
  preview: BillingPreview | undefined,
  { enabled, startsOn = '', enabledAtMs = 0 }: Pick<BillingSettings, 'enabled' | 'enabledAtMs' | 'startsOn'>,
): preview is BillingPreview {
  return enabled && preview !== undefined && preview.date >= startsOn && preview.preparedAtMs >= enabledAtMs;
}

type PreviewEntryPage = {
  /** The sort key of the previous page's last entry. */
  readonly after?: string;
  readonly limit: number;
  readonly descending?: boolean;
};

const PREVIEW_RETENTION_DAYS = 3;
const DAY_SECONDS = 86_400;
const CYCLE_INDEX_DIGITS = 10;

/** Creates the repository. Its functions throw TEMPORARILY_UNAVAILABLE. */
export function createBillingPreviews({ table }: { readonly table: Pick<Table, 'get' | 'put' | 'query'> }) {
  return {
    /** Reads the counts of a day; undefined when no reconciliation has counted the day. */
    async find(shopId: ShopId, date: string): Promise<BillingPreview | undefined> {
      const item = await table.get({ pk: `PREVIEW#${shopId}`, sk: date });
      return item === undefined ? undefined : toRecord<BillingPreview>(item);
    },
    async put(shopId: ShopId, preview: BillingPreview): Promise<void> {
      const { date } = preview;
      await table.put({
        pk: `PREVIEW#${shopId}`,
        sk: date,
        shopId,
        ...preview,
        expiresAt: previewExpiresAtSeconds(date),
      });
    },
    async putEntry(entry: BillingPreviewEntry): Promise<void> {
      const { shopId, date } = entry;
      const key = { pk: `PREVIEW#${shopId}#${date}`, sk: previewEntryKey(entry) };
      await table.put({ ...key, ...entry, expiresAt: previewExpiresAtSeconds(date) });
    },
    /** Lists entries of a day by contract and cycle. A page that is shorter than `limit` is the last one. */
    async listEntries(shopId: ShopId, date: string, page: PreviewEntryPage): Promise<BillingPreviewEntry[]> {
      const { after, limit, descending = false } = page;
      const pk = `PREVIEW#${shopId}#${date}`;
      const { items } = await table.query({
        keyCondition: 'pk = :pk',
        values: { ':pk': pk },
        ...{ limit, descending },
        ...(after !== undefined && { startKey: { pk, sk: after } }),
      });
      return items.map((item) => toRecord<BillingPreviewEntry>(item));
    },
  };
}

/** Returns the sort key of an entry, which is also its cursor. Keys sort by contract, then by cycle. */
export function previewEntryKey({
  contractNumber,
  cycleIndex,
}: Pick<OrderRef, 'contractNumber' | 'cycleIndex'>) {
  return `${contractNumber}#${String(cycleIndex).padStart(CYCLE_INDEX_DIGITS, '0')}`;
}

function previewExpiresAtSeconds(date: string): number {
  return Date.parse(date) / 1000 + (1 + PREVIEW_RETENTION_DAYS) * DAY_SECONDS;
}

function toRecord<Record>(item: Item): Record {
  const { pk: _pk, sk: _sk, expiresAt: _expiresAt, ...record } = item;
  return record as unknown as Record;
}
