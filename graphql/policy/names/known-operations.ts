/** Queries and mutations are served. GraphQL's own subscriptions are not. */
import type { ValidationRule } from 'graphql';
import type { Surface } from '../../schema/schema.ts';
import { invalidDocument } from '../errors/invalid-document.ts';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses operations that the schema has no root type for, in the words of the surface. */
export function knownOperations(surface: Surface): ValidationRule {
  return (context) => ({
    OperationDefinition(node) {
      const { operation } = node;
      if (context.getSchema().getRootType(operation)) return;
      const unknown = `There are no ${operation} operations: send a query or a mutation.`;
      context.reportError(
        surface === 'customer' ? notAvailable(operation, node) : invalidDocument(unknown, node),
      );
    },
  });
}
