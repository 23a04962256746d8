/**
 * Chooses a plan with another interval for each line, and derives the policies from the plans. A line gets a plan of
 * its own product's groups, so that no plan's discount applies at another plan's frequency. Pure.
 */
import { type Message, message } from '../../messages/message.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import {
  choosable,
  offeredIntervals,
  offeredMessage,
  paymentRhythm,
} from '../selling-plans/offered-intervals.ts';
import {
  deliveriesPerPayment,
  deliveryRhythm,
  isSameRhythm,
  type Rhythm,
  rhythmMessage,
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
  /** The plans that the product is sold with. */
  readonly offered: readonly SellingPlan[];
  /** The product is not for sale: only the line's own plan is offered, and it is not listed to clients. */
  readonly isWithdrawn?: boolean;
  /** Its price before discounts is zero. */
  readonly isGift?: boolean;
};

type IntervalWish = {
  readonly now: Policies;
  /** The frequency of billing. The client provides it, or a plan, or both. */
  readonly interval: Rhythm | undefined;
  /** Null when the plan does not exist. */
  readonly plan: SellingPlan | null | undefined;
  readonly lines: readonly OfferedLine[];
  /** Customers choose among the plans that every line offers; merchants choose freely. */
  readonly isCustomer: boolean;
};

export type IntervalChoice = {
  readonly policies: Policies;
  /** Plans by line; a missing line retains its plan. */
  readonly plans: ReadonlyMap<string, SellingPlan>;
};

/** Returns the choice, or INTERVAL_NOT_OFFERED, ANCHORS_DO_NOT_FIT, INVALID at `interval` or `sellingPlanId`. */
export function chooseInterval(request: IntervalWish): IntervalChoice | OperationError {
  const { plan, interval, isCustomer } = request;
  // The store's gift needs no plan: a customer's change does not affect it.
  const paid = request.lines.filter(({ sellingPlanId, isGift }) => sellingPlanId !== null || isGift !== true);
  const lines = isCustomer && paid.length > 0 ? paid : request.lines;
  const wish = { ...request, lines };
  const planless = lines.filter(({ sellingPlanId }) => sellingPlanId === null);
  if (isCustomer && planless.length > 0) {
    const field = [plan === undefined ? 'interval' : 'sellingPlanId'];
    const details = { offeredIntervals: [], lineIds: idsOf(planless) };
    return refuse('INTERVAL_NOT_OFFERED', { field, message: message('planMissing') }, details);
  }
  const isHidden = isCustomer && !lines.some(({ offered }) => offered.some(({ id }) => id === plan?.id));
  if (plan === null || (plan !== undefined && isHidden)) {
    const say = (offered: Message) => message('planOfNoProduct', { offered });
    return notOffered(wish, { field: 'sellingPlanId', say });
  }
  if (plan !== undefined) return byPlan(wish, plan);
  return interval === undefined
    ? refuse('INVALID', { field: ['interval'], message: message('intervalOrPlanMissing') })
    : byInterval(wish, interval);
}

function byPlan(wish: IntervalWish, named: SellingPlan): IntervalChoice | OperationError {
  const { now, lines } = wish;
  const isOffered = lines.some(({ offered }) => offered.some(({ id }) => id === named.id));
  const refused = refusePlan(wish, named);
  if (refused !== undefined) return refused;
  const plans = new Map<string, SellingPlan>();
  const without: OfferedLine[] = [];
  for (const line of lines) {
    const { id, sellingPlanId, offered } = line;
    const equal = offered.filter(
      (plan) => termsText(plan) === termsText(named) && endsAlike(plan, now.billingPolicy),
    );
    // Merchants may name any plan. If one line's product offers it, the other lines need a plan of their own
    // products.
    const isAnyones = !isOffered || sellingPlanId === null;
    const plan =
      offered.find((one) => one.id === named.id) ??
      equal.toSorted(byPosition)[0] ??
      (isAnyones ? named : undefined);
    if (plan === undefined) without.push(line);
    else plans.set(id, plan);
  }
  if (without.length > 0) {
    const say = (offered: Message) => message('planNotForAll', { offered });
    return notOffered(wish, { field: 'sellingPlanId', say, without });
  }
  return { policies: policiesOf(now, named, plans), plans };
}

function refusePlan(wish: IntervalWish, named: SellingPlan): OperationError | undefined {
  const { now, interval, isCustomer } = wish;
  const field = ['sellingPlanId'];
  const billing = rhythmOf(named.billingPolicy);
  if (billing === undefined) return refuse('INVALID', { field, message: message('planDoesNotRepeat') });
  if (interval !== undefined && !isSameRhythm(billing, interval)) {
    const fault = {
      field: ['interval'],
      message: message('planBillsOtherwise', { rhythm: rhythmMessage(billing) }),
    };
    return refuse('INTERVAL_NOT_OFFERED', fault, { offeredIntervals: offeredIntervals(wish) });
  }
  if (deliveriesPerPaymentOf(named) === undefined) {
    return refuse('INVALID', { field, message: message('planUneven') });
  }
  if (!isCustomer || endsAlike(named, now.billingPolicy)) return undefined;
  const say = (offered: Message) => message('planEnds', { offered });
  return notOffered(wish, { field: 'sellingPlanId', say });
}

function byInterval(wish: IntervalWish, billing: Rhythm): IntervalChoice | OperationError {
  const { now, lines, isCustomer } = wish;
  const deliveries = deliveriesPerPayment(now);
  if (deliveries === undefined) {
    return refuse('INVALID', { field: ['interval'], message: message('subscriptionUneven') });
  }
  const candidates = lines.map((line) => ({ ...line, plans: plansFor(line, { now, billing, deliveries }) }));
  const planned = candidates.filter(({ plans }) => plans.length > 0);
  const rhythm = paymentRhythm(billing, deliveries);
  const say = (offered: Message) => message('intervalNotOffered', { rhythm, offered });
  if (isCustomer && planned.length < lines.length) {
    const without = candidates.filter(({ plans }) => plans.length === 0);
    return notOffered(wish, { field: 'interval', say, without });
  }
  const open = planned.find(({ plans }) => new Set(plans.map(allText)).size > 1);
  if (open !== undefined) return ambiguous(wish, open.plans, billing);
  const chosen = planned.flatMap(({ id, plans }) => {
    const [plan] = plans.toSorted(byPosition);
    return plan === undefined ? [] : [[id, plan] as const];
  });
  const [first] = chosen;
  if (first === undefined) return onRhythmOfNoPlan(wish, billing, deliveries);
  const [, plan] = first;
  // The deliveries of a contract are on the same days for all lines.
  if (chosen.some(([, other]) => termsText(other) !== termsText(plan))) {
    return notOffered(wish, { field: 'interval', say });
  }
  const plans = new Map(chosen);
  return { policies: policiesOf(now, plan, plans), plans };
}

type Asked = { readonly now: Policies; readonly billing: Rhythm; readonly deliveries: number };

/** Returns the plans that a line can get for a billing frequency; empty for a line without a plan. */
function plansFor({ sellingPlanId, offered }: OfferedLine, asked: Asked): readonly SellingPlan[] {
  const { now, billing, deliveries } = asked;
  if (sellingPlanId === null) return [];
  return offered.filter((plan) => isFor(plan, billing, deliveries) && endsAlike(plan, now.billingPolicy));
}

/** A plan's properties except its position, in a comparable form. */
function allText(plan: SellingPlan): string {
  return JSON.stringify([plan.name, termsText(plan), pricingText(plan), plan.billingPolicy.minCycles ?? 0]);
}

function isFor(plan: SellingPlan, billing: Rhythm, deliveries: number): boolean {
  return isSameRhythm(rhythmOf(plan.billingPolicy), billing) && deliveriesPerPaymentOf(plan) === deliveries;
}

/**
 * Returns a merchant's choice of a frequency that no plan has: the lines retain their plans, and a payment covers as
 * many deliveries as before.
 */
function onRhythmOfNoPlan(
  wish: IntervalWish,
  billing: Rhythm,
  deliveries: number,
): IntervalChoice | OperationError {
  const delivery = deliveryRhythm(billing, deliveries);
  if (delivery === undefined) {
    const words = message('deliveriesUneven', { deliveries, rhythm: rhythmMessage(billing) });
    const fault = { field: ['interval'], message: words };
    return refuse('INTERVAL_NOT_OFFERED', fault, { offeredIntervals: offeredIntervals(wish) });
  }
  const policies = onSameDays(wish.now, { billing: { ...billing }, delivery });
  return 'message' in policies ? policies : { policies, plans: new Map() };
}

/**
 * Returns the plan's frequencies and days. Limits of cycles stay, but a plan's price comes with the plan's minimum of
 * orders.
 */
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

type NotOffered = {
  readonly field: 'interval' | 'sellingPlanId';
  readonly say: (offered: Message) => Message;
  /** The lines that have no such plan. */
  readonly without?: readonly OfferedLine[];
};

function notOffered(wish: IntervalWish, { field, say, without }: NotOffered): OperationError {
  const offered = offeredIntervals(wish);
  const fault = { field: [field], message: say(offeredMessage(offered)) };
  const lineIds = without && idsOf(without);
  return refuse('INTERVAL_NOT_OFFERED', fault, { offeredIntervals: offered, lineIds });
}

function idsOf(lines: readonly OfferedLine[]): string[] {
  return lines.map(({ id }) => id);
}

function ambiguous(wish: IntervalWish, plans: readonly SellingPlan[], billing: Rhythm): OperationError {
  const names = [...new Set(plans.map(({ name }) => name))].map((name) => message('quotedName', { name }));
  const words = message('plansSeveral', { rhythm: rhythmMessage(billing), plans: names });
  const details = { offeredIntervals: choosable(plans, wish) };
  return refuse('INTERVAL_NOT_OFFERED', { field: ['interval'], message: words }, details);
}
