/** Reads the policy directives of a definition in the SDL. graphql/schema/sdl/directives.graphql explains them. */
import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';
import { type IdOwner, POLICY_FLAGS } from '../../graphql/schema/table/schema-table-format.ts';

type DefinitionWithDirectives = { readonly directives?: readonly ConstDirectiveNode[] | undefined };

const FLAG_BY_POLICY_DIRECTIVE: Readonly<Record<string, number>> = {
  customer: POLICY_FLAGS.customer,
  sameOwner: POLICY_FLAGS.sameOwner,
  catalogue: POLICY_FLAGS.catalogue,
  storeOnly: POLICY_FLAGS.storeOnly,
  self: POLICY_FLAGS.self,
  service: POLICY_FLAGS.service,
  actingCustomerRequired: POLICY_FLAGS.actingCustomerRequired,
  day: POLICY_FLAGS.day,
};

/** Returns the bits of all policy directives on a definition. */
export function readPolicyFlags(node: DefinitionWithDirectives | null | undefined): number {
  return (node?.directives ?? []).reduce(
    (bits, { name }) => bits | (FLAG_BY_POLICY_DIRECTIVE[name.value] ?? 0),
    0,
  );
}

/**
 * Returns owner and types of the object that an id names.
 * @returns undefined when there is no `@owned`
 */
export function readOwnedDirective(schema: GraphQLSchema, element: GraphQLArgument | GraphQLInputField) {
  const directive = schema.getDirective('owned');
  const values = directive && element.astNode ? getDirectiveValues(directive, element.astNode) : undefined;
  return values as { readonly by: IdOwner; readonly type?: readonly string[] | null } | undefined;
}

/**
 * Returns the path of `@narrowed`.
 * @returns undefined when there is no `@narrowed`
 */
export function readNarrowedDirective(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
): string | undefined {
  const directive = schema.getDirective('narrowed');
  const values = directive && field.astNode ? getDirectiveValues(directive, field.astNode) : undefined;
  return values?.to as string | undefined;
}
