/**
 * A root at the beginning of a request: what is known of it without the platform, and what has to be asked. The kinds of
 * roots stand in graphql/roots and import this file, not the other way round; functions/compose/root-kinds.ts lists which
 * field is of which kind.
 */
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import { errorsOf } from '../answer/answer-builder.ts';
import type { PlacedError, RootOutcome } from '../plan/root-answer.ts';
import type {
  CompiledRoot,
  FirstAnswer,
  Inputs,
  OpenOwnershipChecks,
  RootKind,
  RunningRoot,
} from '../plan/root-kind.ts';
import type { RunContext } from '../plan/run-context.ts';
import { evaluateRoot, unusedValues } from './evaluate-root.ts';

/** The request of one root once it is proved. */
export type FollowRequest = Omit<FirstAnswer, 'answer'> & {
  readonly context: RunContext;
  readonly answer: AdminAnswer;
  /** The platform's errors below the root, by paths at the client's. */
  readonly errors: readonly PlacedError[];
};

export const REFUSED: RootOutcome = { kind: 'refused', why: 'forbidden' };

export const NO_OWNERSHIP_CHECKS: OpenOwnershipChecks = { nodes: [], addresses: [], contents: [] };

/** Sets the variables of a root that the client's own conditions leave out, where no root that runs has set them. */
export function skipRoot(
  { identity }: RunContext,
  root: CompiledRoot,
  { variables, internalVariables }: Inputs,
): void {
  for (const [name, value] of unusedValues(root, variables, identity)) internalVariables[name] ??= value;
  for (const [name, value] of Object.entries(root.idle)) internalVariables[name] ??= value;
}

/** Starts a root as its kind does. GRAPHQL_VALIDATION_FAILED: an id of what nobody owns is none. */
export function startRoot(context: RunContext, root: CompiledRoot, inputs: Inputs): RunningRoot {
  const { kind } = root;
  return kind.start === undefined ? startKnown(context, root, inputs) : kind.start(context, root, inputs);
}

/** Evaluates a root's arguments. `known`: its outcome if it is not refused; undefined: the platform is asked. */
export function startKnown<Special>(
  { identity }: RunContext,
  root: CompiledRoot<Special>,
  { variables, internalVariables, known }: Inputs & { readonly known?: RootOutcome | undefined },
): RunningRoot<Special> {
  const { refusal, ownershipChecks, values } = evaluateRoot(root, variables, identity);
  for (const [name, value] of values) internalVariables[name] = value;
  // A missing argument belongs to nobody: whoever asks is told what to do.
  const isOpenTo = refusal === undefined || known?.kind === 'invalid';
  const outcome = isOpenTo ? known : REFUSED;
  return {
    root,
    ownershipChecks: outcome === undefined ? ownershipChecks : NO_OWNERSHIP_CHECKS,
    isSent: true,
    outcome,
  };
}

/** A `follow` in which each root asks for itself. */
export function followEach<Special>(
  follow: (request: FollowRequest, special: Special) => Promise<unknown>,
): NonNullable<RootKind<Special>['follow']> {
  return async (context, roots, first) => {
    const { answer, planId } = first;
    for (const one of roots) {
      const { root } = one;
      if (answer === undefined) throw new Error(`${root.name} was not asked for`);
      const errors = errorsOf({ answer }, root);
      const request = { ...first, answer, context, errors, planId: `${planId} ${root.key}` };
      one.outcome = { kind: 'found', found: await follow(request, root.special) };
    }
  };
}
