/**
 * What customers of busy stores owe of their share in the store's points, for all containers to see: the time at which
 * the share has made up for what was spent. Each charge is one conditional write; an item goes by itself.
 */
import type { Table } from '../table.ts';
import { quotaFreeAtOf, type ShareRef, shareKey } from './session-record.ts';

type Charge = {
  /** The points, as the time in which the share makes up for them. */
  readonly ms: number;
  /** No more than this may be owed afterwards. */
  readonly maxMs: number;
};
/** `untilMs`: when nothing is owed any more, epoch milliseconds. */
type Charged = { readonly isDone: boolean; readonly untilMs: number };

export type CustomerQuotaStore = {
  /** Adds to what the customer owes, if it may owe as much. TEMPORARILY_UNAVAILABLE. */
  charge(ref: ShareRef, charge: Charge): Promise<Charged>;
  /** Takes milliseconds off what the customer owes. TEMPORARILY_UNAVAILABLE. */
  refund(ref: ShareRef, ms: number): Promise<void>;
};

type Deps = { readonly table: Table; readonly now: () => number };

/** An item is of no use once nothing is owed. */
const RETENTION_SECONDS = 60;

/** Shares over the table. */
export function createCustomerQuotaStore({ table, now }: Deps): CustomerQuotaStore {
  return {
    async charge(ref, { ms, maxMs }) {
      const key = shareKey(ref);
      const nowMs = now();
      const expiresAt = Math.ceil((nowMs + maxMs) / 1000) + RETENTION_SECONDS;
      const startedWindow = await table.update({
        key,
        update: 'SET untilMs = :until, shopId = :shop, expiresAt = :expires',
        condition: 'attribute_not_exists(pk) OR untilMs <= :now',
        values: { ':until': nowMs + ms, ':shop': ref.shopId, ':expires': expiresAt, ':now': nowMs },
      });
      if (startedWindow.outcome === 'done') return { isDone: true, untilMs: nowMs + ms };
      const added = await table.update({
        key,
        update: 'SET untilMs = untilMs + :ms, expiresAt = :expires',
        condition: 'untilMs > :now AND untilMs <= :most',
        values: { ':ms': ms, ':expires': expiresAt, ':now': nowMs, ':most': nowMs + maxMs - ms },
      });
      if (added.outcome === 'done') return { isDone: true, untilMs: quotaFreeAtOf(added.item) };
      return { isDone: false, untilMs: quotaFreeAtOf(await table.get(key)) };
    },
    async refund(ref, ms) {
      await table.update({
        key: shareKey(ref),
        update: 'SET untilMs = untilMs - :ms',
        condition: 'untilMs > :now',
        values: { ':ms': ms, ':now': now() },
      });
    },
  };
}
