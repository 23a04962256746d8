/** One root brings a contract's next cycles: with the first request where the contract is known, else after it. */
import { NEXT_CYCLE, type NextCycle } from '../../lib/subscriptions/cycles/next-order.ts';

/** The number of cycles that nearly always hold the next order. */
export const FIRST_CYCLES = 3;

/** The key under which a contract of an answer holds them already. */
export const NEXT_CYCLES = '_svcNextCycles';

export type CyclePage = {
  readonly nodes: readonly NextCycle[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** The root's arguments, but for `contractId`, and its selection. `range`: two variables; `page`: `first: 3`. */
export function nextCyclesRoot(range: { readonly from: string; readonly to: string }, page: string) {
  return {
    args: `billingCyclesDateRangeSelector: { startDate: ${range.from}, endDate: ${range.to} }, ${page}`,
    selection: `{ nodes { ${NEXT_CYCLE} } pageInfo { hasNextPage endCursor } }`,
  };
}
