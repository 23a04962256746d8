/** A contract of an emulated store as the worker over stores' events reads it. */
import { requestDeadlineAtMs } from '../../../lib/platform/admin-api/admin-client.ts';
import type { SendWithinBudget } from '../../../lib/platform/admin-api/send-within-budget.ts';
import { readContractsWithBillingCycles } from '../../../lib/store-events/contracts/read-contracts.ts';
import type { ContractReading } from '../../../lib/timeline/append/observation.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import type { OperationWorld } from './operation-world.ts';

/** Sends at once. */
export function sendImmediately({
  client,
  platform,
}: Pick<OperationWorld, 'client' | 'platform'>): SendWithinBudget {
  return ({ endAtMs: _end, expectedCost: _cost, ...operation }) =>
    client({ ...operation, deadlineAtMs: requestDeadlineAtMs(platform.holder.nowMs) });
}

export async function readingOf(world: OperationWorld, contract: number): Promise<ContractReading> {
  const now = () => world.platform.holder.nowMs;
  const deps = { sendWithinBudget: sendImmediately(world), platformGidNamespace: 'shopify', now };
  const run = { store: world.store, endAtMs: now() + 60_000 };
  const [reading] = await readContractsWithBillingCycles(deps, run, [String(contract) as ContractNumber]);
  if (reading === undefined) throw new Error(`no contract ${contract}`);
  return reading;
}
