/**
 * Requests in which null stands where none may, since a nullable variable with a default was sent as null: they are
 * told by their variables, and what of them does not fail is compiled by itself.
 */

import type { DocumentNode, GraphQLInputType, OperationDefinitionNode } from 'graphql';
import {
  getNamedType,
  isInputObjectType,
  isNonNullType,
  TypeInfo,
  typeFromAST,
  ValidationContext,
} from 'graphql';
import type { Surface } from '../schema/schema.ts';
import { schemaOf } from '../schema/schema.ts';
import { compile, selectOperation } from './compile.ts';
import type { CompileRequest } from './compile-roots.ts';
import type { Plan } from './plan.ts';
import { readClientDocument, type Variables } from './selection/client-document.ts';
import { withoutFailing } from './without-failing.ts';

/** Whether coerced variables hold a null, or lack a value, where one is needed. */
export type HasMisplacedNull = (coerced: Variables) => boolean;

/**
 * Looks for the nullable variables of an operation that stand where null may not (GraphQL, section 5.8.5), or for the one
 * field of a OneOf input, which may not be absent either.
 */
export function prepareNullCheck(
  surface: Surface,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): HasMisplacedNull {
  const schema = schemaOf(surface);
  const { variableDefinitions = [] } = operation;
  const nullable = variableDefinitions
    .filter(({ type }) => !isNonNullType(typeFromAST(schema, type as never)))
    .map(({ variable }) => variable.name.value);
  if (nullable.length === 0) return () => false;
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined);
  const usages = context
    .getRecursiveVariableUsages(operation)
    .filter(({ node }) => nullable.includes(node.name.value));
  const namesOf = (some: typeof usages) => [...new Set(some.map(({ node }) => node.name.value))];
  const neverNull = namesOf(usages.filter(({ type }) => isNonNullType(type)));
  const neverAbsent = namesOf(usages.filter(({ parentType }) => isOneOf(parentType)));
  return (coerced) =>
    neverNull.some((name) => coerced[name] === null) ||
    neverAbsent.some((name) => (coerced[name] ?? null) === null);
}

function isOneOf(type: GraphQLInputType | null | undefined): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) && named.isOneOf;
}

/** The plan of what does not fail with these variables; undefined: nothing is left. */
export function remainingPlan(
  { document: whole, operation, ...request }: Omit<CompileRequest, 'client'>,
  coerced: Variables,
): Plan | undefined {
  const reduction = { schema: schemaOf(request.surface), document: whole, operation, variables: coerced };
  const document = withoutFailing(reduction);
  if (document === undefined) return undefined;
  const remaining = selectOperation(document, undefined);
  const client = readClientDocument(document, remaining);
  return compile({ ...request, document, operation: remaining, client });
}
