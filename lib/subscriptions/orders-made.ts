/** Minimum, limits and steps of prices go by one count: the orders that a contract has had. */

/** The selection below a contract. */
export const ORIGIN_ORDER = 'originOrder { id }';

/** The state that the selection and the root bring. Cycles are null where the contract has none. */
export type OrdersState = {
  readonly originOrder: { readonly id: string } | null;
  readonly cycles: { readonly nodes: readonly { readonly status: string }[] } | null;
};

/** No contract is older. */
const START = '2010-01-01T00:00:00Z';

/** A variable's value: cycles from the contract's making until now. */
export function cyclesUntil(nowMs: number): { readonly startDate: string; readonly endDate: string } {
  return { startDate: START, endDate: new Date(nowMs).toISOString() };
}

export const CYCLES_UNTIL_TYPE = 'SubscriptionBillingCyclesDateRangeSelector!';

/** The root that brings the first 250 cycles: no step of a price begins later. The arguments are variables. */
export function cyclesRoot(contractId: string, dates: string): string {
  return `subscriptionBillingCycles(contractId: ${contractId}, billingCyclesDateRangeSelector: ${dates}, first: 250) { nodes { status } }`;
}

/** Billed cycles, and one for the order of a checkout that the contract came from: it is no cycle. */
export function ordersMade({ originOrder, cycles }: OrdersState): number {
  const billed = cycles?.nodes.filter(({ status }) => status === 'BILLED').length ?? 0;
  return billed + (originOrder === null ? 0 : 1);
}
