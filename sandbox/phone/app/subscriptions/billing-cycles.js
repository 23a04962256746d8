/** Billing cycles are the upcoming orders. Billed and past cycles are not offered. */

/**
 * @typedef {{
 *   cycleIndex: number, skipped: boolean, status: string, billingAttemptExpectedDate: string, cycleEndAt: string,
 * }} Cycle
 */

/** @param {{ nodes: Cycle[] } | null} connection */
export function comingOrders(connection) {
  return (connection?.nodes ?? []).filter(({ status }) => status === 'UNBILLED');
}
