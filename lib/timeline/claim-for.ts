/** Claims a key for a change whose intent is written. The platform is asked after that. */
import { ServiceError } from '../errors/service-error.ts';
import { claimKey } from '../storage/claim-key.ts';
import type { ClaimedKey } from '../storage/idempotency-record.ts';
import { dropIntent, type EndDeps } from './end-intent.ts';
import type { OpenIntent } from './open-intent.ts';

/**
 * Claims the key of a change whose intent is written. The intent goes if the key cannot be had:
 * IDEMPOTENCY_CONCURRENT_REQUEST if another request has it, TEMPORARILY_UNAVAILABLE.
 */
export async function claimFor(deps: EndDeps, key: ClaimedKey, open: OpenIntent): Promise<void> {
  const isOwn = await claimKey(deps, key, { intent: open }).catch(async (error: unknown) => {
    await withdraw(deps, open);
    throw error;
  });
  if (isOwn) return;
  await withdraw(deps, open);
  throw concurrentRequest(1);
}

/** An intent that stays is settled as not done: the claim does not name it. */
async function withdraw(deps: EndDeps, open: OpenIntent): Promise<void> {
  await dropIntent(deps, open).catch(() => undefined);
}

/** The first request with the key has not ended; when to ask again. */
export function concurrentRequest(retryAfterSeconds: number): ServiceError {
  return new ServiceError('IDEMPOTENCY_CONCURRENT_REQUEST', {
    retryAfterSeconds,
    extensions: { retryAfterSeconds },
  });
}
