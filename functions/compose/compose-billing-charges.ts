/**
 * Composes the charges of the service's billing, and the step that retries a declined payment when its method or
 * address has changed.
 */
import { randomUUID } from 'node:crypto';
import { type BillingCharges, createBillingCharges } from '../../lib/billing/records/charges.ts';
import { retryAfterCustomerChange } from '../../lib/billing/settle/retry-charge.ts';
import type { Table } from '../../lib/storage/table.ts';
import { createWorkQueue } from '../../lib/storage/work-queue/work-queue.ts';
import type { AppendContractDeps } from '../../lib/timeline/append/append-contract-items.ts';

type TableAndClock = { readonly table: Table; readonly now: () => number };

/** Composes the charges; a reminder puts the store into the queue of billing. */
export function composeBillingCharges({ table, now }: TableAndClock): BillingCharges {
  const { enqueue } = createWorkQueue({ table, now, newId: randomUUID });
  return createBillingCharges({
    ...{ table, now },
    enqueueStore: (shopId, atMs) => enqueue('billing', shopId, atMs),
  });
}

/** Composes the step that tries a declined payment again when its method or address has changed. */
export function composeRetryTriggers({
  table,
  now,
}: TableAndClock): Pick<Required<AppendContractDeps>, 'reportRetryTrigger'> {
  const charges = composeBillingCharges({ table, now });
  return { reportRetryTrigger: (trigger) => retryAfterCustomerChange({ charges, now }, trigger) };
}
