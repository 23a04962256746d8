/** The cycles of a test contract from the current one on. */

import { dateText } from '../../../lib/domain/instant.ts';
import { type BillingCycle, CYCLE_FIELDS } from '../../../lib/subscriptions/cycles/billing-cycle.ts';
import { type Ask, rootOf } from './platform-answer.ts';

const YEAR_MS = 366 * 86_400_000;
const DOCUMENT = `query FirstContactAhead($id: ID!, $dates: SubscriptionBillingCyclesDateRangeSelector!) {
  subscriptionBillingCycles(contractId: $id, billingCyclesDateRangeSelector: $dates, first: 20) { nodes { ${CYCLE_FIELDS} } }
}`;

/** The cycles, at most 20, the current one first. Unmeasurable if the platform answers none. */
export async function cyclesFromNow(ask: Ask, id: string, nowMs: number): Promise<readonly BillingCycle[]> {
  const dates = { startDate: dateText(nowMs), endDate: dateText(nowMs + YEAR_MS) };
  const answer = await ask(DOCUMENT, { id, dates });
  return rootOf<{ readonly nodes: readonly BillingCycle[] }>(answer, 'subscriptionBillingCycles').nodes;
}

const ONE = `query FirstContactCycle($id: ID!, $index: Int!) {
  subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: $index } }) { ${CYCLE_FIELDS} }
}`;

/** One by its index. */
export async function cycleOf(ask: Ask, id: string, index: number): Promise<BillingCycle> {
  return rootOf<BillingCycle>(await ask(ONE, { id, index }), 'subscriptionBillingCycle');
}
