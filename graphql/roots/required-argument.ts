/** Some roots have an argument that the platform requires and our schema does not: without it nothing is asked. */

import { argumentEntry } from '../compile/selection/type-reference.ts';
import { type InjectedArgument, inject } from '../compile/selection/upstream-writer.ts';
import { rootOf, writeRoot } from '../compile/write-root.ts';
import { type RunnableKind, startKnown } from '../run/start-root.ts';

/** `as`: the argument's type at the platform. */
type Requirement = { readonly argument: string; readonly as: string; readonly message: string };

const BILLING_CYCLES: Requirement = {
  argument: 'contractId',
  as: 'ID!',
  message:
    'The argument "contractId" is required: give the id of the contract whose billing cycles you ask for.',
};

/** The root `subscriptionBillingCycles`. */
export const billingCycles = requiring(BILLING_CYCLES);

type Special = { readonly argument: InjectedArgument };

function requiring({ argument: required, as, message }: Requirement): RunnableKind<Special> {
  return {
    compile(context, { key, fields, access }) {
      const { writer, rootType } = context;
      const field = fields[0]?.field;
      const entry = field && argumentEntry(rootType, field.name.value, required);
      if (entry === undefined) throw new Error(`${key} has no ${required}`);
      const node = field?.arguments?.find((one) => one.name.value === required)?.value;
      const text = inject(writer, { node, entry, as });
      const argument = [...writer.scope].find(({ variable }) => `$${variable}` === text);
      if (argument === undefined) throw new Error(`${key} does not use ${text}`);
      const overrides = { [required]: text };
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
      const known = isGiven ? undefined : ({ kind: 'invalid', message } as const);
      const running = startKnown(context, root, { ...inputs, known });
      if (running.outcome !== undefined) {
        inputs.ours[argument.variable] ??= `gid://${context.identity.namespaces.platform}/Product/1`;
      }
      return running;
    },
  };
}
