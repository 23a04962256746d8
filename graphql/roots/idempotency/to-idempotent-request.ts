/** The request of a mutation with an idempotency key: its caller, and its arguments as a hash. */
import {
  hashJson,
  idempotencyItemKey,
  type RequestWithIdempotencyKey,
} from '../../../lib/storage/idempotency-record.ts';
import type { RunContext } from '../../plan/run-context.ts';

type MutationWithIdempotencyKey = {
  /** The mutation's name. */
  readonly field: string;
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

/** Returns the request with its key. Different callers, stores and fields never share a key. */
export function toIdempotentRequest(
  context: RunContext,
  { field, key, args, storedFields, isPerSession }: MutationWithIdempotencyKey,
): RequestWithIdempotencyKey {
  const { shopId } = context.store;
  const { actor } = context;
  const sessionHashParts = isPerSession && actor.kind === 'customer' ? [actor.session.sessionId] : [];
  // A request with a key has no dry run. Earlier versions lack the argument, and their keys must stay valid.
  const { dryRun: _none, ...hashed } = args;
  return {
    shopId,
    itemKey: idempotencyItemKey({ shopId, actor: identifyCaller(context), field, key }),
    argumentsHash: hashJson([key, hashed, ...sessionHashParts]),
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
