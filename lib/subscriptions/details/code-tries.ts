/**
 * Limits how many wrong discount codes a customer can try in an hour. After that, no code is tried until the hour is
 * over. A key that acts in its own name is the merchant's, who knows the codes.
 */
import { ifAnswered } from '../../errors/if-answered.ts';
import { type Message, message } from '../../messages/message.ts';
import type { CooldownRef } from '../../storage/cooldowns.ts';
import type { OperationDeps } from '../operation.ts';
import type { OperationError, OperationOutcome } from '../operation-error.ts';
import type { LimitedTry, TryLimit } from './limited-tries.ts';

/** Applying a code also needs the counter of tries. */
export type CodeTryDeps = OperationDeps & {
  /** Counts a try for this request. */
  readonly countTry: (ref: CooldownRef, limit: TryLimit) => Promise<LimitedTry>;
};

/**
 * Counts the request's try, once for any number of calls. Returns the refusal message when the code must not be
 * tried.
 */
export type CountTry = () => Promise<Message | undefined>;

const MINUTE_MS = 60_000;
const LIMIT: TryLimit = { maximum: 10, windowMs: 60 * MINUTE_MS };

/**
 * Runs an operation that calls `CountTry` immediately before it sends the code to the platform. The try remains
 * counted if `isWrongCode` is true for an error of the outcome; no other outcome is a guess.
 */
export async function countCodeTries(
  { countTry, actingCustomerId, store: { shopId }, now }: CodeTryDeps,
  isWrongCode: (error: OperationError) => boolean,
  run: (countTry: CountTry) => Promise<OperationOutcome>,
): Promise<OperationOutcome> {
  let counted: LimitedTry | undefined;
  const countOnce: CountTry = async () => {
    if (actingCustomerId === undefined) return undefined;
    const ref = { shopId, action: 'discountCode', subject: String(actingCustomerId) };
    counted ??= await countTry(ref, LIMIT);
    if (counted.outcome === 'counted') return undefined;
    return message('codesTried', { minutes: Math.max(1, Math.ceil((counted.untilMs - now()) / MINUTE_MS)) });
  };
  let isWrong = false;
  try {
    const outcome = await run(countOnce);
    isWrong = outcome.userErrors.some(isWrongCode);
    return outcome;
  } finally {
    // If the refund fails, the customer has one try less, and still gets the response.
    if (!isWrong && counted?.outcome === 'counted') await ifAnswered(counted.refund);
  }
}
