/** Queues the event `billing.run_held` for the merchant's endpoints. */
import { enqueueEventNotice } from '../../timeline/append/queue-item.ts';
import type { BillingRun } from '../records/run-record.ts';

type Deps = Parameters<typeof enqueueEventNotice>[0];

/** Creates the function. It is idempotent, because the event's id stays the same. It throws TEMPORARILY_UNAVAILABLE. */
export function createReportHold(deps: Deps) {
  return async ({ shopId, date, holdReason, expectedCount, foundCount, startedAtMs }: BillingRun) => {
    if (holdReason === undefined) return;
    const run = { date, holdReason, foundCount, ...(expectedCount !== undefined && { expectedCount }) };
    const event = { type: 'billing.run_held', atMs: startedAtMs, run } as const;
    await enqueueEventNotice(deps, {
      shopId,
      contract: undefined,
      id: `billing-run-held-${date}-${holdReason}`,
      event,
    });
  };
}
