/**
 * Resolves `SubscriptionBillingCycle.total`: the total of each order by its content. Where the service bills, contracts with
 * price steps need one further request.
 */
import { type Money, type OrderContent, sumUpcomingTotal } from '../../lib/subscriptions/order-content.ts';
import {
  applyStepsToContent,
  type SteppedContent,
} from '../../lib/subscriptions/selling-plans/step-prices.ts';
import type { ResolveServiceField } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { readCountsOfSteppedContracts } from '../run/read-counts-of-stepped-contracts.ts';
import { readPauses } from './read-pauses.ts';

type SourceContract = SteppedContent & { readonly id: string; readonly status: string };

/** Returns the totals. Null for a billed order, because its content may have changed since. */
export const resolveCycleTotals: ResolveServiceField = async (context, tasks, { pauses }) => {
  const sources = tasks.filter(isPricedByContract).map(sourceOf);
  const pausedIds = sources.filter(({ status }) => status === 'PAUSED').map(({ id }) => id);
  const pauseByContract = await readPauses(context, pausedIds, pauses);
  const contracts = sources.map(({ id, status, ...content }) => {
    const pauseEndMs = pauseByContract.get(id)?.resumesAtMs ?? Number.POSITIVE_INFINITY;
    return { id, content, notBeforeMs: status === 'PAUSED' ? pauseEndMs : context.now() };
  });
  const countsById = await readCountsOfSteppedContracts(context, contracts);
  return tasks.map((task): Money | null => {
    const {
      _svcBilling: status,
      _svcOwn: editedContent,
      _svcIndex: cycleIndex,
      _svcDue: dueDate,
    } = task.parent;
    if (status === 'BILLED') return null;
    if (!isPricedByContract(task)) return sumUpcomingTotal(editedContent as OrderContent);
    const countOrdersBefore = countsById.get(sourceOf(task).id);
    const counts = countOrdersBefore?.({
      cycleIndex: Number(cycleIndex),
      billingAttemptExpectedDate: String(dueDate),
    });
    const content = applyStepsToContent(sourceOf(task), counts);
    return content === undefined ? null : sumUpcomingTotal(content);
  });
};

function sourceOf({ parent }: ServiceTask): SourceContract {
  return parent._svcSource as SourceContract;
}

/** Whether the order has the prices of the contract: it is not billed, and was not edited by itself. */
function isPricedByContract({ parent }: ServiceTask): boolean {
  return parent._svcBilling !== 'BILLED' && (parent._svcOwn ?? null) === null;
}
