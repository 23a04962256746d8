/** A mutation on its way, as its steps share it: its roots and the client's values. */
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import type { ClaimedKey, StoredResponse } from '../../lib/storage/idempotency-record.ts';
import type { Variables } from './client-document.ts';
import type { Seen } from './forwarded-change.ts';
import type { CompiledMutation, MutationPlan, Plan } from './plan.ts';
import type { OpenOwnershipChecks } from './root-kind.ts';
import type { RunContext } from './run-context.ts';

export type RootEvaluation = {
  /** The refusal; undefined: the root may run, or be proved. */
  readonly refusal: 'FORBIDDEN' | undefined;
  readonly ownershipChecks: OpenOwnershipChecks;
  /** The variables of ours, with values for the platform. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Every id in the root's arguments, each once, as the platform names it. */
  readonly ids: readonly string[];
};

type RunnableMutation = MutationPlan & Pick<Plan, 'id' | 'document'>;

/** A root that the client's conditions let run. */
export type Running = { readonly mutation: CompiledMutation; readonly evaluation: RootEvaluation };

/**
 * How a change with a key ended: what a retry gets; refused, so that it uses no key; unknown; or recorded, so that the entry
 * and the claim of its intent tell a retry.
 */
type End = Partial<StoredResponse> | 'refused' | 'unknown' | 'recorded';

/** A change under a key. */
export type KeyedChange<Result> = {
  /** Whether intents are written for it, which claim the key. */
  readonly isRecorded: boolean;
  /** Without intents: whether what was read is as it is asked for. It is sent all the same, and repeats are told so. */
  readonly isNoOp?: boolean;
  /** Without intents: whether it may be made twice where a process died. */
  readonly mayRunAgain: boolean;
  readonly endOf: (result: Result) => End;
};

/** What is done for mutations under a key (graphql/roots/idempotency), loaded when the first one comes. */
export type Repeating = {
  readonly findReplay: (
    run: Run,
    one: Running,
  ) => Promise<
    | { readonly kind: 'replay'; readonly answer: AdminAnswer }
    | { readonly kind: 'free'; readonly key: ClaimedKey }
  >;
  readonly makeOnce: <Result>(
    context: RunContext,
    change: KeyedChange<Result>,
    make: () => Promise<Result>,
  ) => Promise<Result>;
};

/** A mutation on its way. */
export type Run = {
  readonly loadRepeating: () => Promise<Repeating>;
  readonly context: RunContext;
  readonly plan: RunnableMutation;
  readonly variables: Variables;
  readonly beganAtMs: number;
  /** The state that a single mutation has read together with its proof. */
  readonly seen: Seen | undefined;
};
