/** Counts the orders that a contract has had. Minimum cycles, limits and price steps use this count. */

/** The selection on a contract. */
export const ORIGIN_ORDER = 'originOrder { id }';

/** The state that the selection and the root return. `cycles` is null when the contract has none. */
export type OrdersState = {
  readonly originOrder: { readonly id: string } | null;
  readonly cycles: { readonly nodes: readonly { readonly status: string }[] } | null;
};

/** Earlier than any contract. */
const START = '2010-01-01T00:00:00Z';

/** The value of the dates variable: all cycles until now. */
export function cyclesUntil(nowMs: number): { readonly startDate: string; readonly endDate: string } {
  return { startDate: START, endDate: new Date(nowMs).toISOString() };
}

export const CYCLES_UNTIL_TYPE = 'SubscriptionBillingCyclesDateRangeSelector!';

/** The root that selects the first 250 cycles; no price step begins later. Both arguments are names of variables. */
export function cyclesRoot(contractId: string, dates: string): string {
  return `subscriptionBillingCycles(contractId: ${contractId}, billingCyclesDateRangeSelector: ${dates}, first: 250) { nodes { status } }`;
}

/** Counts the billed cycles, and one for the checkout that created the contract: it has no cycle. */
export function ordersMade({ originOrder, cycles }: OrdersState): number {
  const billed = cycles?.nodes.filter(({ status }) => status === 'BILLED').length ?? 0;
  return billed + (originOrder === null ? 0 : 1);
}
