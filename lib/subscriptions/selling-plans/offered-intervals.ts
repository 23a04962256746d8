/** Lists the intervals that a client can choose. The user error INTERVAL_NOT_OFFERED contains them. */
import { type Message, message } from '../../messages/message.ts';
import type { OfferedInterval } from '../error-details.ts';
import { type Frequency, frequencyMessage, toFrequency } from './frequency.ts';
import { isPriceDefinedByPlatform } from './plan-price.ts';
import {
  type CycleLimits,
  comparePositions,
  deliveriesPerPaymentOf,
  hasSameOrderLimit,
  type SellingPlan,
  toComparableTerms,
} from './selling-plan.ts';

type OfferedPlansOfLines = {
  readonly lines: readonly {
    readonly sellingPlanId: string | null;
    readonly offered: readonly SellingPlan[];
    /** Whether the product is no longer for sale. Its line keeps its plan, but that plan is not listed. */
    readonly isWithdrawn?: boolean;
  }[];
  /** The contract with its maximum number of orders: only plans with the same maximum or none are listed. */
  readonly contract: { readonly billingPolicy: Pick<CycleLimits, 'maxCycles'> };
};

/** The maximum number of listed plans: a person does not choose among more. */
const MAX_LISTED_PLANS = 50;
/** The maximum number of intervals in the message. */
const MAX_INTERVALS_IN_MESSAGE = 10;

/**
 * Lists the plans that all lines of the contract can follow. They are plans of the first line that is for sale and
 * has a plan, by ascending position.
 */
export function listOfferedIntervals(offer: OfferedPlansOfLines): OfferedInterval[] {
  const linesForSale = offer.lines.filter(({ isWithdrawn }) => isWithdrawn !== true);
  const firstLine = linesForSale.find(({ sellingPlanId }) => sellingPlanId !== null) ?? linesForSale[0];
  return listChoosablePlans(firstLine?.offered ?? [], offer);
}

/**
 * Lists those of the given plans that a client may name: every line with a plan must be offered the same plan, or one
 * with the same terms.
 */
export function listChoosablePlans(
  plans: readonly SellingPlan[],
  { lines, contract: now }: OfferedPlansOfLines,
): OfferedInterval[] {
  const fitsContract = (plan: SellingPlan) => hasSameOrderLimit(plan, now.billingPolicy);
  const isOfferedForAllLines = (plan: SellingPlan) =>
    lines.every(
      ({ sellingPlanId, offered }) =>
        sellingPlanId === null ||
        offered.some(
          (one) =>
            one.id === plan.id || (fitsContract(one) && toComparableTerms(one) === toComparableTerms(plan)),
        ),
    );
  const offeredIntervals = plans.toSorted(comparePositions).flatMap((plan): OfferedInterval[] => {
    const [billing, deliveriesPerPayment] = [toFrequency(plan.billingPolicy), deliveriesPerPaymentOf(plan)];
    if (billing === undefined || deliveriesPerPayment === undefined) return [];
    const isPlanPriceDefined = isPriceDefinedByPlatform(plan.pricingPolicies, deliveriesPerPayment);
    if (!fitsContract(plan) || !isPlanPriceDefined || !isOfferedForAllLines(plan)) return [];
    return [{ ...billing, deliveriesPerPayment, sellingPlanId: plan.id, name: plan.name }];
  });
  return [...new Map(offeredIntervals.map((one) => [one.sellingPlanId, one])).values()].slice(
    0,
    MAX_LISTED_PLANS,
  );
}

/**
 * Returns a message such as `Offered: “Every 2 weeks” (every 2 weeks) and “Three months ahead” (every 3 months with 3
 * deliveries).`
 */
export function offeredIntervalsMessage(offered: readonly OfferedInterval[]): Message {
  const namedIntervals = offered.map(({ name: plan, ...one }) =>
    message('offeredInterval', { plan, rhythm: paymentFrequencyMessage(one, one.deliveriesPerPayment) }),
  );
  const intervals = [...new Map(namedIntervals.map((one) => [JSON.stringify(one), one])).values()];
  if (intervals.length === 0) return message('intervalsNone');
  return message('intervalsOffered', { intervals: intervals.slice(0, MAX_INTERVALS_IN_MESSAGE) });
}

/**
 * Returns a message with the frequency of payments, and the number of deliveries per payment if it is more than one.
 */
export function paymentFrequencyMessage(billing: Frequency, deliveries: number): Message {
  const frequency = frequencyMessage(billing);
  return deliveries === 1 ? frequency : message('rhythmWithDeliveries', { rhythm: frequency, deliveries });
}
