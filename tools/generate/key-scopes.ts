/**
 * Reads the scopes that a store's key needs for each root field. The generation fails for a root without the directive.
 */
import { type GraphQLField, type GraphQLSchema, getDirectiveValues } from 'graphql';
import { POLICY_FLAGS } from '../../graphql/schema/table/schema-table-format.ts';
import type { KeyScope } from '../../lib/domain/key-scope.ts';

const SCOPE_BITS: Readonly<Record<KeyScope, number>> = {
  READ: POLICY_FLAGS.needsRead,
  WRITE: POLICY_FLAGS.needsWrite,
  WEBHOOKS: POLICY_FLAGS.needsWebhooks,
  BILLING: POLICY_FLAGS.needsBilling,
};

/**
 * The bits of a field's `@scope`; none below the roots. Throws an error that names the root that lacks the directive,
 * a mutation for which reading is enough, or a field that is no root and has it.
 */
export function readScopeBits(
  schema: GraphQLSchema,
  typeName: string,
  field: GraphQLField<unknown, unknown>,
): number {
  const isMutation = typeName === schema.getMutationType()?.name;
  const isRoot = isMutation || typeName === schema.getQueryType()?.name;
  const directive = schema.getDirective('scope');
  const values = directive && field.astNode ? getDirectiveValues(directive, field.astNode) : undefined;
  const needs = values?.needs as readonly KeyScope[] | undefined;
  const coordinate = `${typeName}.${field.name}`;
  if ((needs !== undefined) !== isRoot) {
    throw new Error(
      `${coordinate} ${isRoot ? 'needs @scope: every root does' : 'has @scope, and is no root'}.`,
    );
  }
  if (needs === undefined) return 0;
  if (isMutation && needs.length > 0 && needs.every((scope) => scope === 'READ'))
    throw new Error(`${coordinate} is a mutation: @scope is not READ.`);
  return needs.length === 0
    ? POLICY_FLAGS.needsNoScope
    : needs.reduce((bits, scope) => bits | SCOPE_BITS[scope], 0);
}
