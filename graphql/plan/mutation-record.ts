/**
 * The record of a mutation: what the service adds to its schema. `graphql/mutations` has one for each of the service's
 * own mutations, and for each forwarded one that the timeline records. All other mutations are only forwarded.
 */
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import type { ForwardedChange } from './forwarded-change.ts';
import type { RunContext } from './run-context.ts';

type MutationRecordBase = {
  readonly name: string;
  /** The payload's fields with objects of the platform, for example `contract`. A retry with the same key reads them again. */
  readonly objectFields: readonly string[];
  /** The points that the mutation usually costs, including its response; by default `DEFAULT_MUTATION_POINTS`. */
  readonly points?: number;
};

/** A mutation that takes an idempotency key. */
type RetryableMutation = {
  /** The payload's fields that the service fills and stores for a retry with the same key. Never a secret. */
  readonly storedFields: readonly string[];
  /**
   * Whether the change depends on the customer's session, so that requests of different sessions are different
   * requests.
   */
  readonly isPerSession?: true;
};

/** One of the service's own mutations. */
export type ServiceMutationRecord = MutationRecordBase & {
  readonly kind: 'service';
  readonly idempotency: RetryableMutation;
  /** Whether it writes intents, so that the timeline records its outcome. */
  readonly recordsChanges?: boolean;
  /** Whether `perform` itself stores what a retry gets, and nothing of a response that is a secret. */
  readonly storesOutcome?: true;
  /**
   * Performs the mutation. Invalid input is among the outcome's user errors.
   * @throws ServiceError when it fails, or its outcome is unknown
   */
  perform(context: RunContext, request: OperationRequest): Promise<OperationOutcome>;
};

/** A mutation of the platform that the timeline records. `refused`: the reason why it takes no idempotency key. */
export type ForwardedMutationRecord = MutationRecordBase & {
  readonly kind: 'forwarded';
  readonly idempotency: RetryableMutation | { readonly refused: string };
  readonly change: ForwardedChange;
};

export type MutationRecord = ServiceMutationRecord | ForwardedMutationRecord;

/** Returns the record of the mutation with this name. */
export type FindMutation = (name: string) => MutationRecord | undefined;

/** A skip, a pause or a cancellation with the response that the TypeScript client selects costs 54 to 85 points. */
const DEFAULT_MUTATION_POINTS = 90;

/**
 * Returns the points that a document with these mutations claims of the customer's share before it begins, so that
 * concurrent changes spend little more than they claimed. The rest is refunded.
 */
export function maxExpectedPoints(find: FindMutation, names: readonly string[]): number {
  return Math.max(...names.map((name) => find(name)?.points ?? DEFAULT_MUTATION_POINTS));
}

/**
 * Returns the reason why the mutation takes no idempotency key.
 * @returns undefined when it takes one
 */
export function findIdempotencyKeyRefusal(find: FindMutation, name: string): string | undefined {
  const mutationRecord = find(name);
  if (mutationRecord === undefined) return KEY_REFUSED_WITHOUT_TIMELINE_REASON;
  return 'refused' in mutationRecord.idempotency ? mutationRecord.idempotency.refused : undefined;
}

const KEY_REFUSED_WITHOUT_TIMELINE_REASON =
  'no timeline entry records its change, so the outcome of the first request would be unknown';
