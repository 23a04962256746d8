/**
 * A customer does not guess discount codes: so many wrong ones in an hour, and no code is tried until it is over, right or
 * wrong. A key in its own name is the merchant's, who knows the codes.
 */
import { ifAnswered } from '../../errors/if-answered.ts';
import { type Message, message } from '../../messages/message.ts';
import type { CooldownRef } from '../../storage/cooldowns.ts';
import type { OperationDeps } from '../operation.ts';
import type { OperationError, OperationOutcome } from '../operation-error.ts';
import type { LimitedTry, TryLimit } from './limited-tries.ts';

/** What applying a code is given beside what every operation is. */
export type CodeTryDeps = OperationDeps & {
  /** Counts a try for this request. */
  readonly countTry: (ref: CooldownRef, limit: TryLimit) => Promise<LimitedTry>;
};

/** Counts the request's try, once however often it is called; why the code must not be tried, if it must not. */
type CountTry = () => Promise<Message | undefined>;

const MINUTE_MS = 60_000;
const LIMIT: TryLimit = { most: 10, windowMs: 60 * MINUTE_MS };

/**
 * Runs an operation that calls `CountTry` right before it sends the code to the platform. The try stays counted if
 * `isWrongCode` holds for an error of the outcome; any other outcome is not a guess.
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
    // Who is not given it back has a try less, and the answer all the same.
    if (!isWrong && counted?.outcome === 'counted') await ifAnswered(counted.giveBack);
  }
}
