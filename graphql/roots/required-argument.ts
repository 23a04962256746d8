/** Arguments that the platform requires and our schema does not: declared as the platform has them. */
import type { FieldNode } from 'graphql';
import type { RootSpecial } from '../compile/plan.ts';
import { inject } from '../compile/selection/upstream-writer.ts';
import { argumentEntry } from '../compile/selection/write-selection.ts';
import type { RootContext } from '../compile/write-root.ts';

type Requirement = { readonly argument: string; readonly as: string; readonly message: string };

const REQUIRED: Readonly<Record<string, Requirement>> = {
  subscriptionBillingCycles: {
    argument: 'contractId',
    as: 'ID!',
    message:
      'The argument "contractId" is required: give the id of the contract whose billing cycles you ask for.',
  },
};

/** How such an argument of a query's root is written and checked; undefined if the root has none. */
export function requiredArgument(
  { writer, rootType }: RootContext,
  field: FieldNode,
): { readonly overrides: Record<string, string>; readonly special: RootSpecial } | undefined {
  const name = field.name.value;
  const required = rootType === 'QueryRoot' && Object.hasOwn(REQUIRED, name) ? REQUIRED[name] : undefined;
  const entry = required && argumentEntry(rootType, name, required.argument);
  if (required === undefined || entry === undefined) return undefined;
  const node = field.arguments?.find((one) => one.name.value === required.argument)?.value;
  const text = inject(writer, { node, entry, as: required.as });
  const argument = [...writer.scope].find(({ variable }) => `$${variable}` === text);
  if (argument === undefined) return undefined;
  return {
    overrides: { [required.argument]: text },
    special: { kind: 'required', argument, message: required.message },
  };
}
