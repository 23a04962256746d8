/** A root at the beginning of a request: what is known of it without the platform, and what has to be asked. */

import type { RootOutcome } from '../answer/answer-builder.ts';
import type { CompiledRoot } from '../compile/plan.ts';
import type { Variables } from '../compile/selection/upstream-writer.ts';
import { evaluateObjects, type ObjectsEvaluation, objectsVariables } from '../roots/evaluate-ids.ts';
import { evaluateRoot, type OpenProofs, unusedValues } from './evaluate-root.ts';
import type { RunContext } from './run-context.ts';

/** A root on its way: what it waits for, and what is known of it. */
export type RunningRoot = {
  readonly root: CompiledRoot;
  readonly proofs: OpenProofs;
  /** Of a root that takes ids of any type. Its `proofs` are those of all its ids, and of the arguments `below`. */
  readonly objects: { readonly ids: ObjectsEvaluation; readonly below: OpenProofs } | undefined;
  /** Whether its own field is sent while it is open. */
  readonly isSent: boolean;
  outcome: RootOutcome | undefined;
};

export type Inputs = { readonly variables: Variables; readonly ours: Record<string, unknown> };

const REFUSED: RootOutcome = { kind: 'refused', why: 'forbidden' };

export const NO_PROOFS: OpenProofs = { nodes: [], addresses: [], contents: [] };

/** Values for a root that the client's own conditions leave out, where no root that runs has set them. */
export function skipRoot({ identity }: RunContext, root: CompiledRoot, { variables, ours }: Inputs): void {
  for (const [name, value] of unusedValues(root, variables, identity)) ours[name] ??= value;
  const parts = root.special?.kind === 'objects' ? root.special.parts : undefined;
  if (parts !== undefined) Object.assign(ours, { [parts.ids]: [], [parts.run]: false });
}

/** Starts a root; `ours` gets the values of its variables. GRAPHQL_VALIDATION_FAILED: an unowned id is none. */
export function startRoot(context: RunContext, root: CompiledRoot, inputs: Inputs): RunningRoot {
  const { special } = root;
  if (special?.kind === 'objects') return startObjects(context, root, inputs);
  const { variables, ours } = inputs;
  const { refusal, proofs, values } = evaluateRoot(root, variables, context.identity);
  for (const [name, value] of values) ours[name] = value;
  const known = outcomeOf(context, root, variables);
  // What is missing belongs to nobody: whoever asks is told what to do.
  const isOpenTo = refusal === undefined || known?.kind === 'invalid';
  const outcome = isOpenTo ? known : REFUSED;
  if (special?.kind === 'required' && outcome !== undefined) {
    ours[special.argument.variable] ??= `gid://${context.identity.namespaces.platform}/Product/1`;
  }
  const isOpen = outcome === undefined;
  return { root, proofs: isOpen ? proofs : NO_PROOFS, objects: undefined, isSent: true, outcome };
}

/** What is known without the platform; undefined: it has to be asked. */
function outcomeOf(
  context: RunContext,
  { special }: CompiledRoot,
  variables: Variables,
): RootOutcome | undefined {
  switch (special?.kind) {
    case 'typename':
      return { kind: 'value', value: special.value };
    case 'introspection':
      return { kind: 'introspection', fields: special.fields };
    case 'made here':
      return { kind: 'followed', value: special.make(context), isLocal: true, errors: [] };
    case 'narrowed':
      return special.isRefused(variables) ? REFUSED : undefined;
    case 'required': {
      const isGiven = (special.argument.read(variables) ?? null) !== null;
      return isGiven ? undefined : { kind: 'invalid', message: special.message };
    }
    default:
      return undefined;
  }
}

function startObjects(context: RunContext, root: CompiledRoot, { variables, ours }: Inputs): RunningRoot {
  const { special } = root;
  if (special?.kind !== 'objects') throw new Error(`${root.name} takes no ids of any type`);
  const { identity } = context;
  const ids = evaluateObjects(root, special, { variables, identity });
  const others = root.injected.filter((one) => one !== special.argument);
  const below = evaluateRoot({ ...root, access: 'open', injected: others }, variables, identity);
  Object.assign(ours, Object.fromEntries(below.values), objectsVariables(special, ids, identity));
  if (root.access === 'closed' || below.refusal !== undefined) {
    return { root, proofs: NO_PROOFS, objects: undefined, isSent: false, outcome: REFUSED };
  }
  const proofs = { ...below.proofs, nodes: [...below.proofs.nodes, ...[...ids.toProve.values()].flat()] };
  const objects = { ids, below: below.proofs };
  return { root, proofs, objects, isSent: ids.sent.size > 0, outcome: undefined };
}
