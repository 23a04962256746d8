/** Billing cycles are the orders to come. What is billed or past is not offered. */

/**
 * @typedef {{
 *   cycleIndex: number, skipped: boolean, status: string, billingAttemptExpectedDate: string, cycleEndAt: string,
 * }} Cycle
 */

const YEAR_MS = 365 * 86_400_000;

/** The year that starts now, as the platform's range selector wants it. */
export function comingYear() {
  const now = Date.now();
  return { from: new Date(now).toISOString(), to: new Date(now + YEAR_MS).toISOString() };
}

/** @param {{ nodes: Cycle[] } | null} connection */
export function comingOrders(connection) {
  return (connection?.nodes ?? []).filter(({ status }) => status === 'UNBILLED');
}
