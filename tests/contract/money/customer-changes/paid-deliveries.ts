/**
 * Another interval has no order before the paid deliveries, unless the customer requests a date, and no earlier order
 * than before while the store gives something free with each delivery.
 */
import { findCycleAt, listCyclesBetween } from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS } from '../../../../sandbox/platform/state/instant.ts';
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';
import type { Request } from './changes.ts';

/** The cycles ahead that are read: more than those of the longest payment. */
const AHEAD = 40;

/** Whether the next order comes before a delivery that is paid for. */
export function overlapsDeliveries(store: StoreState, contract: ContractRecord, nowMs: number): boolean {
  const first = findCycleAt(contract, nowMs)?.index ?? 1;
  const next = listCyclesBetween(contract, first, first + AHEAD).find(
    ({ billed, skipped, expectedMs }) => !billed && !skipped && expectedMs > nowMs,
  );
  const orders = [...store.orders.values()].filter(({ contractId }) => contractId === contract.id);
  const paidMs = orders.flatMap(({ deliveriesDue }) => deliveriesDue).map((dueAt) => Date.parse(dueAt));
  return next !== undefined && paidMs.some((dueMs) => dueMs > next.expectedMs);
}

/**
 * The ends of some unpaid cycles to come, whether their orders are skipped or moved. Not of the first two: from two days of
 * two weeks to a week, a customer has the same number of orders, and the first ones come on other days.
 */
export function laterCycleEnds(contract: ContractRecord, nowMs: number): number[] {
  const first = findCycleAt(contract, nowMs)?.index ?? 1;
  const ahead = listCyclesBetween(contract, first, first + AHEAD).filter(
    ({ billed, endMs }) => !billed && endMs > nowMs,
  );
  return ahead.map(({ endMs }) => endMs).slice(2, 8);
}

/** Whether a request is one for another interval, with no date of the customer's own. */
export function isUndated(request: Request): boolean {
  return request.name === 'interval' && request.days == null;
}

/** Whether the order on the date that a request names for the next one is paid, so that no order can be moved there. */
export function isPaidOn(contract: ContractRecord, request: Request, nowMs: number): boolean {
  if (request.name !== 'interval' || request.days == null) return false;
  return findCycleAt(contract, nowMs + request.days * DAY_MS)?.billed === true;
}
