/** The errors that policy reports, each with its code of the error catalogue. */
import { type ASTNode, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../lib/errors/catalogue.ts';

type Nodes = ASTNode | readonly ASTNode[] | undefined;

function coded(message: string, code: ErrorCode, nodes: Nodes, extensions: Record<string, unknown> = {}) {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { code, ...extensions } });
}

/** A name that customer accounts cannot use, be it closed or unknown: they are not told which. */
export function notAvailable(name: string, nodes?: Nodes): GraphQLError {
  return coded(`Field "${name}" is not available to customer accounts`, 'FIELD_NOT_AVAILABLE', nodes);
}

export type Excess = {
  /** What is limited, for example `depth`. */
  readonly limit: string;
  readonly max: number;
  readonly actual: number;
  /** The count stopped here: there are more than `actual`. */
  readonly isAtLeast?: boolean;
};

const COUNTED_TO = 1_000_000_000;

/** A document beyond a limit: says which limit, its number and the query's. */
export function tooComplex({ limit, max, actual, isAtLeast }: Excess, nodes?: Nodes): GraphQLError {
  const counted = Math.min(actual, COUNTED_TO);
  const more = isAtLeast || actual > COUNTED_TO ? 'more than ' : '';
  const message = `The query is too complex: the limit of ${limit} is ${max}, the query has ${more}${counted}.`;
  return coded(message, 'QUERY_TOO_COMPLEX', nodes, { limit, max, actual: counted });
}

/** A document that is refused for another reason. */
export function invalidDocument(message: string, nodes?: Nodes): GraphQLError {
  return coded(message, 'GRAPHQL_VALIDATION_FAILED', nodes);
}
