/** How often it comes: what the plans of the products offer, and the change to it. */
import { execute } from '../service/graphql.js';
import { change } from './change.js';
import { INTERVALS } from './documents.js';

const INTERVAL = `mutation Interval($id: ID!, $interval: SubscriptionIntervalInput!) {
  subscriptionContractIntervalUpdate(contractId: $id, interval: $interval) {
    droppedEdits { skipped originalDate movedTo reason }
    userErrors { field message }
  }
}`;

const DAYS = { DAY: 1, WEEK: 7, MONTH: 30, YEAR: 365 };

/**
 * @typedef {{ interval: keyof typeof DAYS, intervalCount: number }} Interval
 * @typedef {{ skipped: boolean, originalDate: string | null, movedTo: string | null, reason: string }} DroppedEdit
 */

/** The shortest first, each once. @param {string} id @returns {Promise<Interval[]>} */
export async function loadIntervals(id) {
  const { subscriptionIntervalInfo } = await execute(INTERVALS, { id });
  /** @type {Map<string, Interval>} */
  const intervals = new Map();
  for (const group of subscriptionIntervalInfo.sellingPlanGroups.nodes) {
    for (const { deliveryPolicy } of group.sellingPlans.nodes) {
      const { interval, intervalCount } = deliveryPolicy;
      if (interval !== undefined) intervals.set(`${intervalCount} ${interval}`, { interval, intervalCount });
    }
  }
  return [...intervals.values()].sort((one, other) => daysOf(one) - daysOf(other));
}

/** @param {Interval} interval */
function daysOf({ interval, intervalCount }) {
  return DAYS[interval] * intervalCount;
}

/** @param {string} id @param {Interval} interval @returns {Promise<DroppedEdit[]>} What found no place in the new plan. */
export async function changeInterval(id, interval) {
  const { droppedEdits } = await change(INTERVAL, { id, interval });
  return droppedEdits;
}
