/**
 * Finishes an interval change whose process crashed after the commit: restores the skips and moves that the intent
 * contains, and assigns the dates of a postponed contract. The scheduled work calls this before it decides the intent.
 */

import { type Instant, parseInstant } from '../../domain/instant.ts';
import type { CommonEventFields, EventRecord } from '../../timeline/event-record.ts';
import { contractGid } from '../../timeline/event-record.ts';
import type { OpenIntent } from '../../timeline/intent.ts';
import type { FinishChange } from '../../timeline/settle/finish-change.ts';
import type { SettleOpenIntentsDeps } from '../../timeline/settle/settle-open-intents.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { EditReason } from '../cycles/billing-cycle.ts';
import { finishOrderMove } from '../cycles/move-order.ts';
import { decodeUpcomingEdits, type UpcomingEdit } from '../cycles/upcoming-edits.ts';
import { parseOrderFacts } from '../order-dates/order-facts.ts';
import { listCyclesWithoutOrder } from '../order-dates/postponed-orders.ts';
import { createPostponementRepository, isDateChangePending } from '../order-dates/postponements.ts';
import { POSTPONEMENT_FINISHERS } from '../postpone/finish-postponement.ts';
import { hasDatesToReassign, reassignOrderDates } from '../postpone/reassign-order-dates.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import { INTERVAL_ACTION } from './create-interval-intent.ts';
import { restoreEditsOnNewCycles, skipOrdersOfPastDays } from './restore-edits-on-new-cycles.ts';
import { createUnfinishedIntervalChangeRepository, toPastOrders } from './unfinished-intervals.ts';

/**
 * Finishes the interval change of an open intent. Does nothing unless the contract has the interval of the intent,
 * nor when a later change of the interval was made, because that one has handled the edits: then it only skips orders of
 * past days. May run twice.
 * @throws ServiceError when the platform does not respond; the intent is then retried later
 */
const finishIntervalChange: FinishChange = async (deps, { intent, earlierChanges, laterChanges }) => {
  const { contract, shopId, details } = intent;
  const { interval, intervalCount, editsAhead: upcomingEdits, movesOrder, nextBillingDate } = details;
  const { firstNewCycleIndex } = details;
  if (contract === undefined || typeof interval !== 'string' || typeof intervalCount !== 'number')
    return undefined;
  const ref = { shopId, contractNumber: contract };
  const unfinishedIntervals = createUnfinishedIntervalChangeRepository(deps);
  const contractId = contractGid(contract, deps.platformGidNamespace);
  const unfinishedChange = await unfinishedIntervals.read(ref);
  const ordersToSkip = {
    ...{ contractId, reason: editReasonOf(intent) },
    pastOrders: [
      ...toPastOrders(firstNewCycleIndex, intent.createdAtMs),
      ...(unfinishedChange?.pastOrders ?? []),
    ],
  };
  if (laterChanges.some((one) => isTimelineEntry(one) && changesInterval(one))) {
    await skipOrdersOfPastDays(deps, ordersToSkip);
    return undefined;
  }
  const edits = typeof upcomingEdits === 'string' ? decodeUpcomingEdits(upcomingEdits) : [];
  const record = await createPostponementRepository(deps).read(ref);
  const requestedMs = movesOrder === true ? parseInstant(nextBillingDate) : undefined;
  const dateMs = isOrderChangedBefore(requestedMs, laterChanges) ? undefined : requestedMs;
  await restoreEditsOnNewCycles(deps, {
    ...ordersToSkip,
    beganAtMs: intent.createdAtMs,
    edits,
    interval: { interval, intervalCount },
    entries: [...earlierChanges, ...laterChanges].filter(isTimelineEntry),
    readAtMs: intent.readAtMs,
    cyclesWithoutOrder: record === undefined ? [] : listCyclesWithoutOrder(record),
    postponed:
      record && hasDatesToReassign(record, { edits, dateMs }) ? { dates: record.dates, dateMs } : undefined,
  });
  await unfinishedIntervals.delete(ref);
  if (dateMs !== undefined) await finishOrderMove(deps, { intent, earlierChanges, laterChanges });
  await assignPostponedDates(deps, { ref, intent, edits, dateMs, frequency: { interval, intervalCount } });
  return undefined;
};

type DatesToAssign = {
  readonly ref: ContractRef;
  readonly intent: OpenIntent;
  readonly edits: readonly UpcomingEdit[];
  readonly dateMs: Instant | undefined;
  readonly frequency: Frequency;
};

/**
 * Assigns new dates to the orders of a postponed contract. Changes nothing while another change of the dates is in
 * progress, or if the dates already follow the new interval.
 */
async function assignPostponedDates(
  deps: Parameters<FinishChange>[0],
  { ref, intent, edits, dateMs, frequency }: DatesToAssign,
): Promise<void> {
  const postponements = createPostponementRepository(deps);
  const record = await postponements.read(ref);
  if (record === undefined || isDateChangePending(record, deps.now())) return;
  if (!hasDatesToReassign(record, { edits, dateMs })) {
    if (changesInterval(intent)) await postponements.end(record, { empty: null });
    return;
  }
  const contractId = contractGid(ref.contractNumber, deps.platformGidNamespace);
  const reassignment = { contractId, record, frequency, reason: editReasonOf(intent) };
  await reassignOrderDates({ ...deps, postponements }, { ...reassignment, timeZone: deps.timeZone });
}

function changesInterval({ changes }: CommonEventFields): boolean {
  return changes.some(({ field }) => field === 'billingPolicy');
}

function editReasonOf({ actor }: OpenIntent): EditReason {
  return actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED';
}

/**
 * Whether this is the timeline entry of a change that was made. The change of an open intent may not have been made.
 */
function isTimelineEntry(facts: CommonEventFields): facts is EventRecord {
  return 'outcome' in facts && facts.outcome === 'DONE';
}

/**
 * Whether a client has skipped, restored, moved or postponed an order before the date since: what the client saw last then
 * holds.
 */
function isOrderChangedBefore(
  dateMs: Instant | undefined,
  laterChanges: readonly CommonEventFields[],
): boolean {
  return laterChanges.some((facts) => {
    const { actor, changes, details } = facts;
    const isByClient = actor.kind === 'CUSTOMER' || actor.kind === 'MERCHANT';
    if (!isTimelineEntry(facts) || !isByClient || parseOrderFacts(changes).size === 0) return false;
    const dates = [details.expectedDate, details.billingDate].map((date) => parseInstant(date));
    return (
      dates.every((date) => date === undefined) || dates.some((date) => (date ?? Infinity) <= (dateMs ?? 0))
    );
  });
}

/** Moves the next order to the date of an interrupted change, unless a client has changed an order before it since. */
const finishDateChange: FinishChange = async (deps, change) =>
  isOrderChangedBefore(parseInstant(change.intent.details.nextBillingDate), change.laterChanges)
    ? undefined
    : finishOrderMove(deps, change);

/**
 * The functions that finish a change whose process crashed after the commit, by timeline action. The scheduled work
 * calls them.
 */
export const CHANGE_FINISHERS_BY_ACTION: SettleOpenIntentsDeps['finishers'] = {
  [INTERVAL_ACTION]: finishIntervalChange,
  ...POSTPONEMENT_FINISHERS,
  subscription_resumed: finishDateChange,
  subscription_next_billing_date_updated: finishDateChange,
};
