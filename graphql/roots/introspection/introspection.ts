/** `__schema` and `__type` are answered by the schema itself. Customers' documents with them do not pass the rules. */
import type { FieldNode } from 'graphql';
import { rootOf } from '../../compile/write-root.ts';
import type { ResultError } from '../../plan/result-error.ts';
import type { RootKind } from '../../plan/root-kind.ts';
import { NO_OWNERSHIP_CHECKS } from '../../run/start-root.ts';

type Introspected = { readonly value: unknown; readonly errors: readonly ResultError[] };

export const introspection: RootKind<readonly FieldNode[], Introspected> = {
  compile: (context, { key, fields, access }) => ({
    texts: [],
    root: { ...rootOf(context, key, fields), access, special: fields.map(({ field }) => field) },
  }),
  start: (_context, root) => ({
    root,
    ownershipChecks: NO_OWNERSHIP_CHECKS,
    isSent: false,
    outcome: undefined,
  }),
  async follow(context, roots, { document, variables }) {
    for (const one of roots) {
      const found = await context.introspect(one.root.special, { document, variables }, context.budget);
      one.outcome = { kind: 'found', found };
    }
  },
  answer({ data, errors: all }, { key }, { value, errors }) {
    data[key] = value;
    all.push([...errors]);
  },
};
