/**
 * `__schema` and `__type` are answered from the schema itself. Customers' documents with them do not pass the rules.
 */
import type { FieldNode } from 'graphql';
import { buildUnsentRoot } from '../../compile/write-root.ts';
import type { ResultError } from '../../plan/result-error.ts';
import type { RootHandler } from '../../plan/root-handler.ts';
import { startUnsentRoot } from '../../run/start-root.ts';

type IntrospectionResult = { readonly value: unknown; readonly errors: readonly ResultError[] };

export const introspectionRoot: RootHandler<readonly FieldNode[], IntrospectionResult> = {
  compile: (context, { key, fields, access }) => ({
    texts: [],
    root: { ...buildUnsentRoot(context, key, fields), access, special: fields.map(({ field }) => field) },
  }),
  start: (_context, root) => startUnsentRoot(root),
  async follow(context, roots, { document, variables }) {
    const results: IntrospectionResult[] = [];
    for (const { root } of roots) {
      results.push(await context.introspect(root.special, { document, variables }, context.budget));
    }
    return results;
  },
  respond: (_request, _root, found) => found,
};
