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
 * Returns the bits of a root's `@scope`; other fields have none.
 * @throws Error that names a root without the directive, a mutation for which reading is enough, or another field that
 * has the directive
 */
export function readScopeBits(
  schema: GraphQLSchema,
  typeName: string,
  field: GraphQLField<unknown, unknown>,
): number {
  const isMutation = typeName === schema.getMutationType()?.name;
  const isRootType = isMutation || typeName === schema.getQueryType()?.name;
  const scopeDirective = schema.getDirective('scope');
  const directiveValues =
    scopeDirective && field.astNode ? getDirectiveValues(scopeDirective, field.astNode) : undefined;
  const neededScopes = directiveValues?.needs as readonly KeyScope[] | undefined;
  const fieldCoordinate = `${typeName}.${field.name}`;
  if ((neededScopes !== undefined) !== isRootType) {
    throw new Error(
      `${fieldCoordinate} ${isRootType ? 'needs @scope: every root does' : 'has @scope, and is no root'}.`,
    );
  }
  if (neededScopes === undefined) return 0;
  if (isMutation && neededScopes.length > 0 && neededScopes.every((scope) => scope === 'READ'))
    throw new Error(`${fieldCoordinate} is a mutation: @scope is not READ.`);
  return neededScopes.length === 0
    ? POLICY_FLAGS.needsNoScope
    : neededScopes.reduce((bits, scope) => bits | SCOPE_BITS[scope], 0);
}
