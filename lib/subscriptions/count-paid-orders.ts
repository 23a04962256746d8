/**
 * Counts the paid orders of a contract. The minimum and the maximum number of cycles and the price steps of plans
 * depend on this count.
 */

/** The selection of the contract's first order, which the checkout created. */
export const ORIGIN_ORDER_SELECTION = 'originOrder { id }';

/**
 * The data that `ORIGIN_ORDER_SELECTION` and `buildCyclesRootField` select. `cycles` is null when the contract has no
 * cycles.
 */
export type PaidOrdersState = {
  readonly originOrder: { readonly id: string } | null;
  readonly cycles: { readonly nodes: readonly { readonly status: string }[] } | null;
};

/** A date before any contract was created. */
const BEFORE_ANY_CONTRACT_DATE = '2010-01-01T00:00:00Z';

/** Returns a date range that contains all cycles from the first one until now. */
export function cyclesUntilNowRange(nowMs: number): { readonly startDate: string; readonly endDate: string } {
  return { startDate: BEFORE_ANY_CONTRACT_DATE, endDate: new Date(nowMs).toISOString() };
}

export const CYCLES_UNTIL_VARIABLE_TYPE = 'SubscriptionBillingCyclesDateRangeSelector!';

/**
 * Builds the root field that reads the first 250 cycles of a date range. More are not needed, because no price step
 * starts later. Both parameters are names of GraphQL variables, such as `$name`.
 */
export function buildCyclesRootField(contractIdVariable: string, dateRangeVariable: string): string {
  return `subscriptionBillingCycles(contractId: ${contractIdVariable}, billingCyclesDateRangeSelector: ${dateRangeVariable}, first: 250) { nodes { status } }`;
}

/** Builds the parts of a `StateSelection` that read `_svcCycles`, the cycles of the contract until now. */
export function buildPaidOrdersReads(nowMs: number) {
  return {
    rootFields: `_svcCycles: ${buildCyclesRootField('$_svcContractId', '$_svcUntil')}`,
    declarations: [`$_svcUntil: ${CYCLES_UNTIL_VARIABLE_TYPE}`],
    variables: { _svcUntil: cyclesUntilNowRange(nowMs) },
  };
}

/** Counts the billed cycles, plus one for the checkout that created the contract, because the checkout has no cycle. */
export function countPaidOrders({ originOrder, cycles }: PaidOrdersState): number {
  const billedCount = cycles?.nodes.filter(({ status }) => status === 'BILLED').length ?? 0;
  return billedCount + (originOrder === null ? 0 : 1);
}

/** How many orders are paid before an order, the checkout's included: `max` if all open payments succeed. */
export type OrderCounts = { readonly min: number; readonly max: number };

/** The counts when they could not be read. */
export const UNKNOWN_ORDER_COUNTS: OrderCounts = { min: 0, max: Number.POSITIVE_INFINITY };

/**
 * Counts the orders before an order of a contract, given by the index of its cycle and by its date.
 * @returns undefined when the service does not set the prices of that order
 */
export type CountOrdersBefore = (order: {
  readonly cycleIndex: number;
  readonly billingAttemptExpectedDate: string;
}) => OrderCounts | undefined;
