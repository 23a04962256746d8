/**
 * Which plan a change takes for each line, what the next payment then costs, or the code that refuses it: worked out
 * apart from the service, from the rules of a payment's money. Prices are price-oracle.ts, in minor units.
 *
 * What these rules do not cover is not refused here: dates too close, contracts that ended, other currencies than the
 * shop's, arguments of a wrong shape.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  deliveriesOf,
  type Frequency,
  type Interval,
  lengthOf,
  nextPrice,
  priceUnder,
  type Step,
  sameForEachDelivery,
} from './price-oracle.ts';

type OracleAnchor = {
  readonly type: 'WEEKDAY' | 'MONTHDAY' | 'YEARDAY';
  readonly day: number;
  readonly month: number | null;
  readonly cutoffDay: number | null;
};

/** A plan as it is offered: of billing and delivery, and what it takes off. */
export type OraclePlan = {
  readonly id: number;
  readonly name: string;
  readonly position: number;
  readonly billing: Frequency;
  readonly delivery: Frequency;
  readonly anchors: readonly OracleAnchor[];
  readonly steps: readonly Step[];
};

export type OracleLine = {
  readonly id: string;
  readonly quantity: number;
  /** The price of one piece, for the whole payment. */
  readonly price: number;
  /** The base price of one delivery and the price steps of the line's sale. Null for a manual price. */
  readonly pricing: { readonly base: number; readonly steps: readonly Step[] } | null;
  readonly planId: number | null;
  /** All plans that its variant is sold under, of all groups. */
  readonly offers: readonly OraclePlan[];
};

export type OracleContract = {
  readonly billing: Frequency;
  readonly delivery: Frequency;
  readonly anchors: readonly OracleAnchor[];
  readonly deliveryPrice: number;
  /** Billed cycles, and one for a checkout's order. */
  readonly ordersMade: number;
  readonly lines: readonly OracleLine[];
};

export type Refusal = {
  readonly refused: 'ANCHORS_DO_NOT_FIT' | 'INTERVAL_NOT_OFFERED' | 'INVALID' | 'VARIANT_NOT_AVAILABLE';
};

/** `d` deliveries for each payment; `delivery` is null where it is only known to be billing ÷ d. */
export type Expected = {
  readonly billing: Frequency;
  readonly delivery: Frequency | null;
  readonly d: number;
  readonly anchors: readonly OracleAnchor[];
  readonly deliveryPrice: number;
  readonly lines: readonly ExpectedLine[];
};

/**
 * `planId` is null if no plan offers the line; then the plan that the line shows is not checked. `prices`, of one piece
 * and one payment, has two values if the rules are ambiguous: for a line without a plan for its interval, the price
 * with and without its own policy's discount.
 */
type ExpectedLine = {
  readonly id: string;
  readonly planId: number | null;
  readonly prices: readonly number[];
};

export type Acting = 'customer' | 'merchant';

const notOffered: Refusal = { refused: 'INTERVAL_NOT_OFFERED' };

/**
 * Returns the expected result of a change of the interval: by `interval` (the billing interval; d stays, so each line
 * takes the plan of that interval with the same d) or by `planId` (one line's plan; each other line takes its own plan
 * of equal policies and anchors).
 */
export function expectedInterval(
  contract: OracleContract,
  requested: { readonly interval: Frequency } | { readonly planId: number },
  acting: Acting,
): Expected | Refusal {
  const d = deliveriesOf(contract.billing, contract.delivery);
  if (d === null) return { refused: 'INVALID' };
  if ('planId' in requested) return byPlan(contract, requested.planId, acting);
  return byFrequency({ contract, d, interval: requested.interval, acting });
}

type Choice = { readonly line: OracleLine; readonly plan: OraclePlan | null };

type ByFrequency = { contract: OracleContract; d: number; interval: Frequency; acting: Acting };

function byFrequency({ contract, d, interval, acting }: ByFrequency): Expected | Refusal {
  const choices: Choice[] = [];
  for (const line of contract.lines) {
    const fitting = line.offers.filter(
      (plan) => isDeepStrictEqual(plan.billing, interval) && dOf(plan) === d,
    );
    if (fitting.some((plan) => !differOnlyInPlace(plan, fitting[0]))) return notOffered;
    const plan = firstOf(fitting);
    if (plan === null && acting === 'customer') return notOffered;
    choices.push({ line, plan });
  }
  return outcome(contract, { billing: interval, d, choices });
}

function byPlan(contract: OracleContract, planId: number, acting: Acting): Expected | Refusal {
  const named = contract.lines.flatMap(({ offers }) => offers).find(({ id }) => id === planId);
  const d = named === undefined ? null : dOf(named);
  if (named === undefined || d === null) return notOffered;
  const choices: Choice[] = [];
  for (const line of contract.lines) {
    const equal = line.offers.filter((plan) => isOfEqualPolicies(plan, named));
    const plan = equal.find(({ id }) => id === planId) ?? firstOf(equal);
    if (plan === null && (acting === 'customer' || line.planId !== null)) return notOffered;
    choices.push({ line, plan });
  }
  return outcome(contract, { billing: named.billing, d, choices });
}

type Terms = { readonly billing: Frequency; readonly d: number; readonly choices: readonly Choice[] };

/** Returns the result when each line has its plan, or no plan. */
function outcome(contract: OracleContract, { billing, d, choices }: Terms): Expected | Refusal {
  const oldD = deliveriesOf(contract.billing, contract.delivery) ?? 1;
  const plans = choices.flatMap(({ plan }) => plan ?? []);
  const [first] = plans;
  if (plans.some(({ anchors }) => !isDeepStrictEqual(anchors, first?.anchors))) return notOffered;
  if (first === undefined && lengthOf(billing).count % d !== 0) return notOffered;
  const anchors = first?.anchors ?? contract.anchors;
  if (anchors.some(({ type }) => type !== anchorOf[billing.interval]))
    return { refused: 'ANCHORS_DO_NOT_FIT' };
  const lines: ExpectedLine[] = [];
  for (const { line, plan } of choices) {
    const prices = pricesOf(line, plan, { oldD, d, ordersMade: contract.ordersMade });
    if (prices === null) return notOffered;
    lines.push({ id: line.id, planId: plan?.id ?? null, prices });
  }
  const deliveryPrice = sameForEachDelivery(contract.deliveryPrice, oldD, d);
  return { billing, delivery: first?.delivery ?? null, d, anchors, deliveryPrice, lines };
}

type Deal = { readonly oldD: number; readonly d: number; readonly ordersMade: number };

/**
 * Returns the possible prices of an unchanged line under a plan, or under no plan.
 * @returns null for a PRICE over several deliveries.
 */
function pricesOf({ pricing, price }: OracleLine, plan: OraclePlan | null, deal: Deal): number[] | null {
  const { oldD, d, ordersMade } = deal;
  if (plan !== null && d > 1 && plan.steps.some(({ type }) => type === 'PRICE')) return null;
  if (pricing === null) return [sameForEachDelivery(price, oldD, d)];
  const computed = [null, ...pricing.steps].map((step) => priceUnder(step, pricing.base, oldD));
  if (!computed.includes(price)) return [sameForEachDelivery(price, oldD, d)];
  const { base } = pricing;
  if (plan !== null) return [nextPrice(plan.steps, { base, d, ordersMade }) ?? 0];
  const own = nextPrice(pricing.steps, { base, d, ordersMade });
  return own === null ? null : [base * d, own];
}

/**
 * Returns the price of one added or replaced piece, at the catalogue's price of one delivery, under the plan that the
 * change uses. VARIANT_NOT_AVAILABLE: that plan does not have the contract's interval, or is a PRICE over several
 * deliveries. Unchanged lines keep their price, regardless of their quantity.
 */
export function expectedNewLine(
  contract: OracleContract,
  { base, plan }: { readonly base: number; readonly plan: OraclePlan },
): { readonly price: number } | Refusal {
  const d = deliveriesOf(contract.billing, contract.delivery);
  if (d === null) return { refused: 'INVALID' };
  const price = dOf(plan) === d ? nextPrice(plan.steps, { base, d, ordersMade: contract.ordersMade }) : null;
  const fits = isDeepStrictEqual(plan.billing, contract.billing) && price !== null;
  return fits ? { price } : { refused: 'VARIANT_NOT_AVAILABLE' };
}

const anchorOf: Record<Interval, OracleAnchor['type'] | null> = {
  DAY: null,
  WEEK: 'WEEKDAY',
  MONTH: 'MONTHDAY',
  YEAR: 'YEARDAY',
};

function dOf(plan: OraclePlan): number | null {
  return deliveriesOf(plan.billing, plan.delivery);
}

function isOfEqualPolicies(one: OraclePlan, other: OraclePlan): boolean {
  const policies = ({ billing, delivery, anchors }: OraclePlan) => [billing, delivery, anchors];
  return isDeepStrictEqual(policies(one), policies(other));
}

/** Whether a customer cannot distinguish the plans: same policies, name and prices. */
function differOnlyInPlace(one: OraclePlan, other: OraclePlan | undefined): boolean {
  return (
    other !== undefined &&
    isOfEqualPolicies(one, other) &&
    one.name === other.name &&
    isDeepStrictEqual(one.steps, other.steps)
  );
}

/** The lowest position first, then the oldest. */
function firstOf(plans: readonly OraclePlan[]): OraclePlan | null {
  return [...plans].sort((one, other) => one.position - other.position || one.id - other.id)[0] ?? null;
}
