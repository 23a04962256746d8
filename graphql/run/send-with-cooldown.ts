/**
 * A forwarded mutation may reach a person, for example by an e-mail. During its cooldown it is not sent again, and the
 * client gets a user error with the time of the next attempt.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import { createCooldownRepository } from '../../lib/storage/cooldowns.ts';
import type { OperationError } from '../../lib/subscriptions/operation-error.ts';
import { concurrentIdempotentRequestError } from '../../lib/timeline/idempotency-records.ts';
import { readMutationOutcome } from '../compile/outcome-selection.ts';
import type { Cooldown } from '../plan/forwarded-change.ts';
import type { RunContext } from '../plan/run-context.ts';

export type CooldownChange = {
  readonly cooldown: Cooldown;
  /** The mutation's name. */
  readonly action: string;
  /** The response key of the mutation. */
  readonly key: string;
  /** The id of the mutation's object in the platform's namespace, because a client can write an id in several ways. */
  readonly subject: string;
};

const MINUTE_MS = 60_000;

/**
 * Sends the mutation unless its cooldown is under way. After a lost response the cooldown stays.
 * @returns the response, or why the mutation is not sent now
 * @throws TEMPORARILY_UNAVAILABLE, with nothing sent, when the cooldown cannot be written
 * @throws IDEMPOTENCY_CONCURRENT_REQUEST when a request with the same idempotency key started the cooldown: the client
 * tries again and gets that request's response
 */
export async function sendWithCooldown<Response extends AdminResponse>(
  { table, now, store, requestId, idempotentRequest }: RunContext,
  { cooldown, action, key, subject }: CooldownChange,
  send: () => Promise<Response>,
): Promise<Response | { readonly refusal: OperationError }> {
  const cooldowns = createCooldownRepository({ table, now });
  const ref = { shopId: store.shopId, action, subject };
  const durationMs = cooldown.minutes * MINUTE_MS;
  const cooldownHolder = idempotentRequest?.itemKey.pk ?? requestId;
  const runningCooldown = await cooldowns.start(ref, { holder: cooldownHolder, durationMs });
  if (idempotentRequest !== undefined && runningCooldown?.holder === cooldownHolder)
    throw concurrentIdempotentRequestError(1);
  if (runningCooldown !== undefined)
    return { refusal: createCooldownError(cooldown, runningCooldown.untilMs - now()) };
  // If the cooldown cannot be released, it expires: the client must still get the platform's response.
  const releaseCooldown = () => cooldowns.release(ref, cooldownHolder).catch(() => undefined);
  try {
    const platformResponse = await send();
    if (readMutationOutcome(platformResponse, key).outcome === 'refused') await releaseCooldown();
    return platformResponse;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'OUTCOME_UNKNOWN') await releaseCooldown();
    throw error;
  }
}

function createCooldownError({ field, refusal }: Cooldown, remainingMs: number): OperationError {
  return refusal(field, Math.max(1, Math.ceil(remainingMs / MINUTE_MS)));
}
