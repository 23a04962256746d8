/**
 * A root at the beginning of a request: what is known of it without the platform, and what has to be asked. The kinds of
 * roots stand in graphql/roots and import this file, not the other way round.
 */
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import { errorsOf } from '../answer/answer-root.ts';
import type { Variables } from '../plan/client-document.ts';
import type { PlacedError, RootOutcome } from '../plan/root-answer.ts';
import type {
  CompiledRoot,
  FirstAnswer,
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

/** The values of a root that the client's own conditions leave out: its variables are declared all the same. */
export function idleVariables({ identity }: RunContext, root: CompiledRoot, variables: Variables): Variables {
  return { ...root.idle, ...Object.fromEntries(unusedValues(root, variables, identity)) };
}

/** Starts a root as its kind does. GRAPHQL_VALIDATION_FAILED: an id of what nobody owns is none. */
export function startRoot(context: RunContext, root: CompiledRoot, variables: Variables): RunningRoot {
  return root.kind.start?.(context, root, variables) ?? startKnown(context, root, { variables });
}

type Start = {
  readonly variables: Variables;
  /** The root's outcome if it is not refused; undefined: the platform is asked. */
  readonly known?: RootOutcome | undefined;
};

/** Evaluates a root's arguments. */
export function startKnown<Special>(
  { identity }: RunContext,
  root: CompiledRoot<Special>,
  { variables, known }: Start,
): RunningRoot<Special> {
  const { refusal, ownershipChecks, values } = evaluateRoot(root, variables, identity);
  // A missing argument belongs to nobody: whoever asks is told what to do.
  const isOpenTo = refusal === undefined || known?.kind === 'invalid';
  const outcome = isOpenTo ? known : REFUSED;
  return {
    root,
    ownershipChecks: outcome === undefined ? ownershipChecks : NO_OWNERSHIP_CHECKS,
    isSent: true,
    values: Object.fromEntries(values),
    outcome,
  };
}

/** Starts a root that is answered here: nothing of it is sent. */
export function startUnsent<Special>(root: CompiledRoot<Special>): RunningRoot<Special> {
  return { root, ownershipChecks: NO_OWNERSHIP_CHECKS, isSent: false, values: {}, outcome: undefined };
}

/** A `follow` in which each root sends its own requests. */
export function followEach<Special, Found>(
  follow: (request: FollowRequest, special: Special) => Promise<Found>,
): NonNullable<RootKind<Special, Found>['follow']> {
  return async (context, roots, first) => {
    const { answer, planId } = first;
    const found: Found[] = [];
    for (const { root } of roots) {
      if (answer === undefined) throw new Error(`${root.name} was not asked for`);
      const errors = errorsOf({ answer }, root);
      const request = { ...first, answer, context, errors, planId: `${planId} ${root.key}` };
      found.push(await follow(request, root.special));
    }
    return found;
  };
}
