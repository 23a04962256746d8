/**
 * Stores for all containers what customers of busy stores have used of their quota, as the time at which the whole
 * quota is free. Each charge is one conditional write; items expire.
 */
import type { Table } from '../table.ts';
import { type CustomerQuotaRef, customerQuotaKey, quotaFreeAtMsOf } from './session-record.ts';

type QuotaCharge = {
  /** The charged points, as the milliseconds in which the platform restores them to the customer's quota. */
  readonly chargedMs: number;
  /** The maximum use after the charge. */
  readonly maxUsedMs: number;
};
/** `quotaFreeAtMs`: when the whole quota is free, epoch milliseconds. */
type QuotaChargeResult = { readonly isDone: boolean; readonly quotaFreeAtMs: number };

export type CustomerQuotaRepository = {
  /**
   * Adds to the customer's use unless that exceeds the maximum.
   * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
   */
  charge(ref: CustomerQuotaRef, charge: QuotaCharge): Promise<QuotaChargeResult>;
  /**
   * Subtracts milliseconds from the customer's use.
   * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
   */
  refund(ref: CustomerQuotaRef, refundedMs: number): Promise<void>;
};

type Deps = { readonly table: Table; readonly now: () => number };

/** The minimum time for which an item is stored after the whole quota is free. */
const QUOTA_ITEM_TTL_SECONDS = 60;

/** Creates the access to customers' use of their quota in the table. */
export function createCustomerQuotaRepository({ table, now }: Deps): CustomerQuotaRepository {
  return {
    async charge(ref, { chargedMs, maxUsedMs }) {
      const key = customerQuotaKey(ref);
      const nowMs = now();
      const expiresAtSeconds = Math.ceil((nowMs + maxUsedMs) / 1000) + QUOTA_ITEM_TTL_SECONDS;
      const firstCharge = await table.update({
        key,
        update: 'SET untilMs = :until, shopId = :shop, expiresAt = :expires',
        condition: 'attribute_not_exists(pk) OR untilMs <= :now',
        values: {
          ':until': nowMs + chargedMs,
          ':shop': ref.shopId,
          ':expires': expiresAtSeconds,
          ':now': nowMs,
        },
      });
      if (firstCharge.outcome === 'done') return { isDone: true, quotaFreeAtMs: nowMs + chargedMs };
      const writeResult = await table.update({
        key,
        update: 'SET untilMs = untilMs + :ms, expiresAt = :expires',
        condition: 'untilMs > :now AND untilMs <= :most',
        values: {
          ':ms': chargedMs,
          ':expires': expiresAtSeconds,
          ':now': nowMs,
          ':most': nowMs + maxUsedMs - chargedMs,
        },
      });
      if (writeResult.outcome === 'done')
        return { isDone: true, quotaFreeAtMs: quotaFreeAtMsOf(writeResult.item) };
      return { isDone: false, quotaFreeAtMs: quotaFreeAtMsOf(await table.get(key)) };
    },
    async refund(ref, refundedMs) {
      await table.update({
        key: customerQuotaKey(ref),
        update: 'SET untilMs = untilMs - :ms',
        condition: 'untilMs > :now',
        values: { ':ms': refundedMs, ':now': now() },
      });
    },
  };
}
