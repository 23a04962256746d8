/** Some roots have an argument that the platform requires and our schema does not: without it nothing is asked. */

import type { FieldNode } from 'graphql';
import type { RootContext } from '../compile/root-kind.ts';
import { argumentEntry } from '../compile/selection/type-reference.ts';
import { type InjectedArgument, inject } from '../compile/selection/upstream-writer.ts';
import { rootOf, writeRoot } from '../compile/write-root.ts';
import { type RunnableKind, startKnown } from '../run/start-root.ts';

/** `as`: the argument's type at the platform. */
type Requirement = { readonly argument: string; readonly as: string; readonly message: string };

const CONTRACT_ID: Requirement = {
  argument: 'contractId',
  as: 'ID!',
  message:
    'The argument "contractId" is required: give the id of the contract whose billing cycles you ask for.',
};

type Required = { readonly argument: InjectedArgument };

/** The root `subscriptionBillingCycles`. */
export const billingCycles: RunnableKind<Required> = {
  compile(context, { key, fields, access }) {
    const argument = injectRequired(context, fields[0]?.field, CONTRACT_ID);
    const overrides = { [CONTRACT_ID.argument]: `$${argument.variable}` };
    const { texts, run } = writeRoot(context, { key, fields, isDecided: true, overrides });
    return {
      texts,
      root: {
        ...rootOf(context, key, fields),
        access,
        run,
        upstream: new Map([[key, [key]]]),
        nullsAll: new Set([key]),
        read: (data) => data[key],
        special: { argument },
      },
    };
  },
  start(context, root, inputs) {
    const { argument } = root.special;
    const isGiven = (argument.read(inputs.variables) ?? null) !== null;
    const known = isGiven ? undefined : ({ kind: 'invalid', message: CONTRACT_ID.message } as const);
    const running = startKnown(context, root, { ...inputs, known });
    if (running.outcome !== undefined) {
      inputs.ours[argument.variable] ??= `gid://${context.identity.namespaces.platform}/Product/1`;
    }
    return running;
  },
};

/** Puts a variable of ours, declared as the platform has the argument, in the argument's place. */
function injectRequired(
  { writer, rootType }: RootContext,
  field: FieldNode | undefined,
  { argument: name, as }: Requirement,
): InjectedArgument {
  const entry = field && argumentEntry(rootType, field.name.value, name);
  if (entry === undefined) throw new Error(`The root has no ${name}.`);
  const node = field?.arguments?.find((one) => one.name.value === name)?.value;
  const text = inject(writer, { node, entry, as });
  const argument = [...writer.scope].find(({ variable }) => `$${variable}` === text);
  if (argument === undefined) throw new Error(`The root does not use ${text}.`);
  return argument;
}
