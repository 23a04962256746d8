/**
 * Runs changes of one object one at a time, because each depends on the state that the change before it has left. The
 * lease on the object is stored as a cooldown.
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
  const leaseHolder = idempotentRequest?.itemKey.pk ?? requestId;
  const durationMs = Math.max(0, deadlineAtMs - now()) + MAX_LATE_CHANGE_MS;
  const otherLease = await cooldowns.start(ref, { holder: leaseHolder, durationMs });
  if (idempotentRequest !== undefined && otherLease?.holder === leaseHolder)
    throw concurrentIdempotentRequestError(1);
  if (otherLease !== undefined)
    throw new ServiceError('THROTTLED', { internal: `another ${action} is running`, retryAfterSeconds: 1 });
  // A lease that cannot be released expires: the client must still get the platform's response.
  const releaseLease = () => cooldowns.release(ref, leaseHolder).catch(() => undefined);
  try {
    const changeResponse = await change();
    if (readMutationOutcome(changeResponse, key).outcome !== 'unknown') await releaseLease();
    return changeResponse;
  } catch (error) {
    if (provesNothingChanged(error)) await releaseLease();
    throw error;
  }
}
