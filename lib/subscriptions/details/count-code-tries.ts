/**
 * Limits how many wrong discount codes a customer can try within an hour. After that, the service refuses every code
 * until the hour is over. Requests that act for no customer are not limited: they come from the merchant, who knows the
 * codes.
 */
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { CooldownRef } from '../../storage/cooldowns.ts';
import type { OperationDeps } from '../operation.ts';
import type { OperationError, OperationOutcome } from '../operation-error.ts';
import type { LimitedTry, TryLimit } from './limited-tries.ts';

/** The dependencies of an operation that tries discount codes. */
export type CodeTryDeps = OperationDeps & {
  /** Counts one try of a discount code against the limit of the customer. */
  readonly countTry: (ref: CooldownRef, limit: TryLimit) => Promise<LimitedTry>;
};

/**
 * Counts the try of this request, only once even if it is called several times. Returns the refusal message when the
 * customer has no try left.
 */
export type CountCodeTry = () => Promise<Message | undefined>;

const MINUTE_MS = 60_000;
const CODE_TRY_LIMIT: TryLimit = { maximum: 10, windowMs: 60 * MINUTE_MS };

/**
 * Runs an operation that must call its `CountCodeTry` immediately before it sends the code to the platform. Refunds
 * the try afterwards, unless `isWrongCode` is true for one of the user errors.
 */
export async function countCodeTries(
  { countTry, actingCustomerId, store: { shopId }, now }: CodeTryDeps,
  isWrongCode: (error: OperationError) => boolean,
  run: (countTry: CountCodeTry) => Promise<OperationOutcome>,
): Promise<OperationOutcome> {
  let codeTry: LimitedTry | undefined;
  const countOnce: CountCodeTry = async () => {
    if (actingCustomerId === undefined) return undefined;
    const ref = { shopId, action: 'discountCode', subject: String(actingCustomerId) };
    codeTry ??= await countTry(ref, CODE_TRY_LIMIT);
    if (codeTry.outcome === 'counted') return undefined;
    return message('codesTried', {
      minutes: Math.max(1, Math.ceil((codeTry.untilMs - now()) / MINUTE_MS)),
    });
  };
  let isCodeWrong = false;
  try {
    const operationOutcome = await run(countOnce);
    isCodeWrong = operationOutcome.userErrors.some(isWrongCode);
    return operationOutcome;
  } finally {
    // If the refund fails, the customer has one try less, but still gets the response.
    if (!isCodeWrong && codeTry?.outcome === 'counted') await ignoreServiceError(codeTry.refund);
  }
}
