/** The errors of a document or its variables, each with its code of the error catalogue in `extensions.code`. */
import { type ASTNode, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../../lib/errors/catalogue.ts';

/** The place of an error in the document, or undefined for the document as a whole. */
type ErrorNodes = ASTNode | readonly ASTNode[] | undefined;

/** Creates the error of a document that breaks a rule, except for limits and customers' names. */
export function createInvalidDocumentError(message: string, nodes?: ErrorNodes): GraphQLError {
  return createCodedError(message, { code: 'GRAPHQL_VALIDATION_FAILED', nodes });
}

/** Creates the error of a name that customer accounts cannot use. Closed and unknown names have the same message. */
export function createNotAvailableError(name: string, nodes?: ErrorNodes): GraphQLError {
  const message = `Field "${name}" is not available to customer accounts`;
  return createCodedError(message, { code: 'FIELD_NOT_AVAILABLE', nodes });
}

type ExceededLimit = {
  /** The name of the limit, for example `depth`. */
  readonly limit: string;
  readonly max: number;
  readonly actual: number;
  /** Whether counting stopped at `actual`, so that the document has more. */
  readonly isMinimum?: boolean;
};

const MAX_REPORTED_COUNT = 1_000_000_000;

/** Creates the error of a document that exceeds a limit, with the limit, its maximum and the document's number. */
export function createTooComplexError(
  { limit, max, actual, isMinimum }: ExceededLimit,
  nodes?: ErrorNodes,
): GraphQLError {
  const reportedCount = Math.min(actual, MAX_REPORTED_COUNT);
  const minimumPrefix = isMinimum || actual > MAX_REPORTED_COUNT ? 'more than ' : '';
  const message = `The query is too complex: the limit of ${limit} is ${max}, the query has ${minimumPrefix}${reportedCount}.`;
  const extensions = { limit, max, actual: reportedCount };
  return createCodedError(message, { code: 'QUERY_TOO_COMPLEX', nodes, extensions });
}

type CodedErrorParts = {
  readonly code: ErrorCode;
  readonly nodes: ErrorNodes;
  /** Public fields in addition to the code. */
  readonly extensions?: Readonly<Record<string, unknown>>;
};

function createCodedError(message: string, { code, nodes, extensions }: CodedErrorParts): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { code, ...extensions } });
}
