/** Resolves `SubscriptionBillingCycle.total`: the total of each order by its content, without a further request. */
import { type Money, type OrderContent, sumUpcomingTotal } from '../../lib/subscriptions/order-content.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';

/** Returns the totals. Null for a billed order, because its content may have changed since. */
export function resolveCycleTotals(_context: RunContext, tasks: readonly ServiceTask[]): (Money | null)[] {
  return tasks.map(({ parent: { _svcBilling: status, _svcOwn: editedContent, _svcSource: source } }) =>
    status === 'BILLED' ? null : sumUpcomingTotal((editedContent ?? source) as OrderContent),
  );
}
