/** The frequency of a subscription: the offers of the products' plans, their prices, and the change. */
import { execute } from '../session/graphql.js';
import { change } from './change.js';
import { INTERVALS } from './documents.js';
import { fromMinor, linesPrice, toMinor } from './interval-price.js';

const INTERVAL = `mutation Interval($key: String!, $id: ID!, $interval: SubscriptionIntervalInput!) {
  subscriptionContractIntervalUpdate(contractId: $id, interval: $interval) @idempotent(key: $key) {
    droppedEdits { skipped originalDate movedTo reason }
    userErrors { field message }
  }
}`;

const DAYS = { DAY: 1, WEEK: 7, MONTH: 30, YEAR: 360 };
/** Before any subscription. */
const START = '2010-01-01T00:00:00Z';

/**
 * @typedef {{ interval: keyof typeof DAYS, intervalCount: number }} Interval
 * @typedef {{ skipped: boolean, originalDate: string | null, movedTo: string | null, reason: string }} DroppedEdit
 * @typedef {{ billingPolicy: Interval, deliveryPolicy: Interval }} Frequency
 * @typedef {import('./interval-price.js').PricedPlan & Frequency} Plan
 * @typedef {import('../messages/format.js').Money} Money
 * @typedef {Frequency & {
 *   originOrder: object | null, currencyCode: string, deliveryPrice: Money, discounts: { nodes: object[] },
 *   lines: { nodes: import('./interval-price.js').PricedLine[], pageInfo: { hasNextPage: boolean } },
 * }} Contract
 * @typedef {Frequency & { price: Money | undefined }} Offer
 *   `price`: of each payment, including delivery; undefined when it cannot be computed.
 */

/**
 * Returns the frequencies for which every line has a plan, shortest first.
 * @param {string} id
 * @returns {Promise<Offer[]>}
 */
export async function loadIntervals(id) {
  const data = await execute(INTERVALS, { id, start: START, now: new Date().toISOString() });
  /** @type {{ sellingPlans: { nodes: Plan[] } }[]} */
  const groups = data.subscriptionIntervalInfo.sellingPlanGroups.nodes;
  const contract = data.subscriptionContract;
  const terms = {
    ordersMade: ordersMade(contract, data.subscriptionBillingCycles.nodes),
    deliveries: deliveriesOf(contract),
    currencyCode: contract.currencyCode,
  };
  const plans = groups.map(({ sellingPlans }) =>
    sellingPlans.nodes.filter((plan) => deliveriesOf(plan) === terms.deliveries),
  );
  /** @type {Map<number, Offer>} */
  const offers = new Map();
  for (const { billingPolicy, deliveryPolicy } of plans.flat()) {
    const days = daysOf(billingPolicy);
    const pairs = pairsOf(contract, plans, days);
    if (pairs !== undefined)
      offers.set(days, { billingPolicy, deliveryPolicy, price: priceOf(contract, pairs, terms) });
  }
  return [...offers].sort(([one], [other]) => one - other).map(([, offer]) => offer);
}

/**
 * Returns the number of orders; the checkout's order counts, although it is not a billing cycle.
 * @param {Contract} contract
 * @param {{ status: string }[]} cycles
 */
function ordersMade({ originOrder }, cycles) {
  return cycles.filter(({ status }) => status === 'BILLED').length + (originOrder === null ? 0 : 1);
}

/**
 * Returns the number of deliveries for one payment.
 * @param {Frequency} frequency
 */
function deliveriesOf({ billingPolicy, deliveryPolicy }) {
  return daysOf(billingPolicy) / daysOf(deliveryPolicy);
}

/** A plan that does not repeat has no interval. @param {Interval} policy */
function daysOf({ interval, intervalCount }) {
  return DAYS[interval] * intervalCount;
}

/**
 * Returns each line with its possible plans, from its own plan's group, or undefined when a line has none.
 * @param {Contract} contract
 * @param {Plan[][]} groups
 * @param {number} days
 */
function pairsOf({ lines }, groups, days) {
  const pairs = lines.nodes.map((line) => {
    const own = groups.filter((plans) => plans.some(({ id }) => id === line.sellingPlanId)).flat();
    return { line, plans: own.filter(({ billingPolicy }) => daysOf(billingPolicy) === days) };
  });
  return pairs.every(({ plans }) => plans.length > 0) ? pairs : undefined;
}

/**
 * @param {Contract} contract
 * @param {NonNullable<ReturnType<typeof pairsOf>>} pairs
 * @param {import('./interval-price.js').Terms} terms
 */
function priceOf({ deliveryPrice, discounts, lines }, pairs, terms) {
  // Only the platform can compute a discount on the new price.
  if (discounts.nodes.length > 0 || lines.pageInfo.hasNextPage) return undefined;
  if (pairs.some(({ plans }) => plans.length > 1)) return undefined;
  const sum = linesPrice(
    pairs.flatMap(({ line, plans }) => plans.map((plan) => ({ line, plan }))),
    terms,
  );
  return sum === undefined ? undefined : fromMinor(sum + toMinor(deliveryPrice), terms.currencyCode);
}

/**
 * @param {string} id
 * @param {Interval} interval Of billing.
 * @returns {Promise<DroppedEdit[]>} The edits that do not fit the new plan.
 */
export async function changeInterval(id, { interval, intervalCount }) {
  const { droppedEdits } = await change(INTERVAL, { id, interval: { interval, intervalCount } });
  return droppedEdits;
}
