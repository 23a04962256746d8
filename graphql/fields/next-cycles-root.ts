/** The root that reads a contract's next cycles: in the first request if the contract is known, else after it. */
import { NEXT_CYCLE_SELECTION } from '../../lib/subscriptions/cycles/next-order.ts';

/** The number of cycles that almost always contain the next order. */
export const FIRST_PAGE_CYCLES = 3;

/** The key of the cycles in a contract of the response that already has them. */
export const NEXT_CYCLES_KEY = '_svcNextCycles';

/** Returns the root's arguments, except `contractId`, and its selection. `range`: two variables; `page`: `first: 3`. */
export function buildNextCyclesRootField(
  range: { readonly from: string; readonly to: string },
  page: string,
) {
  return {
    args: `billingCyclesDateRangeSelector: { startDate: ${range.from}, endDate: ${range.to} }, ${page}`,
    selection: `{ nodes { ${NEXT_CYCLE_SELECTION} } pageInfo { hasNextPage endCursor } }`,
  };
}
