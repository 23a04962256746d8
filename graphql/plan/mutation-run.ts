/** The state of a running mutation that its steps share: its roots and the client's values. */
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import type { ClaimableIdempotencyKey } from '../../lib/storage/idempotency-record.ts';
import type { Variables } from './client-document.ts';
import type { PriorState } from './forwarded-change.ts';
import type { CompiledMutation, MutationPlan, Plan } from './plan.ts';
import type { IdsToCheck } from './root-handler.ts';
import type { RunContext, UserErrorWithCode } from './run-context.ts';

export type RootEvaluation = {
  /** The refusal, or undefined when the root may run after its ownership check. */
  readonly refusal: 'FORBIDDEN' | undefined;
  readonly idsToCheck: IdsToCheck;
  /** The values of internal variables, for the platform. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The unique ids in the root's arguments, in the platform's namespace. */
  readonly ids: readonly string[];
};

type RunnableMutation = MutationPlan & Pick<Plan, 'id' | 'document'>;

/** A root that the client's conditions do not exclude. */
export type RunningMutation = { readonly mutation: CompiledMutation; readonly evaluation: RootEvaluation };

/** The response of a mutation, and its user errors, also if the client does not select them. */
export type MutationResponse = AdminResponse & { readonly userErrors: readonly UserErrorWithCode[] };

/** Finds the response of a retry (graphql/roots/idempotency). Loaded with the first mutation that has an idempotency key. */
export type FindReplay = (
  run: MutationRun,
  runningMutation: RunningMutation,
) => Promise<
  | { readonly kind: 'replay'; readonly response: MutationResponse }
  | { readonly kind: 'free'; readonly key: ClaimableIdempotencyKey }
>;

/** A mutation request in progress: its plan, its variables, and what has been learned so far. */
export type MutationRun = {
  readonly loadFindReplay: () => Promise<FindReplay>;
  readonly context: RunContext;
  readonly plan: RunnableMutation;
  readonly variables: Variables;
  readonly startedAtMs: number;
  /** The state that a single mutation needs, if it was read with the ownership check. */
  readonly priorState: PriorState | undefined;
};
