/** Directives open to customers: those that GraphQL itself defines. */
import type { ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses directives that the schema does not have; the policy's own are no part of it. */
export const availableDirectives: ValidationRule = (context) => ({
  Directive(node) {
    const name = node.name.value;
    if (!context.getSchema().getDirective(name)) context.reportError(notAvailable(name, node));
  },
});
