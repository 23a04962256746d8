/** Customers learn the schema from the published customer.graphql, not from the endpoint. `__typename` works. */
import type { ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses every meta field but `__typename`, under any alias, and every type of introspection. */
export const noIntrospection: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (name.startsWith('__') && name !== '__typename') context.reportError(notAvailable(name, node));
  },
  NamedType(node) {
    if (node.name.value.startsWith('__')) context.reportError(notAvailable(node.name.value, node));
  },
});
