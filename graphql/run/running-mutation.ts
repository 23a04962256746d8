/** A mutation on its way, as its steps share it: its roots, the client's values, and what has been answered so far. */
import { getArgumentValues } from 'graphql';
import type { AdminAnswer, PlatformCost } from '../../lib/platform/admin-api/admin-answer.ts';
import type { StoredResponse } from '../../lib/storage/idempotency-record.ts';
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import type { Seen } from '../compile/forwarded-change.ts';
import { mapInput } from '../compile/ownership/input-ids.ts';
import type { CompiledMutation, MutationPlan, Plan } from '../compile/plan.ts';
import type { ResultError } from '../compile/result-error.ts';
import type { Variables } from '../compile/selection/client-document.ts';
import { argumentEntry } from '../compile/selection/type-reference.ts';
import type { ServiceMutation } from '../compile/service-mutation.ts';
import { adminSchema } from '../schema/schema.ts';
import { mappingFor, noFindings, type RootEvaluation } from './evaluate-root.ts';
import type { RunContext } from './run-context.ts';

type RunnableMutation = MutationPlan & Pick<Plan, 'id' | 'document'>;

/** A mutation of the service's own, as it is performed. */
export type PerformedMutation = ServiceMutation & {
  /** Does the work. Bad input is among the outcome's user errors; ServiceError: it failed, or nobody knows. */
  perform?(context: RunContext, request: OperationRequest): Promise<OperationOutcome>;
  /** Whether it writes intents: the timeline tells what came of it. */
  readonly isRecorded?: boolean;
  /** The fields of the payload, answered here, that a repeat under the same key is told again. Never a secret. */
  readonly storedFields?: readonly string[];
  /** Whether what it does depends on the customer's sign-in that asks for it: another's is another request. */
  readonly isOfSignIn?: boolean;
};

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
  readonly runIdempotent: (
    run: Run,
    one: Running,
    runIt: (run: Run) => Promise<void>,
  ) => Promise<AdminAnswer | undefined>;
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
  readonly result: { data: Record<string, unknown> | null; readonly errors: ResultError[] };
  readonly costs: PlatformCost[];
  readonly beganAtMs: number;
  /** The state that a single mutation has read together with its proof. */
  seen: Seen | undefined;
};

/** The coerced arguments of a root, its ids as the platform names them. */
export function argumentsOf(
  { variables, context }: Run,
  { root, own, forwarded }: CompiledMutation,
): Record<string, unknown> {
  const field = own?.fields[0]?.field ?? forwarded?.field;
  const definition = adminSchema().getMutationType()?.getFields()[root.name];
  if (field === undefined || definition === undefined) throw new Error(`no mutation ${root.name}`);
  const values = getArgumentValues(definition, field, variables as Record<string, unknown>);
  const mapping = mappingFor(root, noFindings(), context.identity);
  const mapped = Object.entries(values).map(([name, value]) => {
    const entry = argumentEntry('Mutation', root.name, name);
    return [name, entry === undefined ? value : mapInput(value, entry, mapping)];
  });
  return Object.fromEntries(mapped);
}
