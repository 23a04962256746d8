/** The errors of a document or its variables, each with its code of the error catalogue in `extensions.code`. */
import { type ASTNode, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../../lib/errors/catalogue.ts';

/** The place of an error in the document, or undefined for the document as a whole. */
type Nodes = ASTNode | readonly ASTNode[] | undefined;

/** Creates the error of a document that breaks a rule, except for limits and customers' names. */
export function invalidDocumentError(message: string, nodes?: Nodes): GraphQLError {
  return codedError(message, { code: 'GRAPHQL_VALIDATION_FAILED', nodes });
}

/** Creates the error of a name that customer accounts cannot use. Closed and unknown names have the same message. */
export function notAvailableError(name: string, nodes?: Nodes): GraphQLError {
  const message = `Field "${name}" is not available to customer accounts`;
  return codedError(message, { code: 'FIELD_NOT_AVAILABLE', nodes });
}

type Excess = {
  /** The name of the limit, for example `depth`. */
  readonly limit: string;
  readonly max: number;
  readonly actual: number;
  /** Whether counting stopped at `actual`, so that the document has more. */
  readonly isMinimum?: boolean;
};

const COUNTED_TO = 1_000_000_000;

/** Creates the error of a document that exceeds a limit, with the limit, its maximum and the document's number. */
export function tooComplexError({ limit, max, actual, isMinimum }: Excess, nodes?: Nodes): GraphQLError {
  const counted = Math.min(actual, COUNTED_TO);
  const more = isMinimum || actual > COUNTED_TO ? 'more than ' : '';
  const message = `The query is too complex: the limit of ${limit} is ${max}, the query has ${more}${counted}.`;
  const extensions = { limit, max, actual: counted };
  return codedError(message, { code: 'QUERY_TOO_COMPLEX', nodes, extensions });
}

type Coded = {
  readonly code: ErrorCode;
  readonly nodes: Nodes;
  /** Public fields in addition to the code. */
  readonly extensions?: Readonly<Record<string, unknown>>;
};

function codedError(message: string, { code, nodes, extensions }: Coded): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { code, ...extensions } });
}
