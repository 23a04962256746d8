/**
 * Each line gets a plan with another interval, and the policies follow from the plans. A line takes a plan of its
 * own product's groups, so that no plan's discount survives on another's rhythm. Pure.
 */
import type { OperationError } from '../operation-error.ts';
import { offeredIntervals } from '../selling-plans/offered-intervals.ts';
import {
  deliveriesPerPayment,
  deliveryRhythm,
  everyText,
  isSameRhythm,
  type Rhythm,
  rhythmOf,
} from '../selling-plans/rhythm.ts';
import {
  byPosition,
  deliveriesPerPaymentOf,
  endsAlike,
  pricingText,
  type SellingPlan,
  termsText,
} from '../selling-plans/selling-plan.ts';
import { onSameDays, type Policies } from './policies.ts';

export type OfferedLine = {
  readonly id: string;
  readonly sellingPlanId: string | null;
  /** The plans that its product is sold under. */
  readonly offered: readonly SellingPlan[];
};

type IntervalWish = {
  readonly now: Policies;
  /** The rhythm of billing. The client gives it, or a plan, or both. */
  readonly interval: Rhythm | undefined;
  readonly plan: SellingPlan | undefined;
  readonly lines: readonly OfferedLine[];
  /** Customers choose among what the plans of every line offer, merchants what they will. */
  readonly isCustomer: boolean;
};

export type IntervalChoice = {
  readonly policies: Policies;
  /** Plans by line; a line that is missing keeps what it has. */
  readonly plans: ReadonlyMap<string, SellingPlan>;
};

/** The choice, or INTERVAL_NOT_OFFERED, ANCHORS_DO_NOT_FIT, INVALID at `interval` or `sellingPlanId`. */
export function chooseInterval(wish: IntervalWish): IntervalChoice | OperationError {
  const { plan, interval, lines, isCustomer } = wish;
  if (isCustomer && lines.some(({ sellingPlanId }) => sellingPlanId === null)) {
    const message =
      'A product of the subscription is under no selling plan: only the store can change its interval.';
    return error(plan === undefined ? 'interval' : 'sellingPlanId', message);
  }
  if (plan !== undefined) return byPlan(wish, plan);
  return interval === undefined
    ? error('interval', 'Give an interval or a selling plan.', 'INVALID')
    : byInterval(wish, interval);
}

function byPlan(wish: IntervalWish, named: SellingPlan): IntervalChoice | OperationError {
  const { now, lines } = wish;
  const isOffered = lines.some(({ offered }) => offered.some(({ id }) => id === named.id));
  const refused = refusePlan(wish, named, isOffered);
  if (refused !== undefined) return refused;
  const plans = new Map<string, SellingPlan>();
  for (const { id, sellingPlanId, offered } of lines) {
    const equal = offered.filter(
      (plan) => termsText(plan) === termsText(named) && endsAlike(plan, now.billingPolicy),
    );
    // Merchants may name any plan; where it is one line's, the others have theirs.
    const isAnyones = !isOffered || sellingPlanId === null;
    const plan =
      offered.find((one) => one.id === named.id) ??
      equal.toSorted(byPosition)[0] ??
      (isAnyones ? named : undefined);
    if (plan === undefined) {
      const message = `Not every product of the subscription is sold on the terms of this plan. ${offeredIntervals(lines)}`;
      return error('sellingPlanId', message);
    }
    plans.set(id, plan);
  }
  return { policies: policiesOf(now, named, plans), plans };
}

function refusePlan(
  { now, interval, lines, isCustomer }: IntervalWish,
  named: SellingPlan,
  isOffered: boolean,
): OperationError | undefined {
  const billing = rhythmOf(named.billingPolicy);
  if (billing === undefined) return error('sellingPlanId', 'The selling plan does not repeat.', 'INVALID');
  if (interval !== undefined && !isSameRhythm(billing, interval)) {
    return error('interval', `The selling plan bills ${everyText(billing)}. Leave one of the two out.`);
  }
  if (deliveriesPerPaymentOf(named) === undefined) {
    const message = 'A payment under the selling plan is for no whole number of deliveries.';
    return error('sellingPlanId', message, 'INVALID');
  }
  if (!isCustomer || (isOffered && endsAlike(named, now.billingPolicy))) return undefined;
  const why = isOffered
    ? 'The plan ends by itself.'
    : 'No product of the subscription is sold under this plan.';
  return error('sellingPlanId', `${why} ${offeredIntervals(lines)}`);
}

function byInterval(wish: IntervalWish, billing: Rhythm): IntervalChoice | OperationError {
  const { now, lines, isCustomer } = wish;
  const deliveries = deliveriesPerPayment(now);
  if (deliveries === undefined) {
    const message =
      'A payment of the subscription is for no whole number of deliveries. Name a selling plan.';
    return error('interval', message, 'INVALID');
  }
  const candidates = lines.map(({ id, sellingPlanId, offered }) => ({
    id,
    plans:
      sellingPlanId === null
        ? []
        : offered.filter((plan) => isFor(plan, billing, deliveries) && endsAlike(plan, now.billingPolicy)),
  }));
  const planned = candidates.filter(({ plans }) => plans.length > 0);
  if (isCustomer && planned.length < lines.length) return notOffered(lines, billing, deliveries);
  const open = planned.find(({ plans }) => new Set(plans.map(allText)).size > 1);
  if (open !== undefined) return ambiguous(open.plans, billing);
  const chosen = planned.flatMap(({ id, plans }) => {
    const [plan] = plans.toSorted(byPosition);
    return plan === undefined ? [] : [[id, plan] as const];
  });
  const [first] = chosen;
  if (first === undefined) return onRhythmOfNoPlan(now, billing, deliveries);
  const [, plan] = first;
  // A contract has its deliveries on the same days for all lines.
  if (chosen.some(([, other]) => termsText(other) !== termsText(plan))) {
    return notOffered(lines, billing, deliveries);
  }
  const plans = new Map(chosen);
  return { policies: policiesOf(now, plan, plans), plans };
}

/** All of a plan but its place, in a form to compare. */
function allText(plan: SellingPlan): string {
  return JSON.stringify([plan.name, termsText(plan), pricingText(plan), plan.billingPolicy.minCycles ?? 0]);
}

function isFor(plan: SellingPlan, billing: Rhythm, deliveries: number): boolean {
  return isSameRhythm(rhythmOf(plan.billingPolicy), billing) && deliveriesPerPaymentOf(plan) === deliveries;
}

/**
 * The choice of a merchant for a rhythm that no plan has: the lines keep their plans, and payments are for as many
 * deliveries as before.
 */
function onRhythmOfNoPlan(
  now: Policies,
  billing: Rhythm,
  deliveries: number,
): IntervalChoice | OperationError {
  const delivery = deliveryRhythm(billing, deliveries);
  if (delivery === undefined) {
    const message = `One payment is for ${deliveries} deliveries, which cannot be spread evenly over an order ${everyText(billing)}.`;
    return error('interval', message);
  }
  const policies = onSameDays(now, { billing: { ...billing }, delivery });
  return 'message' in policies ? policies : { policies, plans: new Map() };
}

/** The plan's rhythms and days. Limits of cycles stay, but who takes a plan's price takes its minimum of orders too. */
function policiesOf(now: Policies, plan: SellingPlan, plans: ReadonlyMap<string, SellingPlan>): Policies {
  const { minCycles, maxCycles } = now.billingPolicy;
  const minimum = Math.max(
    minCycles ?? 0,
    ...[...plans.values()].map((one) => one.billingPolicy.minCycles ?? 0),
  );
  const { anchors = [] } = plan.deliveryPolicy;
  const policy = ({ interval = '', intervalCount = 0 }: Partial<Rhythm>) => ({
    interval,
    intervalCount,
    anchors,
  });
  return {
    billingPolicy: {
      ...policy(plan.billingPolicy),
      minCycles: minimum === 0 ? minCycles : minimum,
      maxCycles,
    },
    deliveryPolicy: policy(plan.deliveryPolicy),
  };
}

function notOffered(lines: readonly OfferedLine[], billing: Rhythm, deliveries: number): OperationError {
  const what = deliveries === 1 ? '' : ` with ${deliveries} deliveries`;
  const message = `Not every product of the subscription is sold ${everyText(billing)}${what}. ${offeredIntervals(lines)}`;
  return error('interval', message);
}

function ambiguous(plans: readonly SellingPlan[], billing: Rhythm): OperationError {
  const names = [...new Set(plans.map(({ name }) => `“${name}”`))].join(', ');
  const message = `Several plans are ${everyText(billing)}: ${names}. Name one of them as sellingPlanId.`;
  return error('interval', message);
}

function error(field: string, message: string, code = 'INTERVAL_NOT_OFFERED'): OperationError {
  return { field: [field], message, code };
}
