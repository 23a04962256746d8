/** Reads what counts the orders of the contracts of a response whose lines have price steps. */
import { type ContractToCount, readOrderCounts } from '../../lib/billing/preview/read-order-counts.ts';
import { ignoreServiceError } from '../../lib/errors/ignore-service-error.ts';
import { type CountOrdersBefore, UNKNOWN_ORDER_COUNTS } from '../../lib/subscriptions/count-paid-orders.ts';
import type { SendToPlatform } from '../../lib/subscriptions/operation.ts';
import { hasSteps, type SteppedContent } from '../../lib/subscriptions/selling-plans/step-prices.ts';
import type { RunContext } from '../plan/run-context.ts';

/**
 * Returns what counts the orders, by contract id: empty where the service does not bill, or no contract has price steps.
 * If that cannot be read, the counts are unknown, and the rest of the response is returned. One request for all contracts.
 */
export async function readCountsOfSteppedContracts(
  { table, now, store, send, deadlineAtMs }: RunContext,
  contracts: readonly (ContractToCount & { readonly content: SteppedContent })[],
): Promise<ReadonlyMap<string, CountOrdersBefore>> {
  const steppedContracts = contracts.filter(({ content }) => content._svcNextLines.nodes.some(hasSteps));
  const contractById = new Map(steppedContracts.map((contract) => [contract.id, contract]));
  const sendToPlatform: SendToPlatform = (request) =>
    send({ ...request, store, deadlineAtMs, costKey: `order counts ${contractById.size}` });
  const countsById = await ignoreServiceError(() =>
    readOrderCounts({ table, now, store, sendToPlatform }, [...contractById.values()]),
  );
  return countsById ?? new Map([...contractById.keys()].map((id) => [id, () => UNKNOWN_ORDER_COUNTS]));
}
