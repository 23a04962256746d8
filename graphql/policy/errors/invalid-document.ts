import type { GraphQLError } from 'graphql';
import { codedError, type Nodes } from './coded-error.ts';

/** The error of a document that breaks a rule which is neither about a limit nor about a customer's names. */
export function invalidDocument(message: string, nodes?: Nodes): GraphQLError {
  return codedError(message, { code: 'GRAPHQL_VALIDATION_FAILED', nodes });
}
