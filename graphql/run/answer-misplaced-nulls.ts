/**
 * Requests in which null stands where none may: a nullable variable with a default was sent as null. What does not
 * fail runs as any other request; then graphql-js executes the client's document over that answer, and finds each
 * error, its place, and what is null because of it.
 */
import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  ValidationContext,
} from 'graphql';
import type { GraphqlResult, ResultError } from '../answer/graphql-result.ts';
import { compile, selectOperation } from '../compile/compile.ts';
import type { Plan } from '../compile/plan.ts';
import { readClientDocument, type Variables } from '../compile/selection/upstream-writer.ts';
import { TYPE_KEY, withoutFailing } from '../compile/without-failing.ts';
import { shortened } from '../policy/errors/shortened.ts';
import { type Surface, schemaOf } from '../schema/schema.ts';

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

export type NullsRequest = {
  readonly plan: Plan;
  /** As the client sent them. */
  readonly variables: Variables;
  readonly coerced: Variables;
  /** Runs what is left of the request. */
  readonly run: (plan: Plan) => Promise<GraphqlResult>;
};

/** The answer of such a request. */
export async function answerMisplacedNulls(request: NullsRequest): Promise<GraphqlResult> {
  const { plan, variables, run } = request;
  const remaining = remainingPlan(request);
  const result = remaining === undefined ? { data: {} } : await run(remaining);
  if (result.data === undefined || result.data === null) return result;
  const { data, errors = [] } = await execute({
    schema: schemaOf(plan.surface),
    document: plan.document,
    operationName: plan.operationName,
    variableValues: variables,
    rootValue: result.data,
    fieldResolver: (source, _args, _context, { path }) => source[path.key],
    typeResolver: (source) => source[TYPE_KEY],
  });
  const own = errors.map(toResultError);
  // What lies below a place that failed was not to be run.
  const others = (result.errors ?? []).filter((error) => !own.some(({ path }) => isBelow(error, path)));
  const all = [...others, ...own];
  return { ...result, data: data ?? null, ...(all.length > 0 && { errors: all }) };
}

function remainingPlan({ plan, coerced }: NullsRequest): Plan | undefined {
  const { surface, isActing } = plan;
  const all = { schema: schemaOf(surface), document: plan.document, variables: coerced };
  const document = withoutFailing({ ...all, operation: selectOperation(plan.document, plan.operationName) });
  if (document === undefined) return undefined;
  const operation = selectOperation(document, undefined);
  return compile({ surface, document, operation, client: readClientDocument(document, operation), isActing });
}

function isBelow({ path = [] }: ResultError, above: ResultError['path']): boolean {
  return above?.every((step, depth) => path[depth] === step) ?? true;
}

function toResultError({ message, path, locations }: GraphQLError): ResultError {
  return {
    message: shortened(message),
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  };
}
