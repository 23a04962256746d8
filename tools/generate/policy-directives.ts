/** Reads the policy directives of a definition in the SDL. Their meaning stands in graphql/schema/sdl/directives.graphql. */
import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';
import { flag, type Owner } from '../../graphql/schema/table/schema-table-format.ts';

type Definition = { readonly directives?: readonly ConstDirectiveNode[] | undefined };

const FLAGS: Readonly<Record<string, number>> = {
  customer: flag.customer,
  sameOwner: flag.sameOwner,
  catalogue: flag.catalogue,
  storeOnly: flag.storeOnly,
  self: flag.self,
  service: flag.service,
  actingCustomerRequired: flag.actingCustomerRequired,
};

/** The bits of all policy directives on a definition. */
export function flagsOf(node: Definition | null | undefined): number {
  return (node?.directives ?? []).reduce((bits, { name }) => bits | (FLAGS[name.value] ?? 0), 0);
}

/** Owner and types of the object that an id names, or undefined where no `@owned` stands. */
export function ownedBy(schema: GraphQLSchema, element: GraphQLArgument | GraphQLInputField) {
  const directive = schema.getDirective('owned');
  const values = directive && element.astNode ? getDirectiveValues(directive, element.astNode) : undefined;
  return values as { readonly by: Owner; readonly type?: readonly string[] | null } | undefined;
}

/** The path of `@narrowed`, or undefined. */
export function narrowedTo(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): string | undefined {
  const directive = schema.getDirective('narrowed');
  const values = directive && field.astNode ? getDirectiveValues(directive, field.astNode) : undefined;
  return values?.to as string | undefined;
}
