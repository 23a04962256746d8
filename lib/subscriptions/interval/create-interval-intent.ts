/**
 * Builds the intent of an interval change. It records the facts of both steps, and contains what the second step
 * (restoring skips and moves) needs after a crash.
 */
import { formatInstant, type Instant } from '../../domain/instant.ts';
import { createFact, type FactChange, toIntervalText, toMoneyText } from '../../timeline/facts.ts';
import { encodeUpcomingEdits, type UpcomingEdit } from '../cycles/upcoming-edits.ts';
import type { DraftedChange } from '../draft/draft-operation.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import { haveNewPlans } from './build-line-updates.ts';
import {
  arePoliciesInForce,
  type IntervalContract,
  type IntervalTarget,
  isDateInForce,
  targetOrderDate,
} from './interval-state.ts';

export const INTERVAL_ACTION = 'subscription_interval_updated';
const NEXT_DATE_ACTION = 'subscription_next_billing_date_updated';

type IntervalChange = {
  readonly contract: IntervalContract;
  readonly target: IntervalTarget;
  readonly edits: readonly UpcomingEdit[];
  readonly firstNewCycleIndex: number | undefined;
  /** The new delivery price per payment. Undefined when it stays the same. */
  readonly deliveryPrice: string | undefined;
  readonly lineFacts: readonly FactChange[];
};

/** Returns the intent: the facts that change, and the encoded skips and moves of upcoming orders. */
export function createIntervalIntent({
  contract,
  target,
  edits,
  firstNewCycleIndex,
  deliveryPrice,
  lineFacts,
}: IntervalChange): DraftedChange<unknown>['intent'] {
  const { billingPolicy, deliveryPolicy, dateMs } = target;
  const { interval, intervalCount } = billingPolicy;
  const toFrequencyFacts = (frequency: Frequency, after: Frequency) => ({
    before: toIntervalText(frequency),
    after: toIntervalText(after),
  });
  const frequencyFacts = [
    createFact('billingPolicy', toFrequencyFacts(contract.billingPolicy, billingPolicy)),
    createFact('deliveryPolicy', toFrequencyFacts(contract.deliveryPolicy, deliveryPolicy)),
    ...(deliveryPrice === undefined ? [] : [deliveryPriceFact(contract, deliveryPrice)]),
    ...(dateMs === undefined || isDateInForce(contract, target) ? [] : [nextDateFact(contract, dateMs)]),
  ];
  const intervalFacts = [...frequencyFacts.filter((fact) => fact.before !== fact.after), ...lineFacts];
  const movesOrder = targetOrderDate(contract, target) !== undefined;
  const date =
    dateMs === undefined ? {} : { nextBillingDate: formatInstant(dateMs), ...(movesOrder && { movesOrder }) };
  if (changesOnlyNextDate(contract, target, intervalFacts))
    return { action: NEXT_DATE_ACTION, details: date, changes: intervalFacts };
  return {
    action: INTERVAL_ACTION,
    details: {
      interval,
      intervalCount,
      ...(toIntervalText(billingPolicy) !== toIntervalText(deliveryPolicy) && {
        deliveryInterval: deliveryPolicy.interval,
        deliveryIntervalCount: deliveryPolicy.intervalCount,
      }),
      ...date,
      ...(target.plan && { sellingPlan: target.plan.name }),
      ...(edits.length > 0 && { editsAhead: encodeUpcomingEdits(edits) }),
      ...(firstNewCycleIndex !== undefined && { firstNewCycleIndex }),
    },
    changes: intervalFacts,
  };
}

/** Whether only the date changes, because interval and plans are already in the requested state. */
function changesOnlyNextDate(
  contract: IntervalContract,
  target: IntervalTarget,
  changes: readonly FactChange[],
): boolean {
  return (
    arePoliciesInForce(contract, target) &&
    haveNewPlans(contract.lines.nodes, target.plans) &&
    changes.every(({ field }) => field === 'nextBillingDate')
  );
}

function deliveryPriceFact({ deliveryPrice: before }: IntervalContract, amount: string): FactChange {
  const priceAfter = { ...before, amount };
  return createFact('deliveryPrice', { before: toMoneyText(before), after: toMoneyText(priceAfter) });
}

function nextDateFact({ nextBillingDate: before }: IntervalContract, dateMs: Instant): FactChange {
  return createFact('nextBillingDate', { before, after: formatInstant(dateMs) });
}
