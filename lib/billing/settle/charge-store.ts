/** What settling needs of the charges' repository (records/charges.ts). */
import type { BillingCharge, OrderRef } from '../records/charge-record.ts';

export type ChargeStore = {
  find(ref: OrderRef): Promise<BillingCharge | undefined>;
  /** Refused when the charge has changed since `before` was read. */
  replace(before: BillingCharge, after: BillingCharge): Promise<BillingCharge | 'refused'>;
};
