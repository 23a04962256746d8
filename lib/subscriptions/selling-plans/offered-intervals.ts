/**
 * Lists the offered intervals after a request for one that is not offered: the plans that the client can name
 * instead.
 */
import { type Message, message } from '../../messages/message.ts';
import type { OfferedInterval } from '../error-details.ts';
import { type Frequency, frequencyMessage, frequencyOf } from './frequency.ts';
import { isPublished } from './plan-price.ts';
import {
  byPosition,
  type CycleLimits,
  deliveriesPerPaymentOf,
  endsAlike,
  type SellingPlan,
  termsText,
} from './selling-plan.ts';

type Offer = {
  readonly lines: readonly {
    readonly sellingPlanId: string | null;
    readonly offered: readonly SellingPlan[];
    /** The product is not for sale: the line retains its plan, which is not listed to clients. */
    readonly isWithdrawn?: boolean;
  }[];
  /** The contract's present end. */
  readonly now: { readonly billingPolicy: Pick<CycleLimits, 'maxCycles'> };
};

/** More than a person chooses from. */
const MAX_PLANS = 50;
/** The number of intervals in the message. */
const MAX_IN_TEXT = 10;

/** Returns the plans of the first line for sale with a plan that all lines can follow, lowest position first. */
export function offeredIntervals(offer: Offer): OfferedInterval[] {
  const lines = offer.lines.filter(({ isWithdrawn }) => isWithdrawn !== true);
  const first = lines.find(({ sellingPlanId }) => sellingPlanId !== null) ?? lines[0];
  return choosable(first?.offered ?? [], offer);
}

/**
 * Filters the plans that a client may name: every line with a plan is offered the same plan, or one with the same
 * terms.
 */
export function choosable(plans: readonly SellingPlan[], { lines, now }: Offer): OfferedInterval[] {
  const canFollow = (plan: SellingPlan) => endsAlike(plan, now.billingPolicy);
  const isCommon = (plan: SellingPlan) =>
    lines.every(
      ({ sellingPlanId, offered }) =>
        sellingPlanId === null ||
        offered.some((one) => one.id === plan.id || (canFollow(one) && termsText(one) === termsText(plan))),
    );
  const offered = plans.toSorted(byPosition).flatMap((plan): OfferedInterval[] => {
    const [billing, deliveriesPerPayment] = [frequencyOf(plan.billingPolicy), deliveriesPerPaymentOf(plan)];
    if (billing === undefined || deliveriesPerPayment === undefined) return [];
    const isPriced = isPublished(plan.pricingPolicies, deliveriesPerPayment);
    if (!canFollow(plan) || !isPriced || !isCommon(plan)) return [];
    return [{ ...billing, deliveriesPerPayment, sellingPlanId: plan.id, name: plan.name }];
  });
  return [...new Map(offered.map((one) => [one.sellingPlanId, one])).values()].slice(0, MAX_PLANS);
}

/** `Offered: “Every 2 weeks” (every 2 weeks) and “Three months ahead” (every 3 months with 3 deliveries).` */
export function offeredMessage(offered: readonly OfferedInterval[]): Message {
  const named = offered.map(({ name: plan, ...one }) =>
    message('offeredInterval', { plan, rhythm: paymentFrequency(one, one.deliveriesPerPayment) }),
  );
  const intervals = [...new Map(named.map((one) => [JSON.stringify(one), one])).values()];
  if (intervals.length === 0) return message('intervalsNone');
  return message('intervalsOffered', { intervals: intervals.slice(0, MAX_IN_TEXT) });
}

/** Returns the frequency of payments, with the number of deliveries if it is more than one. */
export function paymentFrequency(billing: Frequency, deliveries: number): Message {
  const frequency = frequencyMessage(billing);
  return deliveries === 1 ? frequency : message('rhythmWithDeliveries', { rhythm: frequency, deliveries });
}
