/** The cost of a client's request at the platform, over all the requests that it took. */
import type { PlatformCost } from '../../lib/platform/admin-api/admin-answer.ts';
import type { SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';

/** A `send` that notes the cost of each answer. */
export function collecting(send: SendAdminOperation, costs: PlatformCost[]): SendAdminOperation {
  return async (operation) => {
    const answer = await send(operation);
    if (answer.cost !== undefined) costs.push(answer.cost);
    return answer;
  };
}

/**
 * Returns the sum of the points with the last state of the bucket.
 * @returns undefined when the platform reported no cost.
 */
export function sumOf(costs: readonly PlatformCost[]): PlatformCost | undefined {
  const last = costs.at(-1);
  if (last === undefined || costs.length === 1) return last;
  const total = (numbers: readonly (number | null)[]) => numbers.reduce<number>((a, b) => a + (b ?? 0), 0);
  return {
    requestedQueryCost: total(costs.map((cost) => cost.requestedQueryCost)),
    actualQueryCost: total(costs.map((cost) => cost.actualQueryCost)),
    throttleStatus: last.throttleStatus,
  };
}
