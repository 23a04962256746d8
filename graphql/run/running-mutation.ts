/** A mutation on its way, as its steps share it: its roots, the client's values, and what has been answered so far. */
import { getArgumentValues } from 'graphql';
import type { PlatformCost } from '../../lib/platform/admin-api/admin-answer.ts';
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import type { Seen } from '../compile/forwarded-change.ts';
import type { OwnMutation } from '../compile/own-mutation.ts';
import type { CompiledMutation, MutationPlan, Plan } from '../compile/plan.ts';
import { mapInput } from '../compile/proofs/input-ids.ts';
import type { ResultError } from '../compile/result-error.ts';
import type { Variables } from '../compile/selection/client-document.ts';
import { argumentEntry } from '../compile/selection/type-reference.ts';
import { adminSchema } from '../schema/schema.ts';
import { mappingFor, noFindings, type RootEvaluation } from './evaluate-root.ts';
import type { RunContext } from './run-context.ts';

export type RunnableMutation = MutationPlan & Pick<Plan, 'id' | 'document'>;

/** A mutation of the service's own, as it is performed. */
export type PerformedMutation = OwnMutation & {
  /** Does the work. Bad input is among the outcome's user errors; ServiceError: it failed, or nobody knows. */
  perform?(context: RunContext, request: OperationRequest): Promise<OperationOutcome>;
};

/** A root that the client's conditions let run. */
export type Running = { readonly mutation: CompiledMutation; readonly evaluation: RootEvaluation };

/** A mutation on its way. */
export type Run = {
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
