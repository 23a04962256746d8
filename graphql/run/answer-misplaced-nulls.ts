/**
 * In some requests null stands where none may: a nullable variable with a default was sent as null. What does not
 * fail runs as any other request; then graphql-js executes the client's document over that answer, and finds each
 * error, its place, and what is null because of it.
 */
import { execute, type GraphQLError } from 'graphql';
import type { GraphqlResult } from '../answer/graphql-result.ts';
import type { Plan } from '../compile/plan.ts';
import type { ResultError } from '../compile/result-error.ts';
import type { Variables } from '../compile/selection/client-document.ts';
import { TYPE_KEY } from '../compile/without-failing.ts';
import { shortened } from '../policy/errors/shortened.ts';
import { schemaOf } from '../schema/schema.ts';

export type NullsRequest = {
  readonly plan: Plan;
  /** The plan of what does not fail; undefined: everything does. */
  readonly remaining: Plan | undefined;
  /** The variables as the client sent them. */
  readonly variables: Variables;
  /** Runs what remains. */
  readonly run: (plan: Plan) => Promise<GraphqlResult>;
};

/** The answer of such a request. */
export async function answerMisplacedNulls(request: NullsRequest): Promise<GraphqlResult> {
  const { plan, remaining, variables, run } = request;
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
  // A selection below a place that failed was not to be run.
  const others = (result.errors ?? []).filter((error) => !own.some(({ path }) => isBelow(error, path)));
  const all = [...others, ...own];
  return { ...result, data: data ?? null, ...(all.length > 0 && { errors: all }) };
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
