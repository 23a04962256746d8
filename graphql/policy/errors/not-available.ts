import type { GraphQLError } from 'graphql';
import { codedError, type Nodes } from './coded-error.ts';

/** The error of a name that customer accounts cannot use. Closed and unknown names get the same words. */
export function notAvailable(name: string, nodes?: Nodes): GraphQLError {
  const message = `Field "${name}" is not available to customer accounts`;
  return codedError(message, { code: 'FIELD_NOT_AVAILABLE', nodes });
}
