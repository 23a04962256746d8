/**
 * Limits the dry runs of a contract. Each one opens a draft that is never committed, and the platform publishes
 * neither how long drafts live nor how many can be open.
 */
import { gidTail } from '../../domain/gid.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { CooldownRef } from '../../storage/cooldowns.ts';
import type { OperationDeps } from '../operation.ts';
import type { LimitedTry, TryLimit } from './limited-tries.ts';

const DRY_RUN_LIMIT: TryLimit = { maximum: 30, windowMs: 60 * 60_000 };

type Deps = Pick<OperationDeps, 'now' | 'store'> & {
  readonly countTry: (ref: CooldownRef, limit: TryLimit) => Promise<LimitedTry>;
};

/**
 * Counts a dry run of the contract.
 * @throws THROTTLED when the contract has had 30 dry runs in the hour that started with the first one
 */
export async function countDryRun(
  { store: { shopId }, now, countTry }: Deps,
  contractId: string,
): Promise<void> {
  const tryResult = await countTry({ shopId, action: 'dryRun', subject: gidTail(contractId) }, DRY_RUN_LIMIT);
  if (tryResult.outcome === 'counted') return;
  const retryAfterSeconds = Math.max(1, Math.ceil((tryResult.untilMs - now()) / 1000));
  throw new ServiceError('THROTTLED', { internal: 'too many dry runs of a contract', retryAfterSeconds });
}
