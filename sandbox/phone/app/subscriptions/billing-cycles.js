/** Billing cycles are the orders to come. What is billed or past is not offered. */

/**
 * @typedef {{
 *   cycleIndex: number, skipped: boolean, status: string, billingAttemptExpectedDate: string, cycleEndAt: string,
 * }} Cycle
 */

/** @param {{ nodes: Cycle[] } | null} connection */
export function comingOrders(connection) {
  return (connection?.nodes ?? []).filter(({ status }) => status === 'UNBILLED');
}
