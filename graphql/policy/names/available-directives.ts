/** Directives must be GraphQL's own: customers cannot use others. */
import type { ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses directives that the schema does not have. The policy's own directives are no part of the schema. */
export const availableDirectives: ValidationRule = (context) => ({
  Directive(node) {
    const name = node.name.value;
    if (!context.getSchema().getDirective(name)) context.reportError(notAvailable(name, node));
  },
});
