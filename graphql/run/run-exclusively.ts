/**
 * Changes of one object that run one at a time, because each depends on the state that the one before has left. The
 * lease is an item of the table with the cooldowns.
 */
import { provesNothingChanged } from '../../lib/errors/is-outcome-unknown.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import { createCooldownRepository } from '../../lib/storage/cooldowns.ts';
import { concurrentIdempotentRequestError } from '../../lib/timeline/idempotency-records.ts';
import { readMutationOutcome } from '../compile/outcome-selection.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { CooldownChange } from './send-with-cooldown.ts';

/** How long the platform may still make a change whose request has ended. */
const MAX_LATE_CHANGE_MS = 30_000;

/**
 * Makes the change while no other request changes the same object. After a lost response the lease stays until it
 * expires, because the platform may still make the change.
 * @throws THROTTLED, with nothing sent, when another request is changing the object: the client tries again
 * @throws IDEMPOTENCY_CONCURRENT_REQUEST when that request has the same idempotency key
 * @throws TEMPORARILY_UNAVAILABLE, with nothing sent, when the lease cannot be written
 */
export async function runExclusively<Response extends AdminResponse>(
  { table, now, store, requestId, idempotentRequest, deadlineAtMs }: RunContext,
  { action, key, subject }: Omit<CooldownChange, 'cooldown'>,
  change: () => Promise<Response>,
): Promise<Response> {
  const cooldowns = createCooldownRepository({ table, now });
  const ref = { shopId: store.shopId, action, subject };
  const cooldownHolder = idempotentRequest?.itemKey.pk ?? requestId;
  const durationMs = Math.max(0, deadlineAtMs - now()) + MAX_LATE_CHANGE_MS;
  const runningCooldown = await cooldowns.start(ref, { holder: cooldownHolder, durationMs });
  if (idempotentRequest !== undefined && runningCooldown?.holder === cooldownHolder)
    throw concurrentIdempotentRequestError(1);
  if (runningCooldown !== undefined)
    throw new ServiceError('THROTTLED', { internal: `another ${action} is running`, retryAfterSeconds: 1 });
  // A lease that cannot be released expires: the client must still get the platform's response.
  const releaseCooldown = () => cooldowns.release(ref, cooldownHolder).catch(() => undefined);
  try {
    const changeResponse = await change();
    if (readMutationOutcome(changeResponse, key).outcome !== 'unknown') await releaseCooldown();
    return changeResponse;
  } catch (error) {
    if (provesNothingChanged(error)) await releaseCooldown();
    throw error;
  }
}
