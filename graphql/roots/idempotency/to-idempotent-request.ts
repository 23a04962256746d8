/** The request of a mutation with an idempotency key: its caller, and its arguments as a hash. */
import {
  hashJson,
  idempotencyItemKey,
  type RequestWithIdempotencyKey,
} from '../../../lib/storage/idempotency-record.ts';
import type { RunContext } from '../../plan/run-context.ts';

type MutationWithIdempotencyKey = {
  readonly mutationName: string;
  readonly key: string;
  /**
   * The coerced arguments, with ids in the platform's namespace, so that the same change always has the same
   * arguments.
   */
  readonly args: Readonly<Record<string, unknown>>;
  readonly storedFields: readonly string[];
  /** Whether the customer's session is part of the arguments. */
  readonly isPerSession: boolean;
};

/** Returns the request with its key. Different callers, stores and mutations never share a key. */
export function toIdempotentRequest(
  context: RunContext,
  { mutationName, key, args, storedFields, isPerSession }: MutationWithIdempotencyKey,
): RequestWithIdempotencyKey {
  const { shopId } = context.store;
  const { actor } = context;
  const sessionHashParts = isPerSession && actor.kind === 'customer' ? [actor.session.sessionId] : [];
  // A request with a key is never a dry run. The hash omits `dryRun`, because hashes that were stored before the argument
  // existed must still match.
  const { dryRun: _dryRun, ...hashedArguments } = args;
  return {
    shopId,
    itemKey: idempotencyItemKey({ shopId, actor: identifyCaller(context), field: mutationName, key }),
    argumentsHash: hashJson([key, hashedArguments, ...sessionHashParts]),
    customerId: context.identity.actingCustomerId,
    storedFieldNames: storedFields,
  };
}

/** Identifies the caller: a customer, a store's key, or a store's key that acts for a customer. */
function identifyCaller({ actor }: RunContext): readonly (string | number)[] {
  if (actor.kind === 'customer') return ['customer', actor.customerId];
  const { keyId, actingCustomerId } = actor;
  return actingCustomerId === undefined ? ['key', keyId] : ['key', keyId, 'for', actingCustomerId];
}
