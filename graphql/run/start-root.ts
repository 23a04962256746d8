/**
 * A root at the beginning of a request: what is known of it without the platform, and what has to be asked. The kinds of
 * roots stand in graphql/roots and import this file, not the other way round; functions/compose/root-kinds.ts lists which
 * field is of which kind.
 */
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import {
  type AnswerableKind,
  errorsOf,
  type PlacedError,
  type RootOutcome,
} from '../answer/answer-builder.ts';
import type { Refusal } from '../answer/refusal.ts';
import type { CompiledRoot } from '../compile/root-kind.ts';
import type { Variables } from '../compile/selection/client-document.ts';
import { evaluateRoot, type OpenOwnershipChecks, unusedValues } from './evaluate-root.ts';
import type { IntrospectedDocument, RunContext } from './run-context.ts';

/** A kind of root, as the run of a request asks it. */
export type RunnableKind<Special = unknown, Found = unknown> = AnswerableKind<Special, Found> & {
  /** Starts a root; `inputs.ours` gets the values of its variables. Without this, its arguments are evaluated. */
  start?(context: RunContext, root: CompiledRoot<Special>, inputs: Inputs): RunningRoot<Special>;
  /**
   * Reads the first answer, and changes the values of the root's variables.
   * @returns true when the request has to be sent again with them
   */
  again?(root: CompiledRoot<Special>, data: Variables, internalVariables: Record<string, unknown>): boolean;
  /**
   * Asks for what roots of this kind need beside the first answer, all of them together, and sets their outcomes. They
   * are proved: a refused one asks nothing.
   */
  follow?(context: RunContext, roots: readonly RunningRoot<Special>[], first: FirstAnswer): Promise<void>;
};

/** A root on its way: what it waits for, and what is known of it. */
export type RunningRoot<Special = unknown> = {
  readonly root: CompiledRoot<Special>;
  /** The proofs that it takes before anything of the root is shown. */
  readonly ownershipChecks: OpenOwnershipChecks;
  /** Whether its own field is sent while it has no outcome. */
  readonly isSent: boolean;
  /** Whether it asks the platform for something even if its own field is not sent. */
  readonly sendsConcurrently?: boolean;
  /** Ids that are proved one by one, and what becomes of the root by that. */
  readonly single?: SingleOwnershipChecks;
  outcome: RootOutcome | undefined;
};

type SingleOwnershipChecks = {
  readonly ids: readonly string[];
  /** `refusalOf` tells why some of the ids are refused; undefined: they are proved. */
  readonly resolve: (refusalOf: (ids: readonly string[]) => Refusal | undefined) => RootOutcome;
};

/** The first answer of the platform, and what it was asked with. */
export type FirstAnswer = Inputs & {
  readonly planId: string;
  /** The platform's answer; undefined: there was nothing to ask. */
  readonly answer: AdminAnswer | undefined;
  readonly document: IntrospectedDocument['document'];
};

/** The request of one root once it is proved. */
export type FollowRequest = Omit<FirstAnswer, 'answer'> & {
  readonly context: RunContext;
  readonly answer: AdminAnswer;
  /** The platform's errors below the root, by paths at the client's. */
  readonly errors: readonly PlacedError[];
};

export type Inputs = { readonly variables: Variables; readonly internalVariables: Record<string, unknown> };

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
  const kind: RunnableKind = root.kind;
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
): NonNullable<RunnableKind<Special>['follow']> {
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
